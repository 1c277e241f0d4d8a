import type { AnsweredBatch, Batch } from "./batch.ts";
import type { Capabilities } from "./capabilities.ts";
import type { Column, Dataset } from "./dataset.ts";
import type { Filter } from "./filter.ts";
import type { Query } from "./query.ts";
import type { Statement } from "./statement.ts";
import type { Write } from "./write.ts";

/** The credentials of a connection's account, decrypted. Never logged. */
export interface Credentials {
  readonly host?: string;
  readonly key?: string;
  readonly token?: string;
  /** Custom properties by id, for plugins with `authorize: custom`. */
  readonly properties: Readonly<Record<string, string>>;
}

/** The user on whose behalf a call is made. */
export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/**
 * How the way to a source is protected: `verified` by TLS whose certificate is checked, `encrypted` by TLS with any
 * certificate, so that someone in between can read along, or `clear`.
 */
export const encryptions = ["verified", "encrypted", "clear"] as const;
export type Encryption = (typeof encryptions)[number];

/** The answer of a source that takes the credentials. */
export interface Authorized {
  /** Where a person has to agree first (OAuth2). */
  readonly authUrl?: string;
  /** Absent: not known, or there is no network between. */
  readonly encryption?: Encryption;
}

/** The organization and user of a call. A plugin in the host's process divides shared resources by them. */
export interface Tenant {
  readonly organization: string;
  readonly user: string;
  /** Scheduled work, for which nobody waits: it comes after all queries of people. Absent = no. */
  readonly isBackground?: boolean;
}

/** The members of every call. Aborting `signal` ends the call; the plugin stops as soon as it can. */
export interface Call {
  readonly credentials: Credentials;
  readonly user?: User;
  /** Set by the host, which knows who asks. It is neither sent to a plugin over HTTP nor read from such a call. */
  readonly tenant?: Tenant;
  readonly signal: AbortSignal;
}

/**
 * A dataset as the host knows it. With a `statement` its rows are the rows of the statement, and its id is of the
 * host's own; only plugins with `describe` are asked for it, and it is never joined in the plugin.
 */
export interface KnownDataset extends Pick<Dataset, "id" | "columns"> {
  readonly statement?: Statement;
}

export interface QueryCall extends Call {
  readonly query: Query;
  /** The dataset as the caller knows it, for adapters of sources whose answers carry no types. */
  readonly dataset?: KnownDataset;
  /** Queries to other datasets of the plugin for the same answer, for adapters of sources that are informed of them. */
  readonly alongside?: readonly Pick<Query, "id" | "filters">[];
  /**
   * Filters of the caller when the plugin promises none, for adapters whose sources receive them to send fewer rows.
   */
  readonly hints?: readonly Filter[];
  /**
   * Takes rows before the answer ends, in their order; the answer then has the rest, and a long one is never in memory
   * whole. Resolves when more may come. A call that gave rows fails where it would otherwise start again.
   */
  readonly append?: AppendRows;
}

/** Takes the first rows of an answer, with all its columns. */
export type AppendRows = (rows: Batch) => Promise<void>;
export interface ScanCall extends QueryCall {
  /**
   * Takes the next rows, one column per entry of `query.columns`. The source waits until it has resolved. Arrays are
   * given away: whoever takes them may change or free them.
   */
  readonly take: (rows: Batch) => Promise<void>;
}

/** The size of a dataset. */
export interface DatasetSize {
  readonly rowCount: number;
  /** For text columns, the number of different strings, or a number not far above it. */
  readonly textCounts: ReadonlyMap<string, number>;
}

/** Capabilities that a probe of a session found wanting. */
export interface ProbedCapabilities {
  /** The capabilities that hold for these credentials, at most the plugin's `capabilities`. */
  readonly capabilities: Capabilities;
  /** Each capability that was taken away, with the probe that failed. Shown to people: no secret. */
  readonly demoted: readonly Demotion[];
  /**
   * What an administrator should change about these credentials, one sentence each, such as a role that may write. The
   * account and `manifold doctor` show them: no secret. Absent = nothing.
   */
  readonly warnings?: readonly string[];
}

/** A capability that the host does not use, and why. */
export interface Demotion {
  /** Its path in the capabilities, such as `grouping.timezones`, or its name in the plugin's record. */
  readonly capability: string;
  readonly reason: string;
}

export interface ExchangeCall extends Call {
  readonly code: string;
}

export interface DescribeCall extends Call {
  readonly statement: Statement;
}

export interface WriteCall extends Call {
  readonly write: Write;
}

/** State of a written dataset. `version` differs after every change. */
export interface WriteResult {
  readonly rowCount: number;
  readonly version: string;
}

/** The files of a source at one moment, readable until `end`. */
export interface FilesSnapshot {
  readonly folder: string;
  /** The first `sizeBytes` of each file belong to the snapshot. */
  readonly files: readonly { readonly name: string; readonly sizeBytes: number }[];
  /** Safe to call again. */
  end(): Promise<void>;
}

/**
 * A data source. Every method takes one argument object and throws only `PluginError`; the host never asks for a clause
 * that `capabilities` does not promise, or `capabilitiesOf` where a plugin has it. A plugin must not keep state between
 * calls that one caller could see of another.
 */
export interface Plugin {
  readonly capabilities: Capabilities;
  /** Claims of its record that lead to no pushdown, for people. Adapters of other protocols have some. */
  readonly unused?: readonly Demotion[];
  /**
   * Returns the size of a dataset at once, without reading rows, for an estimate of a query's work. Undefined for an
   * unknown dataset; absent: sizes are not known. Only for plugins in the host's process.
   */
  sizeOf?(datasetId: string): DatasetSize | undefined;
  /** Lists what the credentials may see. */
  datasets(call: Call): Promise<readonly Dataset[]>;
  /**
   * Answers a query: one column per entry of `query.columns`, in that order; of a basic plugin (no
   * `projection`) one per column of the dataset.
   */
  query(call: QueryCall): Promise<AnsweredBatch>;
  /**
   * Answers a query for plain rows (`pushdown: false`, no order, no limit) in batches of bounded size, all of one
   * state of the source where it has states. It applies filters as `query` does. Unlike `append` of a query, it has no
   * bound on all rows together. Absent: `query` answers all at once.
   */
  scan?(call: ScanCall): Promise<void>;
  /**
   * Probes the source and answers the capabilities that hold for these credentials; the host asks once a minute.
   * Absent: `capabilities` hold for all.
   */
  capabilitiesOf?(call: Call): Promise<ProbedCapabilities>;
  /** Refuses with PLUGIN_FORBIDDEN when the credentials are not good; absent = every credential is. */
  authorize?(call: Call): Promise<Authorized | undefined>;
  /** Trades an OAuth2 code for the provider's credentials. */
  exchange?(call: ExchangeCall): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Describes the columns of a statement without running it whole; absent = statements are not offered.
   * @throws {PluginError} PLUGIN_INVALID for a text that is not one statement that only reads
   */
  describe?(call: DescribeCall): Promise<readonly Column[]>;
  write?(call: WriteCall): Promise<WriteResult>;
  /**
   * Keeps the files of the source as they are now, for a backup, while the source goes on. A folder that holds them
   * alone, each cut to its size, is the source of that moment. Absent: the source has no files of this host.
   */
  snapshot?(): Promise<FilesSnapshot>;
  /** Ends what the plugin keeps for credentials that are used no more, such as a pool; calls under way may finish. */
  release?(credentials: Credentials): Promise<void>;
  /** Numbers for whoever runs the host, by name; of plugins in its process alone. */
  figures?(): Readonly<Record<string, number>>;
  /** Resolves when the source answers. */
  health?(call: Pick<Call, "signal">): Promise<void>;
  close?(): Promise<void>;
}
