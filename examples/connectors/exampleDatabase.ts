/** A database with a table of airports, and the members of an account that connects to it. */
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
  /** The address to add to `egressAllow`. Absent for a file. */
  readonly address?: string;
  close(): Promise<void>;
}
