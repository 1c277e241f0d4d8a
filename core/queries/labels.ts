/** The stored label of a value of a hierarchy column. */
export interface ValueLabel {
  /** Texts by language. */
  readonly name: Readonly<Record<string, string>> | null;
  readonly color: string | null;
}

/** The labels of the catalog. */
export interface Labels {
  /** Counts the values of each column that have a label or a colour; columns without are absent. */
  count(columnIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Finds the labels of values of a column; of all its values when `values` is left out. */
  find(columnId: string, values?: readonly string[]): Promise<ReadonlyMap<string, ValueLabel>>;
}
