import type { SQLInputValue, SQLOutputValue } from "node:sqlite";

/** The database that a request is about. */
export interface RequestedFile {
  readonly path: string;
  /** Device and inode: a reader refuses a file that was replaced since it was found. */
  readonly identity: string;
  /** Most bytes of one value, and of one row. */
  readonly valueBytes: number;
  /** Milliseconds that a statement waits for a writer's lock. */
  readonly lockMs: number;
}

/** A message of the host to a reader process. A reader carries out one request at a time. */
export type ToReader =
  | {
      readonly kind: "rows";
      readonly file: RequestedFile;
      readonly text: string;
      readonly values: readonly SQLInputValue[];
      /** A block of rows is sent when its values pass this size. */
      readonly blockBytes: number;
    }
  | { readonly kind: "columns"; readonly file: RequestedFile; readonly text: string }
  /** One more block may be sent. */
  | { readonly kind: "more" }
  /** No more rows are wanted. */
  | { readonly kind: "stop" };

/** A column of a statement; `declared` is null for an expression. */
export interface StatementColumn {
  readonly name: string;
  readonly declared: string | null;
}

/** A message of a reader process to the host. Every request ends with `columns`, `end` or `failed`. */
export type FromReader =
  | { readonly kind: "rows"; readonly rows: readonly (readonly SQLOutputValue[])[] }
  | { readonly kind: "columns"; readonly columns: readonly StatementColumn[] }
  | { readonly kind: "end" }
  /** `code` is SQLite's extended result code; absent for other failures. */
  | { readonly kind: "failed"; readonly code?: number; readonly message: string };

/** The signal with which a reader ends itself when it needs too much memory. Node leaves it to the system. */
export const memorySignal = "SIGTERM";

/** Blocks that a reader sends before it waits for `more`. */
export const blocksAhead = 2;
