/** The stored label of a value of a hierarchy column. */
export interface ValueLabel {
  /** The label in each language, by language tag. */
  readonly name: Readonly<Record<string, string>> | null;
  readonly color: string | null;
}

/** Reads the labels that the catalog stores for values of hierarchy columns. */
export interface Labels {
  /**
   * Returns the number of values with a label or a color, by column id. Columns without labels and colors are absent.
   */
  count(columnIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Finds the labels of the given values of a column, or of all its values if `values` is absent. */
  find(columnId: string, values?: readonly string[]): Promise<ReadonlyMap<string, ValueLabel>>;
}
