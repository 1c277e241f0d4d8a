import Type, { type Static } from "typebox";
import type { AnsweredBatch, Batch } from "./batch.ts";
import { Capabilities } from "./capabilities.ts";
import type { DecodedRows, EncodedRows } from "./decodedRows.ts";
import type { Column, Dataset } from "./dataset.ts";
import type { Filter } from "./filter.ts";
import type { Query } from "./query.ts";
import { named, readonlyArray } from "./schemas.ts";
import type { Statement } from "./statement.ts";
import type { Write, WriteColumn } from "./write.ts";

/**
 * The decrypted credentials of an account. They must never be logged. A member is absent if the account has no value
 * for it.
 */
export interface Credentials {
  /** Server, address or path of the source. */
  readonly host?: string;
  /** User name or key. */
  readonly key?: string;
  /** Password or token. */
  readonly token?: string;
  /** Further properties of the account, by id. Empty if there are none. */
  readonly properties: Readonly<Record<string, string>>;
}

/** The user on whose behalf a call is made. */
export const User = Type.Object({
  /** Id of the user at the host. */
  id: Type.String(),
  /** Name of the user. */
  name: Type.String(),
  /** Email address of the user; empty if the address is not known. */
  email: Type.String(),
  /** Properties that the organization has set for the user. Absent: none. */
  metadata: Type.Optional(
    Type.Unsafe<Readonly<Record<string, unknown>>>(Type.Record(Type.String(), Type.Unknown())),
  ),
});
export interface User extends Readonly<Static<typeof User>> {}

/**
 * How the connection to a source is protected: `verified` means TLS with a checked certificate, `encrypted` means TLS
 * with any certificate, which an attacker in between can decrypt, and `clear` means that the connection is not
 * encrypted.
 */
export const encryptions = ["verified", "encrypted", "clear"] as const;
/** The protection of a connection to a source. */
export type Encryption = (typeof encryptions)[number];

/** The result of checking credentials that the source accepts. */
export interface Authorized {
  /** Address where a person must first give consent (OAuth2). Absent: consent is not needed. */
  readonly authUrl?: string;
  /** How the connection is protected. Absent if this is not known, or if no network is involved. */
  readonly encryption?: Encryption;
}

/** The organization and user of a call. A plugin in the host's process uses them to divide shared resources fairly. */
export interface Tenant {
  /** Id of the organization. */
  readonly organization: string;
  /** Id of the user. */
  readonly user: string;
  /**
   * Whether the call is scheduled work for which nobody waits. It runs after all queries for which people wait.
   * @default false
   */
  readonly isBackground?: boolean;
}

/** The members that every method's argument has. */
export interface Call {
  /** The decrypted credentials of the account. */
  readonly credentials: Credentials;
  /** The user on whose behalf the call is made. Absent if the user is not known. */
  readonly user?: User;
  /** The organization and user of the caller, set by the host. This member is never sent over HTTP. */
  readonly tenant?: Tenant;
  /** Cancels the call when aborted; the plugin must then stop as soon as it can. */
  readonly signal: AbortSignal;
}

/** A call of `datasets`. */
export interface DatasetsCall extends Call {
  /**
   * The ids of the datasets that the host needs. The plugin may leave out all others, and should if listing them takes
   * long. This member is never sent over HTTP. Absent: the host needs all datasets.
   */
  readonly only?: readonly string[];
}

/** A dataset as the host knows it: a dataset of the plugin, or the rows of a SQL statement. */
export interface KnownDataset extends Pick<Dataset, "id" | "columns"> {
  /**
   * The SQL statement whose rows form the dataset. The host then assigns the dataset's id. Only plugins with `describe`
   * receive these datasets. The host never joins them to other datasets. Absent: the dataset is one that the plugin
   * lists.
   */
  readonly statement?: Statement;
}

/**
 * A call of `query`: the query, its dataset as the host knows it, and other queries that the host sends for the same
 * answer.
 */
export interface QueryCall extends Call {
  readonly query: Query;
  /**
   * The dataset as the caller knows it, for adapters of sources whose answers have no types. Absent if the caller does
   * not know it.
   */
  readonly dataset?: KnownDataset;
  /**
   * Queries to the plugin's other datasets that the host sends for the same answer. Adapters can announce these queries
   * to their source.
   */
  readonly alongside?: readonly Pick<Query, "id" | "filters">[];
  /** Filters that a source may use to send fewer rows, even if the plugin promises no filters. */
  readonly hints?: readonly Filter[];
  /**
   * Ids of columns that the host does not read. A plugin without projection must still send them, but adapters may
   * replace their cells by nulls instead of checking them.
   * @default none
   */
  readonly unread?: readonly string[];
  /**
   * Receives the first rows of an answer before it is complete, in order, so that a long answer is never completely in
   * memory. The answer of `query` then contains only the remaining rows. The promise resolves when more rows may be
   * sent. A call that has passed rows to `append` must not start again if it fails. Absent: the answer contains all
   * rows.
   */
  readonly append?: AppendRows;
}

/**
 * Receives the next rows of an answer, with all columns of the answer. `share` is the part of all rows that has been
 * passed on, including these rows, from 0 to 1. It may be an estimate; absent: not known.
 */
export type AppendRows = (rows: Batch, share?: number) => Promise<void>;

/** A call of `scan`, whose rows the plugin passes to `take`. */
export interface ScanCall extends QueryCall {
  /**
   * Receives the next rows, with one column per entry of `query.columns`. The plugin must wait for the promise before
   * it sends more rows. It must not reuse the arrays of the batch, because they belong to the receiver. The host stops
   * a scan that passes on no rows for as long as a call may take.
   */
  readonly take: AppendRows;
  /**
   * Tells the host that the source is answering although it has no complete rows yet, so that the host waits as long
   * again. Absent: only rows count.
   */
  readonly alive?: () => void;
}

/** The size of a dataset. */
export interface DatasetSize {
  readonly rowCount: number;
  /** The number of distinct strings in each text column, by column id. Each number may be slightly too high. */
  readonly textCounts: ReadonlyMap<string, number>;
  /**
   * Whether `textCounts` includes strings of deleted rows, so that each number may be far too high.
   * @default false
   */
  readonly countsDeleted?: boolean;
}

/** A capability that the host does not use, and the reason. */
export const Demotion = Type.Object({
  /** Path of the capability, such as `grouping.timezones`, or the name of a capability flag in the plugin's record. */
  capability: Type.String(),
  /** The reason, shown to people as a phrase such as "weeks do not start on Monday". */
  reason: Type.String(),
});
export interface Demotion extends Readonly<Static<typeof Demotion>> {}

/** The capabilities that work with the credentials of a call, as found by probing the source. */
export const ProbedCapabilities = Type.Object({
  /** The capabilities that work with these credentials. They are a subset of the plugin's `capabilities`. */
  capabilities: named<Capabilities>(Capabilities),
  /**
   * The capabilities that do not work, each with a reason. Reasons are shown to people, so they must not contain
   * secrets.
   */
  demoted: readonlyArray(named<Demotion>(Demotion)),
  /**
   * Sentences that say what an administrator should change about these credentials, for instance if their role may
   * write. The account's page and `manifold doctor` show the sentences, which must not contain secrets. Absent: nothing
   * needs to change.
   */
  warnings: Type.Optional(readonlyArray(Type.String())),
});
export interface ProbedCapabilities extends Readonly<Static<typeof ProbedCapabilities>> {}

/** A call of `exchange`, with the code that an OAuth2 provider issued. */
export interface ExchangeCall extends Call {
  /** The authorization code of the OAuth2 provider. */
  readonly code: string;
}

/** A call of `describe`, with the statement whose columns the host needs to know. */
export interface DescribeCall extends Call {
  readonly statement: Statement;
}

/** A call of `write`, with the change that the plugin must carry out. */
export interface WriteCall extends Call {
  readonly write: Write;
}

/** A call of `writeBatches`: a change to the rows of a dataset, and the rows, which arrive in batches. */
export interface WriteBatchesCall extends Call {
  readonly write: BatchedWrite;
  /**
   * The rows, with the columns in the order of `write.columnIds`. The arrays of a batch may be used until the next
   * batch is requested. If the batches fail, the plugin must change nothing.
   */
  readonly batches: AsyncIterable<Batch>;
}

/** A change to the rows of a stored dataset, whose rows arrive in batches. */
export interface BatchedWrite {
  /** Whether the rows are added, or replace all rows. */
  readonly action: "append" | "replace";
  /** Id of the dataset. */
  readonly id: string;
  /** Ids of the filled columns. Any other column of the dataset is null in these rows. */
  readonly columnIds: readonly string[];
  /** For `replace`: the columns of the dataset from now on. Absent: the columns stay as they are. */
  readonly columns?: readonly WriteColumn[];
}

/** A call of `decode`, with the rows to decode. */
export interface DecodeCall extends Call {
  readonly rows: EncodedRows;
}

/** What an update did. The dataset has `inserted` - `deleted` rows more than before. */
export const UpdateCounts = Type.Object({
  /** Number of given rows that took the place of stored rows. */
  updated: Type.Integer({ minimum: 0 }),
  /** Number of given rows that were added, because no stored row had their key. */
  inserted: Type.Integer({ minimum: 0 }),
  /** Number of stored rows that are gone without another row in their place. */
  deleted: Type.Integer({ minimum: 0 }),
  /** Number of given rows that had no effect, because no stored row had their key. */
  ignored: Type.Integer({ minimum: 0 }),
});
export interface UpdateCounts extends Readonly<Static<typeof UpdateCounts>> {}

/** Why an update changed nothing. */
export const UpdateRefusal = Type.Object({
  /**
   * `missing`: no stored row has the keys of these rows, and the update refuses missing rows. `repeated`: several
   * stored rows have the key of each of these rows, which lack columns, so that values of stored rows would be lost.
   */
  reason: Type.Union([Type.Literal("missing"), Type.Literal("repeated")]),
  /** The given rows, counted from 0. */
  rows: readonlyArray(Type.Integer({ minimum: 0 })),
});
export interface UpdateRefusal extends Readonly<Static<typeof UpdateRefusal>> {}

/** The state of a dataset after a write. */
export const WriteResult = Type.Object({
  /** Number of rows of the dataset. */
  rowCount: Type.Integer({ minimum: 0 }),
  /** A version key of the dataset. Every change to the dataset changes the key. */
  version: Type.String(),
  /** What an update did; absent for other writes. */
  counts: Type.Optional(named<UpdateCounts>(UpdateCounts)),
  /** Why an update changed nothing; absent if it was carried out, and for other writes. */
  refused: Type.Optional(named<UpdateRefusal>(UpdateRefusal)),
});
export interface WriteResult extends Readonly<Static<typeof WriteResult>> {}

/** The files of a source at one moment, readable until `end`. */
export interface FilesSnapshot {
  /** Absolute path of the folder that contains the files. */
  readonly folder: string;
  /** The files, with paths relative to `folder`. Only the first `sizeBytes` of each file belong to the snapshot. */
  readonly files: readonly { readonly name: string; readonly sizeBytes: number }[];
  /** Releases the files. May be called more than once. */
  end(): Promise<void>;
}

/**
 * A data source. Every method takes one argument object and must throw only `PluginError`. The host sends only clauses
 * that `capabilities` promises. If the plugin has the method `capabilitiesOf`, the result of that method must also
 * promise them. A plugin must not keep state that could show one caller's data to another caller.
 */
export interface Plugin {
  /** The clauses of a query that the plugin carries out itself; `{}` for a basic plugin. */
  readonly capabilities: Capabilities;
  /**
   * Capability flags in the plugin's record that the host cannot use, each with a reason to show to people. Only
   * adapters of older protocol versions have them.
   */
  readonly unused?: readonly Demotion[];
  /**
   * Returns the size of a dataset immediately, without reading rows. The host uses it to estimate the work of a query.
   * Undefined for an unknown dataset. Only for plugins in the host's process. Absent: sizes are not known.
   */
  sizeOf?(datasetId: string): DatasetSize | undefined;
  /**
   * Lists the datasets that the credentials may see.
   * @throws {PluginError} PLUGIN_FORBIDDEN for wrong credentials
   */
  datasets(call: DatasetsCall): Promise<readonly Dataset[]>;
  /**
   * Answers a query with one column per entry of `query.columns`, in that order. A basic plugin (without `projection`)
   * answers with one column per column of the dataset.
   * @throws {PluginError} PLUGIN_UNKNOWN_DATASET, PLUGIN_UNKNOWN_COLUMN; PLUGIN_NOT_OFFERED for a clause that does not
   * work, so that the host fetches plain rows instead
   */
  query(call: QueryCall): Promise<AnsweredBatch>;
  /**
   * Answers a query for plain rows (`pushdown: false`, without order and limit) in batches of bounded size. If the
   * source has snapshots, all batches come from the same snapshot. Filters apply as in `query`. Unlike `query` with
   * `append`, a scan may return any number of rows. Only for plugins in the host's process, which include connector
   * packages. Absent: the host reads all rows with `query`.
   */
  scan?(call: ScanCall): Promise<void>;
  /**
   * Probes the source and returns the capabilities that work with these credentials. The host calls this method at most
   * once a minute per connection. Absent: `capabilities` apply to all credentials.
   */
  capabilitiesOf?(call: Call): Promise<ProbedCapabilities>;
  /**
   * Checks the credentials of the call. Absent: all credentials are accepted.
   * @throws {PluginError} PLUGIN_FORBIDDEN for wrong credentials
   */
  authorize?(call: Call): Promise<Authorized | undefined>;
  /** Exchanges an OAuth2 code for the provider's credentials. Absent: the plugin does not support OAuth2. */
  exchange?(call: ExchangeCall): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Describes the columns of a statement without executing all of it. Only for plugins in the host's process. Absent:
   * the plugin does not support statements.
   * @throws {PluginError} PLUGIN_INVALID unless the SQL text is a single statement that only reads
   */
  describe?(call: DescribeCall): Promise<readonly Column[]>;
  /**
   * Carries out one write completely, or fails and changes nothing. Needs the capability `write`.
   * @throws {PluginError} PLUGIN_UNKNOWN_DATASET, PLUGIN_UNKNOWN_COLUMN, PLUGIN_CONFLICT, PLUGIN_INVALID
   */
  write?(call: WriteCall): Promise<WriteResult>;
  /**
   * Adds rows that arrive in batches, or replaces all rows with them. All rows become visible at the same time and are
   * durable when the promise resolves, or nothing changes. Has no deadline. Only for plugins in the host's process.
   * Absent: the host writes each batch with `write`, which can only create datasets of many batches.
   * @throws {PluginError} as `write`
   */
  writeBatches?(call: WriteBatchesCall): Promise<WriteResult>;
  /**
   * Decodes rows of JSON outside the main thread, and stores nothing. Returns undefined for rows that are not valid
   * lists of numbers, strings and nulls; the host then reads them itself. Only for plugins in the host's process.
   * Absent: the host reads all rows itself.
   */
  decode?(call: DecodeCall): Promise<DecodedRows | undefined>;
  /**
   * Takes a snapshot of the source's files for a backup, while the source keeps running. Copies of these files, each
   * truncated to its size in the snapshot, restore the source as of that moment. Only for plugins in the host's
   * process. Absent: the source has no files on this host.
   */
  snapshot?(): Promise<FilesSnapshot>;
  /**
   * Releases the resources, such as a pool, that the plugin keeps for credentials that are no longer used. Running
   * calls may still finish. Only for plugins in the host's process.
   */
  release?(credentials: Credentials): Promise<void>;
  /** Returns metrics for the operator, by name. Only for plugins in the host's process. */
  figures?(): Readonly<Record<string, number>>;
  /** Resolves if the source responds, and rejects otherwise. Absent: the plugin counts as healthy. */
  health?(call: Pick<Call, "signal">): Promise<void>;
  /** Releases everything that the plugin has opened. */
  close?(): Promise<void>;
}
