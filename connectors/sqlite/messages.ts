import type { SQLInputValue, SQLOutputValue } from "node:sqlite";

/** The database file that a request reads. */
export interface RequestedFile {
  readonly path: string;
  /** Device and inode of the file. A reader refuses a file that has been replaced since the host found it. */
  readonly identity: string;
  /** Maximum bytes of a value, and of a row. */
  readonly valueBytes: number;
  /** Milliseconds to wait for a writer's lock. */
  readonly lockMs: number;
}

/** A request to a reader process, which handles one request at a time. */
export type SqliteRequest =
  | {
      readonly kind: "rows";
      readonly file: RequestedFile;
      readonly text: string;
      readonly values: readonly SQLInputValue[];
    }
  | { readonly kind: "columns"; readonly file: RequestedFile; readonly text: string };

/** A column of a statement. `declared` is null for an expression. */
export interface StatementColumn {
  readonly name: string;
  readonly declared: string | null;
}

export type SqliteRows = readonly (readonly SQLOutputValue[])[];

/** A block of rows. Contains the columns of the statement instead if the request only describes a statement. */
export type SqliteItem =
  | { readonly kind: "rows"; readonly rows: SqliteRows }
  | { readonly kind: "columns"; readonly columns: readonly StatementColumn[] };
