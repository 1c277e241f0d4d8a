/** The errors of the engine: codes and messages. They have no HTTP status, because the engine does not use HTTP. */
export const engineErrors = {
  STORE_LOCKED: "the folder %s is in use by another process (%s)",
  STORE_CLOSED: "the store is closed",
  STORE_WRITE_FAILED: "the store could not write: %s",
  STORE_OUT_OF_MEMORY: "the store's memory budget of %s bytes is used up",
  STORE_BUSY: "too many queries are waiting (%s)",
  SNAPSHOT_OPEN: "a snapshot of the store is still open; wait until it is closed",
  FILE_CORRUPT: "the file %s is damaged: %s",
  FILE_VERSION: "the file %s has format version %s; this engine reads %s",
  TABLE_UNKNOWN: "there is no table %s",
  TABLE_EXISTS: "the table %s already exists",
  TABLE_DAMAGED: "the table %s cannot be read: %s",
  COLUMN_UNKNOWN: "the table %s has no column %s",
  COLUMN_EXISTS: "the table %s already has a column %s",
  COLUMN_TYPE: "the column %s contains %s, not %s",
  BATCH_MALFORMED: "the batch is malformed: %s",
  VALUE_NOT_FINITE: "row %s of column %s is infinite; values must be finite numbers or null",
  JOIN_AMBIGUOUS:
    "the column %s of the table %s has the value %s more than once, so rows cannot be joined to it",
  INGEST_MALFORMED: "the %s is malformed at byte %s: %s",
  INGEST_CELL: "row %s, column %s (%s): %s",
  QUERY_CANCELLED: "the query was cancelled",
  QUERY_PLAN: "the plan is not valid: %s",
  QUERY_OUT_OF_MEMORY: "the query needed more memory than a worker has",
  QUERY_TEXTS_LARGE:
    "the strings that %s returns come to more than %s characters in total; shorten them, or call the function on fewer distinct values",
  WORKER_FAILED: "a worker failed: %s",
} as const;

/** The code of an engine error: a key of `engineErrors`. */
export type EngineErrorCode = keyof typeof engineErrors;

/** An error of the engine or its store. `code` is stable; the wording of `message` may change. */
export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly code: EngineErrorCode;
  readonly details: readonly (string | number)[];

  constructor(
    code: EngineErrorCode,
    details: readonly (string | number)[] = [],
    options?: ErrorOptions,
  ) {
    let index = 0;
    super(
      engineErrors[code].replaceAll("%s", () => String(details[index++])),
      options,
    );
    this.code = code;
    this.details = details;
  }
}
