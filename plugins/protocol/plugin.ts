import type { AnsweredBatch, Batch } from "./batch.ts";
import type { Capabilities } from "./capabilities.ts";
import type { Column, Dataset } from "./dataset.ts";
import type { Filter } from "./filter.ts";
import type { Query } from "./query.ts";
import type { Statement } from "./statement.ts";
import type { Write } from "./write.ts";

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
export interface User {
  readonly id: string;
  readonly name: string;
  /** Email address of the user; empty if the address is not known. */
  readonly email: string;
  /** Properties of the user that the organization has set. Absent: none. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/**
 * How the connection to a source is protected: `verified` means TLS with a checked certificate, `encrypted` means TLS
 * with any certificate, which an attacker in between can decrypt, and `clear` means no encryption.
 */
export const encryptions = ["verified", "encrypted", "clear"] as const;
/** The protection of a connection to a source. */
export type Encryption = (typeof encryptions)[number];

/** The answer of a source that accepts the credentials. */
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
   * Whether the call is scheduled work that nobody is waiting for. It runs after all queries that people wait for.
   * @default false
   */
  readonly isBackground?: boolean;
}

/** The members of every call. */
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

/** A dataset as the host knows it. */
export interface KnownDataset extends Pick<Dataset, "id" | "columns"> {
  /**
   * The SQL statement whose rows form the dataset. The host then assigns the dataset's id. Only plugins with `describe`
   * receive these datasets, which are never joined to others. Absent: the dataset is one of the plugin's own.
   */
  readonly statement?: Statement;
}

/** The arguments of `query`. */
export interface QueryCall extends Call {
  readonly query: Query;
  /**
   * The dataset as the caller knows it, for adapters of sources whose answers have no types. Absent if it is not known.
   */
  readonly dataset?: KnownDataset;
  /**
   * Queries to other datasets of the plugin that the same answer needs. Adapters can announce these queries to their
   * source.
   */
  readonly alongside?: readonly Pick<Query, "id" | "filters">[];
  /** Filters that a source may use to send fewer rows, even if the plugin promises no filters. */
  readonly hints?: readonly Filter[];
  /**
   * Receives rows before the answer is complete, in their order. The answer then contains only the remaining rows, so a
   * long answer is never completely in memory. The promise resolves when more rows may be sent. A call that has passed
   * on rows must fail rather than start again. Absent: the answer contains all rows.
   */
  readonly append?: AppendRows;
}

/** Receives the next rows of an answer, with all its columns. */
export type AppendRows = (rows: Batch) => Promise<void>;

/** The arguments of `scan`. */
export interface ScanCall extends QueryCall {
  /**
   * Receives the next rows, with one column per entry of `query.columns`. The plugin must wait for the promise before
   * it sends more rows. It must not use the arrays again, because they then belong to the receiver.
   */
  readonly take: (rows: Batch) => Promise<void>;
}

/** The size of a dataset. */
export interface DatasetSize {
  readonly rowCount: number;
  /** The number of distinct strings in each text column, or a slightly higher number, by column id. */
  readonly textCounts: ReadonlyMap<string, number>;
}

/** The capabilities that work with the credentials of a call, as found by probing the source. */
export interface ProbedCapabilities {
  /** The capabilities that work with these credentials. They are a subset of the plugin's `capabilities`. */
  readonly capabilities: Capabilities;
  /**
   * The capabilities that do not work, each with a reason. Reasons are shown to people, so they must not contain
   * secrets.
   */
  readonly demoted: readonly Demotion[];
  /**
   * Sentences that say what an administrator should change about these credentials, such as a role that may write. The
   * account and `manifold doctor` show them, so they must not contain secrets. Absent: nothing needs to change.
   */
  readonly warnings?: readonly string[];
}

/** A capability that the host does not use, and the reason. */
export interface Demotion {
  /** Path of the capability, such as `grouping.timezones`, or the name of a flag in the plugin's record. */
  readonly capability: string;
  /** The reason as a phrase, such as "weeks do not start on Monday", which is shown to people. */
  readonly reason: string;
}

/** The arguments of `exchange`. */
export interface ExchangeCall extends Call {
  /** The authorization code of the OAuth2 provider. */
  readonly code: string;
}

/** The arguments of `describe`. */
export interface DescribeCall extends Call {
  readonly statement: Statement;
}

/** The arguments of `write`. */
export interface WriteCall extends Call {
  readonly write: Write;
}

/** The state of a dataset after a write. */
export interface WriteResult {
  /** Number of rows of the dataset. */
  readonly rowCount: number;
  /** A version key of the dataset, which differs after every change. */
  readonly version: string;
}

/** The files of a source at one moment, readable until `end`. */
export interface FilesSnapshot {
  /** Absolute path of the folder that contains the files. */
  readonly folder: string;
  /** The files, relative to `folder`. Only the first `sizeBytes` of each file belong to the snapshot. */
  readonly files: readonly { readonly name: string; readonly sizeBytes: number }[];
  /** Releases the files. May be called more than once. */
  end(): Promise<void>;
}

/**
 * A data source. Every method takes one argument object and must throw only `PluginError`. The host never sends a
 * clause that `capabilities` does not promise, or that `capabilitiesOf` does not promise if the plugin has it. A plugin
 * must not keep state that shows one caller anything of another.
 */
export interface Plugin {
  /** The clauses of a query that the plugin carries out itself; `{}` for a basic plugin. */
  readonly capabilities: Capabilities;
  /**
   * Flags in the plugin's record that the host cannot use, for people. Only adapters of older protocol versions have
   * them.
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
  datasets(call: Call): Promise<readonly Dataset[]>;
  /**
   * Answers a query with one column per entry of `query.columns`, in that order. A basic plugin (without `projection`)
   * answers with one column per column of the dataset.
   * @throws {PluginError} PLUGIN_UNKNOWN_DATASET, PLUGIN_UNKNOWN_COLUMN; PLUGIN_NOT_OFFERED for a clause that does not
   * work, so that the host fetches plain rows instead
   */
  query(call: QueryCall): Promise<AnsweredBatch>;
  /**
   * Answers a query for plain rows (`pushdown: false`, without order and limit) in batches of bounded size. If the
   * source has snapshots, all batches come from the same snapshot. Filters apply as in `query`. The total number of
   * rows is not bounded, unlike with `append` of a query. Absent: the host reads all rows with `query`.
   */
  scan?(call: ScanCall): Promise<void>;
  /**
   * Probes the source and returns the capabilities that work with these credentials. The host calls this method at most
   * once a minute per connection. Absent: `capabilities` apply to all credentials.
   */
  capabilitiesOf?(call: Call): Promise<ProbedCapabilities>;
  /**
   * Checks the credentials. Absent: all credentials are accepted.
   * @throws {PluginError} PLUGIN_FORBIDDEN for wrong credentials
   */
  authorize?(call: Call): Promise<Authorized | undefined>;
  /** Exchanges an OAuth2 code for the provider's credentials. Absent: the plugin does not support OAuth2. */
  exchange?(call: ExchangeCall): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Describes the columns of a statement without executing all of it. Absent: the plugin does not support statements.
   * @throws {PluginError} PLUGIN_INVALID unless the text is a single statement that only reads
   */
  describe?(call: DescribeCall): Promise<readonly Column[]>;
  /**
   * Carries out one write completely, or fails and changes nothing. Needs the capability `write`.
   * @throws {PluginError} PLUGIN_UNKNOWN_DATASET, PLUGIN_UNKNOWN_COLUMN, PLUGIN_CONFLICT, PLUGIN_INVALID
   */
  write?(call: WriteCall): Promise<WriteResult>;
  /**
   * Takes a snapshot of the source's files for a backup, while the source keeps running. Copies of these files, each
   * truncated to its size in the snapshot, restore the source as of that moment. Absent: the source has no files on
   * this host.
   */
  snapshot?(): Promise<FilesSnapshot>;
  /**
   * Releases the plugin's resources for credentials that are no longer used, such as a pool. Running calls may still
   * finish.
   */
  release?(credentials: Credentials): Promise<void>;
  /** Returns metrics for the operator, by name. Only for plugins in the host's process. */
  figures?(): Readonly<Record<string, number>>;
  /** Resolves if the source responds, and rejects otherwise. Absent: the plugin counts as healthy. */
  health?(call: Pick<Call, "signal">): Promise<void>;
  /** Releases everything that the plugin has opened. */
  close?(): Promise<void>;
}
