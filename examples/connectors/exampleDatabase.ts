/** A database with a table of airports, and the members of an account that reaches it. */
export interface ExampleDatabase {
  readonly account: Readonly<Record<string, unknown>>;
  readonly schema: string;
  /** `airports` unless given. */
  readonly table?: string;
  /** The column whose values are counted; `state` unless given. */
  readonly column?: string;
  /** The address that the host must be allowed to reach; absent for a file. */
  readonly address?: string;
  close(): Promise<void>;
}
