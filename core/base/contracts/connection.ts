import type { AskablePlugin, PluginVersion } from "./pluginVersion.ts";
import type { ConnectionOverride, Principal } from "./principal.ts";
import type { ResourceRow } from "./records.ts";
import type {
  AccountProperty,
  AnsweredBatch,
  Authorized,
  AppendRows,
  Batch,
  BatchedWrite,
  Capabilities,
  Column,
  DataType,
  Dataset,
  DatasetSize,
  DecodedRows,
  Demotion,
  EncodedRows,
  Filter,
  KnownDataset,
  Multilingual,
  ProbedCapabilities,
  ProtocolVersion,
  Query,
  Statement,
  Tenant,
  User,
  Write,
  WriteResult,
} from "../../../plugins/protocol/index.ts";

/** Who calls a connection and for which query, with the signal that cancels the call. */
export interface Caller {
  readonly user?: User;
  /** The tenant whose share of the machine the call uses. */
  readonly tenant?: Tenant;
  readonly signal: AbortSignal;
  /** For a query: the queries to other datasets of the plugin that contribute to the same answer. */
  readonly alongside?: readonly Pick<Query, "id" | "filters">[];
  /** For a query to a plugin that applies no filters: the filters that the host will apply to the plugin's rows. */
  readonly hints?: readonly Filter[];
  /** For a query of plain rows: ids of columns that the host does not read (see `QueryCall`). */
  readonly unread?: readonly string[];
  /** For a query of plain rows: receives rows before the answer is complete (see `QueryCall`). */
  readonly append?: AppendRows;
}

/**
 * A plugin together with the credentials of an account. The rest of the core calls plugins only through connections.
 * Each call has a deadline. The connection checks the shape, width, types and size of answers. Every error is a
 * PluginError whose message names the connection.
 */
export interface Connection {
  /** The plugin's slug, for messages. */
  readonly name: string;
  /**
   * A hash that two connections share if and only if they reach the same source with the same credentials. The hash may
   * be logged.
   */
  readonly fingerprint: string;
  readonly capabilities: Capabilities;
  /** The protocol version in which the host calls a plugin over HTTP. Absent for plugins of this process. */
  readonly protocolVersion?: ProtocolVersion;
  /**
   * The first words of the reason that is shown if a clause is not pushed down because `capabilities` lacks it.
   * @default "the plugin does not promise"
   */
  readonly lack?: string;
  /**
   * Returns the capabilities that the plugin has with these credentials, cached for a minute. They replace
   * `capabilities`. If this method is absent, `capabilities` apply.
   */
  capabilitiesOf?(caller: Caller): Promise<ProbedCapabilities>;
  /** Returns the size of a dataset, if the plugin can determine the size without reading rows. */
  sizeOf?(datasetId: string): DatasetSize | undefined;
  /** Capabilities in the plugin's record that the host does not use for pushdown, each with the reason. */
  readonly unused?: readonly Demotion[];
  /**
   * Whether the host relies on the plugin's `capabilities`. True for plugins and connectors in the host's process,
   * because this package tests them or the operator chose them. `core/queries` checks the answers of any other plugin.
   */
  readonly isTrusted: boolean;
  /**
   * Whether a plugin that is not trusted may receive order and limit when no row filter applies. True if the operator
   * trusts the plugin's address, and the conformance kit has verified the plugin's current declaration.
   * @default false
   */
  readonly mayOrder?: boolean;
  /**
   * Why the plugin does not receive order and limit. Absent if the plugin may receive them, and for trusted plugins.
   */
  readonly orderRefusal?: string;
  /**
   * Capabilities that the conformance kit has proved for the plugin's current declaration. Absent for plugins of this
   * package.
   */
  readonly proved?: ReadonlySet<string>;
  /**
   * Capabilities that the conformance kit found wrong for the plugin's current declaration, each with the deviations,
   * such as "omits the group of null". Absent if there are none.
   */
  readonly disproved?: ReadonlyMap<string, string>;
  /**
   * Column types that are not used as group keys, because the host does not rely on the capability. `unused` contains
   * the reasons. Absent if there are none.
   */
  readonly unreliableKeys?: readonly DataType[];
  /**
   * Fails if the connection has expired. Callers must call this method before they use a cached answer.
   * @throws {PluginError} PLUGIN_FORBIDDEN
   */
  refuseExpired?(): void;
  /**
   * Checks the credentials.
   * @throws {PluginError} PLUGIN_FORBIDDEN for invalid credentials. The `authUrl` of this error is the page on which a
   * person must consent first (OAuth2).
   */
  authorize(caller: Caller): Promise<Authorized | undefined | void>;
  /** Exchanges an OAuth2 code for the provider's credentials. Absent for plugins without OAuth2. */
  exchange?(code: string, caller: Caller): Promise<Readonly<Record<string, unknown>>>;
  datasets(caller: Caller, only?: readonly string[]): Promise<readonly Dataset[]>;
  /**
   * Runs a query. `dataset` is the dataset as the catalog knows it; the answer must match the number and the types of
   * its columns.
   */
  query(query: Query, dataset: KnownDataset, caller: Caller): Promise<AnsweredBatch>;
  /**
   * Runs a query for plain rows and returns them in batches, each checked like an answer. The deadline applies to each
   * wait for a batch, not to the whole scan. Absent if the plugin can only answer queries.
   */
  scan?(query: Query, dataset: KnownDataset, caller: Caller, take: AppendRows): Promise<void>;
  /** Returns the columns of a statement. Absent if the source does not accept statements. */
  describe?(statement: Statement, caller: Caller): Promise<readonly Column[]>;
  /** Changes data at the source.
   * @throws {PluginError} PLUGIN_NOT_OFFERED if the plugin does not accept writes */
  write(write: Write, caller: Caller): Promise<WriteResult>;
  /**
   * Adds rows that arrive in batches, or replaces all rows with them, completely or not at all. Has no deadline. Absent
   * if the plugin can only write rows that are in memory.
   * @throws the errors of `batches`, unchanged
   */
  writeBatches?(
    write: BatchedWrite,
    batches: AsyncIterable<Batch>,
    caller: Caller,
  ): Promise<WriteResult>;
  /**
   * Decodes rows of JSON outside the main thread; undefined for rows that the caller must read itself. Absent if the
   * plugin cannot decode.
   */
  decode?(rows: EncodedRows, caller: Caller): Promise<DecodedRows | undefined>;
}

/** The members of an account that are needed to open a connection. */
export interface AccountValues {
  readonly provider: string;
  readonly host?: string | null;
  readonly port?: string | null;
  readonly scope?: string | null;
  readonly identifier?: string | null;
  readonly token?: string | null;
  readonly properties?: Readonly<Record<string, unknown>> | null;
}

/** A plugin for the conformance kit to check. */
export interface PluginUnderCheck {
  readonly connection: Connection;
  readonly protocolVersion: ProtocolVersion;
  /** A hash of the plugin's declaration. The result of a check is valid as long as the hash stays the same. */
  readonly declaration: string;
}

/** Statistics of the calls to a plugin since this process started. */
export interface PluginCalls {
  readonly since: string;
  readonly calls: number;
  readonly failures: number;
  /** Time of the last call; null before the first call. */
  readonly last_at: string | null;
  /** Percentiles of the duration of an organization's last thousand calls; null before the first call. */
  readonly milliseconds: { readonly p50: number | null; readonly p95: number | null };
}

/** A kind of source that accounts can name as their provider. */
export interface Provider {
  /** The value of `account.provider`. */
  readonly provider: string;
  readonly kind: "connector" | "plugin";
  /** The plugin's name; null for a connector. */
  readonly name: Multilingual | null;
  /** How accounts of a plugin are authorized; null for a connector. */
  readonly authorize: string | null;
  /** The members that accounts may have; null for a connector if the caller did not request them. */
  readonly properties: readonly object[] | null;
}

/** The connections that this host can open. */
export interface Connections {
  /** The writable plugin that stores pushed data (`config.store`). */
  readonly store: Connection;
  /** Other stores of this host; absent if there are none. */
  readonly others?: readonly Connection[];
  /**
   * Datasets and copies that are still in another store of this host: the id of each, and its store. `manifold move`
   * removes the entries one by one. Absent if there is no other store.
   */
  readonly elsewhere?: Map<string, Connection>;
  /** The plugin (Strata) that computes the parts of queries that were not pushed down, over temporary datasets. */
  readonly scratch: Connection;
  /**
   * Opens the connection of an account. `override` contains the members that a token replaces.
   * @throws {ApiError} RECORD_NOT_FOUND if the account does not exist
   * @throws {PluginError} PLUGIN_FORBIDDEN if the account is inactive or has expired
   */
  ofAccount(accountId: string, override?: ConnectionOverride): Promise<Connection>;
  /**
   * Opens the connection that an account would use, before the account is stored. The secrets of `account` are plain
   * text. If a connector and a plugin that the caller may use have the same name, the plugin is used.
   * @throws {ApiError} MEMBER_INVALID if `provider` names neither a plugin nor a connector
   */
  candidate(account: AccountValues, principal: Principal): Promise<Connection>;
  /**
   * Opens a new connection to a plugin for the conformance kit. The connection relies on everything that the plugin
   * promises.
   * @throws {ApiError} RECORD_NOT_FOUND if the plugin or its account does not exist
   * @throws {PluginError} PLUGIN_FORBIDDEN if the account is inactive or has expired
   */
  underCheck(pluginId: string, accountId?: string): Promise<PluginUnderCheck>;
  /**
   * Refuses an account that cannot work, because this host may not connect to its address or because a member cannot be
   * sent as a header. Does not call the source. Accepts a host name that does not resolve.
   * @throws {ApiError} MEMBER_INVALID with the path of the member
   * @throws {PluginError} PLUGIN_INVALID with the path of the member
   */
  refuseCandidate(account: AccountValues, principal: Principal): Promise<void>;
  /**
   * Refuses a URL to which an organization may not connect, before the URL is stored. Accepts a host name that does not
   * resolve, because the address is checked again when a socket connects.
   * @throws {ApiError} MEMBER_INVALID with the path
   */
  refuseAddress(
    address: string,
    of: { readonly path: string; readonly organizationId: string },
  ): Promise<void>;
  /**
   * Asks a plugin over HTTP which protocol version it speaks, by GET /capabilities. Takes a few seconds at most. If the
   * plugin fails or cannot be reached, the result says so; nothing is thrown.
   */
  askVersion(plugin: AskablePlugin): Promise<PluginVersion>;
  /** Returns the properties that accounts of a connector may have, or undefined if this host has no such connector. */
  connectorProperties(provider: string): Promise<readonly AccountProperty[] | undefined>;
  /**
   * Returns the providers that a caller may choose: connectors first, then plugins, each sorted by slug. With
   * `provider`, returns only the provider of that name, with its properties. A plugin takes precedence over a connector
   * with the same name.
   */
  providers(principal: Principal, provider?: string): Promise<readonly Provider[]>;
  /**
   * Returns statistics of the calls that an organization has made to a plugin. Without an organization, counts the
   * calls of all organizations.
   */
  callsOf(pluginId: string, organizationId?: string): PluginCalls;
  /**
   * Closes the resources that a connector keeps for an account, such as a pool. Called after the account was changed or
   * deleted.
   */
  release(account: ResourceRow<"account">): Promise<void>;
  /** Resolves once every in-process plugin has responded. */
  health(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
