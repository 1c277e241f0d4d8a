import type { ConnectionOverride, Principal } from "./principal.ts";
import type { ResourceRow } from "./records.ts";
import type {
  AccountProperty,
  AnsweredBatch,
  Authorized,
  AppendRows,
  Batch,
  Capabilities,
  Column,
  DataType,
  Dataset,
  DatasetSize,
  Demotion,
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

/** The context of a call to a connection. */
export interface Caller {
  readonly user?: User;
  /** The tenant whose share of the machine the call uses. */
  readonly tenant?: Tenant;
  readonly signal: AbortSignal;
  /** For a query: the queries to the plugin's other datasets that contribute to the same answer. */
  readonly alongside?: readonly Pick<Query, "id" | "filters">[];
  /** For a query to a plugin without filters: the filters that the host will test on its rows. */
  readonly hints?: readonly Filter[];
  /** For a query of plain rows: receives rows before the answer is complete; see `QueryCall`. */
  readonly append?: AppendRows;
}

/**
 * A plugin bound to the credentials of an account. The rest of the core calls plugins only through it. Calls have a
 * deadline. Answers are checked for shape, width, types and size. Every error is a PluginError whose message names the
 * connection.
 */
export interface Connection {
  /** The plugin's slug, for messages. */
  readonly name: string;
  /** A hash that two connections share exactly if they reach the same source with the same credentials. Safe to log. */
  readonly fingerprint: string;
  readonly capabilities: Capabilities;
  /**
   * Returns the capabilities that these credentials have, cached for a minute. They replace `capabilities`. If absent,
   * `capabilities` apply.
   */
  capabilitiesOf?(caller: Caller): Promise<ProbedCapabilities>;
  /** Returns the size of a dataset if the plugin knows it without reading rows. */
  sizeOf?(datasetId: string): DatasetSize | undefined;
  /** Claims of the plugin's record that are not used for pushdown, each with the reason. */
  readonly unused?: readonly Demotion[];
  /**
   * Whether tests of this package have verified the plugin's `capabilities`. `core/queries` checks the answers of any
   * other plugin.
   */
  readonly isVerified: boolean;
  /**
   * Claims that the conformance kit proved for the plugin's current declaration. Absent for plugins of this package.
   */
  readonly proved?: ReadonlySet<string>;
  /** Column types that are not used as group keys because the host relies only on proved claims. Absent: none. */
  readonly unprovedKeys?: readonly DataType[];
  /**
   * Fails if the connection has expired. Callers must check this before they use a cached answer.
   * @throws {PluginError} PLUGIN_FORBIDDEN
   */
  refuseExpired?(): void;
  /**
   * @throws {PluginError} PLUGIN_FORBIDDEN for invalid credentials. Its `authUrl` is the page on which a person must
   * consent first (OAuth2).
   */
  authorize(caller: Caller): Promise<Authorized | undefined | void>;
  /** Exchanges an OAuth2 code for the provider's credentials. Absent for plugins without OAuth2. */
  exchange?(code: string, caller: Caller): Promise<Readonly<Record<string, unknown>>>;
  datasets(caller: Caller): Promise<readonly Dataset[]>;
  /** Runs a query. `dataset` is the dataset as the catalog knows it; the answer must match its widths and types. */
  query(query: Query, dataset: KnownDataset, caller: Caller): Promise<AnsweredBatch>;
  /**
   * Runs a query for plain rows and returns them in batches, each checked like an answer. The deadline applies to the
   * wait for each batch. Absent if the plugin returns all rows at once.
   */
  scan?(
    query: Query,
    dataset: KnownDataset,
    caller: Caller,
    take: (rows: Batch) => Promise<void>,
  ): Promise<void>;
  /** Returns the columns of a statement. Absent if the source does not accept statements. */
  describe?(statement: Statement, caller: Caller): Promise<readonly Column[]>;
  /** @throws {PluginError} PLUGIN_NOT_OFFERED if the plugin does not accept writes */
  write(write: Write, caller: Caller): Promise<WriteResult>;
}

/** Members of an account that a connection needs. */
export interface AccountValues {
  readonly provider: string;
  readonly host?: string | null;
  readonly port?: string | null;
  readonly scope?: string | null;
  readonly identifier?: string | null;
  readonly token?: string | null;
  readonly properties?: Readonly<Record<string, unknown>> | null;
}

/** A plugin, as the conformance kit checks it. */
export interface PluginUnderCheck {
  readonly connection: Connection;
  readonly protocolVersion: ProtocolVersion;
  /** A hash of the plugin's declaration. A check is valid as long as the hash stays the same. */
  readonly declaration: string;
}

/** Statistics of the calls of a plugin since this process started. */
export interface PluginCalls {
  readonly since: string;
  readonly calls: number;
  readonly failures: number;
  /** Time of the last call; null before the first. */
  readonly last_at: string | null;
  /** Percentiles of the last thousand calls of an organization; null before the first. */
  readonly milliseconds: { readonly p50: number | null; readonly p95: number | null };
}

/** A kind of source that accounts can name as their provider. */
export interface Provider {
  /** The value of `account.provider`. */
  readonly provider: string;
  readonly kind: "connector" | "plugin";
  /** The name of a plugin; null for a connector. */
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
   * Datasets and copies that are in another store of this host: the id of each and its store. `manifold move` removes
   * them one by one. Absent if there is no other store.
   */
  readonly elsewhere?: Map<string, Connection>;
  /** The plugin (Strata) that runs residuals over temporary datasets. */
  readonly scratch: Connection;
  /**
   * Opens the connection of an account. `override` contains the members that a token replaces.
   * @throws {ApiError} RECORD_NOT_FOUND if the account does not exist
   * @throws {PluginError} PLUGIN_FORBIDDEN if the account is inactive or has expired
   */
  ofAccount(accountId: string, override?: ConnectionOverride): Promise<Connection>;
  /**
   * Opens the connection that an account would use, before the account is stored. Secrets are plain text here. If a
   * plugin that the caller may use and a connector have the same name, the plugin is used.
   * @throws {ApiError} MEMBER_INVALID if `provider` names neither
   */
  candidate(account: AccountValues, principal: Principal): Promise<Connection>;
  /**
   * Opens a new connection to a plugin for the conformance kit, with everything that the plugin promises.
   * @throws {ApiError} RECORD_NOT_FOUND if the plugin or its account does not exist
   * @throws {PluginError} PLUGIN_FORBIDDEN if the account is inactive or has expired
   */
  underCheck(pluginId: string, accountId?: string): Promise<PluginUnderCheck>;
  /**
   * Refuses an account that cannot work, because this host may not call its address or a member cannot be sent as a
   * header. Does not call the source. A host name that does not resolve is accepted.
   * @throws {ApiError} MEMBER_INVALID with the path of the member
   * @throws {PluginError} PLUGIN_INVALID with the path of the member
   */
  refuseCandidate(account: AccountValues, principal: Principal): Promise<void>;
  /**
   * Refuses a URL that an organization may not call, before the URL is stored. A host name that does not resolve is
   * accepted, because the address is checked again when a socket connects.
   * @throws {ApiError} MEMBER_INVALID with the path
   */
  refuseAddress(
    address: string,
    of: { readonly path: string; readonly organizationId: string },
  ): Promise<void>;
  /** Returns the properties that accounts of a connector may have, or undefined if this host has no such connector. */
  connectorProperties(provider: string): Promise<readonly AccountProperty[] | undefined>;
  /**
   * Returns the providers that a caller may choose: connectors first, then plugins, each sorted by slug. With
   * `provider`, returns only that one, with its properties; a plugin of the same name takes precedence over a
   * connector.
   */
  providers(principal: Principal, provider?: string): Promise<readonly Provider[]>;
  /** Returns statistics of the calls that an organization made to a plugin, or that all organizations made. */
  callsOf(pluginId: string, organizationId?: string): PluginCalls;
  /** Closes what a connector keeps for an account, such as a pool, after the account was changed or deleted. */
  release(account: ResourceRow<"account">): Promise<void>;
  /** Resolves once every in-process plugin has responded. */
  health(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
