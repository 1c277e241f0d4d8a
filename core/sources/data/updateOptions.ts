/** What a store does with a pushed row whose key no stored row has. */
export type MissingRows = "insert" | "ignore" | "refuse";

/** How an update changes rows. */
export interface UpdateOptions {
  /** Names or ids of the columns that identify a row. */
  readonly key: readonly string[];
  readonly missing: MissingRows;
  /** Whether the rows with these keys are deleted instead of replaced. */
  readonly deletes: boolean;
}
