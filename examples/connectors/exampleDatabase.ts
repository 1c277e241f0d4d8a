/** A database with the example's table, and the members of an account that connects to this database. */
export interface ExampleDatabase {
  readonly account: Readonly<Record<string, unknown>>;
  readonly schema: string;
  /**
   * The name of the table.
   * @default "airports"
   */
  readonly table?: string;
  /**
   * The column whose values are counted.
   * @default "state"
   */
  readonly column?: string;
  /** The address of the database to add to `egressAllow`. Absent if the database is a file. */
  readonly address?: string;
  close(): Promise<void>;
}
