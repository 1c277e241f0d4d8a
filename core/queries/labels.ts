/** The stored label of a value of a hierarchy column. */
export interface ValueLabel {
  /** Label texts by language. */
  readonly name: Readonly<Record<string, string>> | null;
  readonly color: string | null;
}

/** The labels of the catalog. */
export interface Labels {
  /**
   * Returns the number of values with a label or a color, by column id. Columns without labels and colors are absent.
   */
  count(columnIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Finds the labels of the given values of a column, or of all its values if `values` is absent. */
  find(columnId: string, values?: readonly string[]): Promise<ReadonlyMap<string, ValueLabel>>;
}
