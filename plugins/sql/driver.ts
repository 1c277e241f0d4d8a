import type {
  Batch,
  Column,
  Credentials,
  DataType,
  Encryption,
  Tenant,
} from "../protocol/index.ts";
import type { ColumnClock } from "./offsetSpans.ts";

/** A statement in the form that a driver accepts. */
export interface Statement {
  /** SQL with the dialect's placeholders. */
  readonly text: string;
  /** The values of the placeholders, in order. */
  readonly values: readonly unknown[];
}

/** A column of a table, as described by the database's catalog. */
export interface SqlColumn {
  readonly name: string;
  /** The native type as the database names it, such as `character varying(20)`. The dialect interprets this name. */
  readonly nativeType: string;
  /**
   * The logical type. A dialect must read an integer or a decimal as its digits if this type is `hierarchy`, because an
   * account may read numbers as text.
   */
  readonly type: DataType;
  /**
   * The clock on which datetimes without a zone are read.
   * @default the clock of UTC
   */
  readonly clock?: ColumnClock;
  readonly subtype?: Column["subtype"];
  /** The collation of a text column. Absent if the database has no collations of columns. */
  readonly collation?: string;
  /**
   * The largest absolute value that the database's statistics of an integer column mention. Statistics may be out of
   * date or cover only a sample. Absent if the database has none.
   */
  readonly largest?: number;
  /** The capabilities that do not apply to the column. Absent: all capabilities apply. */
  readonly narrowed?: Column["narrowed"];
}

/** A table, a view, or another object from which rows can be selected. */
export interface SqlTable {
  readonly schema: string;
  readonly name: string;
  readonly kind: "table" | "view" | "materialized view" | "foreign table" | "partitioned table";
  readonly description?: string;
  /** Number of rows as estimated by the database. Absent if the database has no estimate. */
  readonly rows?: number;
  /** Remarks for users who select tables. */
  readonly notes?: readonly string[];
  readonly columns: readonly SqlColumn[];
}

/** A connection to a database, set up for reading. */
export interface SqlSession {
  /** How the connection is protected. Absent if no network is involved. */
  readonly encryption?: Encryption | undefined;
  /**
   * A version key that changes when a table may have changed, so that tables are described again. Absent if the
   * database has no key of this kind that is cheap to read.
   */
  readonly schemaVersion?: string;
  /**
   * The IANA zone of the server's clock, if datetimes without a zone are stored as instants that were read on this
   * clock. Absent: they are stored as readings.
   */
  readonly clockZone?: string;
  /**
   * Returns a string that changes when the columns of a select change. This takes a round trip and reads no rows.
   * Absent if `schemaVersion` also changes in this case, or if the database refuses to read a column as another type.
   */
  shapeOf?(select: Statement, signal: AbortSignal): Promise<string>;
  /**
   * Runs a statement and returns its rows in blocks, with cells in the order of the select list. Aborting `signal`
   * cancels the statement on the server. Leaving the loop early frees the cursor.
   */
  rows(statement: Statement, signal: AbortSignal): AsyncIterable<readonly (readonly unknown[])[]>;
  /**
   * Runs a select without parameters whose columns were written by `Dialect.typed`. Returns its rows as columns of
   * `types`, in batches of about `sizeBytes`. Aborting the call or leaving the loop early has the same effect as in
   * `rows`. Absent: rows arrive as cells.
   */
  batches?(
    text: string,
    types: readonly DataType[],
    sizeBytes: number,
    signal: AbortSignal,
  ): AsyncIterable<Batch>;
  /**
   * Prepares the session for a statement that a person wrote. Called before the statement and before `snapshot`,
   * possibly several times. If the database has read-only transactions, the statement runs in one, which is rolled
   * back. Everything that the statement leaves behind in the session must be removed before other work gets the
   * session. Absent if statements cannot leave anything behind.
   */
  expose?(): void | Promise<void>;
  /** Makes all following statements see the same state of the database. Absent if the database has no snapshots. */
  snapshot?(): Promise<void>;
  /**
   * Lets the following statements run as long as their caller waits, until the session is returned. Called before
   * `snapshot`. Absent if the server sets no deadline for statements.
   */
  unhurried?(): Promise<void>;
}

/**
 * Connects to a database and lists its tables. A driver is the part of a connector that does not write SQL. `Session`
 * is the driver's own type. Each method receives a session that `use` of this driver provided.
 */
export interface SqlDriver<Session extends SqlSession = SqlSession> {
  /**
   * Runs work on a session with the time zone UTC, read-only access and deadlines, and returns the session to its pool.
   * Each account's credentials have a pool of limited size. A session whose work failed is closed. A pool that all
   * credentials share is divided between the organizations of `tenant`.
   * @throws {PluginError} PLUGIN_FORBIDDEN for wrong credentials, PLUGIN_SOURCE_FAILED, PLUGIN_BUSY if no session is
   * free, PLUGIN_TIMEOUT. Messages must not contain secrets.
   */
  use<Result>(
    credentials: Credentials,
    signal: AbortSignal,
    run: (session: Session) => Promise<Result>,
    tenant?: Tenant,
  ): Promise<Result>;
  /**
   * Lists the tables from which the credentials may select, with their columns. If `only` is given, lists only that
   * table.
   */
  tables(
    session: Session,
    signal: AbortSignal,
    only?: { readonly schema: string; readonly name: string },
  ): Promise<readonly SqlTable[]>;
  /**
   * Describes a person's statement without executing all of it. `values` are the values of its placeholders. Absent:
   * the database does not support people's statements.
   */
  describe?(
    session: Session,
    statement: string,
    signal: AbortSignal,
    values: readonly unknown[],
  ): Promise<readonly SqlColumn[]>;
  /**
   * Returns one sentence for each right of the session's role that goes beyond reading, such as "the role ada is a
   * superuser, …". The sentence includes advice on what to do about the right. The host calls this method when it
   * probes a session. Absent if the database has no roles.
   */
  warnings?(session: Session, signal: AbortSignal): Promise<readonly string[]>;
  /** Closes the pool of credentials that are no longer used. Sessions in use are closed when they are returned. */
  release?(credentials: Credentials): Promise<void>;
  /** Converts an error of the database or the driver. The result is usually a `PluginError`. */
  failure(thrown: unknown): Error;
  /**
   * Returns whether an error means that the connection was lost. Such an error says nothing about the table. Absent: no
   * error of this driver means a lost connection.
   */
  isLost?(thrown: unknown): boolean;
  close(): Promise<void>;
}
