import type {
  Batch,
  Column,
  Credentials,
  DataType,
  Encryption,
  Tenant,
} from "../protocol/index.ts";

/** A statement as a driver takes it. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A column of a table, as the catalog of the database describes it. */
export interface SqlColumn {
  readonly name: string;
  /** The type in the database's own words, such as `character varying(20)`; the dialect reads it. */
  readonly nativeType: string;
  readonly type: DataType;
  readonly subtype?: Column["subtype"];
  /** The collation of a text, where the database has one for each column. */
  readonly collation?: string;
  readonly narrowed?: Column["narrowed"];
}

/** A table, a view, or anything else that can be selected from. */
export interface SqlTable {
  readonly schema: string;
  readonly name: string;
  readonly kind: "table" | "view" | "materialized view" | "foreign table" | "partitioned table";
  readonly description?: string;
  /** An estimate of the database; absent where it has none. */
  readonly rows?: number;
  readonly columns: readonly SqlColumn[];
}

/** One connection to a database, set up for reading. */
export interface SqlSession {
  /** How the connection is protected; absent where there is no network between. */
  readonly encryption?: Encryption | undefined;
  /** Differs when a table may have changed, where that costs little to know; tables are then described again. */
  readonly schemaVersion?: string;
  /**
   * Returns a text that differs when the columns of a select do; absent where `schemaVersion` says it, or where a
   * column that is read as another type fails. It costs a round trip, and no row is read.
   */
  shapeOf?(select: Statement, signal: AbortSignal): Promise<string>;
  /**
   * Runs a statement; answers its rows in blocks, cells in the order of the select list. Aborting `signal` ends the
   * statement at the server. Leaving the loop early frees the cursor.
   */
  rows(statement: Statement, signal: AbortSignal): AsyncIterable<readonly (readonly unknown[])[]>;
  /**
   * Runs a select without values whose columns were written by `Dialect.typed`; answers its rows as columns of `types`,
   * in batches of at least `sizeBytes`. Absent where rows come as cells. Abort and leaving early as of `rows`.
   */
  batches?(
    text: string,
    types: readonly DataType[],
    sizeBytes: number,
    signal: AbortSignal,
  ): AsyncIterable<Batch>;
  /**
   * Called before a person's statement runs, and before `snapshot`; maybe several times. Where the database has
   * read-only transactions the statement runs in one, which is rolled back. Whatever it leaves in the session must be
   * gone before other work gets the session. Absent where a statement can leave nothing.
   */
  expose?(): void | Promise<void>;
  /** From now on all statements see one state of the database; absent where it has none. */
  snapshot?(): Promise<void>;
  /**
   * From now on statements may run as long as their caller waits, until the session is returned; absent where the
   * server sets them no deadline. Called before `snapshot`.
   */
  unhurried?(): Promise<void>;
}

/**
 * Reaches a database and lists its tables: the part of a connector beyond SQL. `Session` is the driver's own type: each
 * method gets a session that `use` of the same driver has given out.
 */
export interface SqlDriver<Session extends SqlSession = SqlSession> {
  /**
   * Runs work on a session that was set up (time zone UTC, read-only, deadlines), and returns the session to its pool.
   * Pools are per credentials and bounded; a session that failed is closed. A pool that all credentials share is
   * divided by the organization of `tenant`.
   * @throws {PluginError} PLUGIN_FORBIDDEN for credentials, PLUGIN_SOURCE_FAILED, PLUGIN_BUSY when the pool is used up,
   * PLUGIN_TIMEOUT. No message has a secret.
   */
  use<Result>(
    credentials: Credentials,
    signal: AbortSignal,
    run: (session: Session) => Promise<Result>,
    tenant?: Tenant,
  ): Promise<Result>;
  /** Lists what the credentials may select from, with its columns; `only` limits it to one. */
  tables(
    session: Session,
    signal: AbortSignal,
    only?: { readonly schema: string; readonly name: string },
  ): Promise<readonly SqlTable[]>;
  /** Describes a statement of a person without running it whole; `values` are those of its placeholders. */
  describe?(
    session: Session,
    statement: string,
    signal: AbortSignal,
    values: readonly unknown[],
  ): Promise<readonly SqlColumn[]>;
  /**
   * Returns a sentence for each right of the session's role beyond reading, such as "the role ada is a superuser, …",
   * with what to do. Looked up with the probes of the session; absent where the database has no roles.
   */
  warnings?(session: Session, signal: AbortSignal): Promise<readonly string[]>;
  /** Closes the pool of credentials that are used no more; sessions in use are closed when they come back. */
  release?(credentials: Credentials): Promise<void>;
  /** Names a failure of the database or the driver. */
  failure(thrown: unknown): Error;
  /** Returns whether a failure is the end of the connection, so that it says nothing about a table. */
  isLost?(thrown: unknown): boolean;
  close(): Promise<void>;
}
