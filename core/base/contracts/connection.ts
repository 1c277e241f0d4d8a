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
  /** Whose share of the machine it uses. */
  readonly tenant?: Tenant;
  readonly signal: AbortSignal;
  /** For a query: the queries of the plugin's other datasets for the same answer. */
  readonly alongside?: readonly Pick<Query, "id" | "filters">[];
  /** For a query to a plugin without filters: the filters that the host tests in its rows. */
  readonly hints?: readonly Filter[];
  /** For a query of plain rows: takes rows before the answer ends, see `QueryCall`. */
  readonly append?: AppendRows;
}

/**
 * A plugin with an account's credentials bound. The rest of the core calls plugins through it alone. Calls have a
 * deadline; answers are checked for shape, width, types and size; every error is a PluginError whose message
 * names the connection.
 */
export interface Connection {
  /** For messages: the plugin's slug. */
  readonly name: string;
  /** Equal for two connections exactly if they reach the same source with the same credentials; a hash, safe to log. */
  readonly fingerprint: string;
  readonly capabilities: Capabilities;
  /**
   * Returns the capabilities that hold for these credentials, in the place of `capabilities`; absent: those hold. Kept
   * for a minute.
   */
  capabilitiesOf?(caller: Caller): Promise<ProbedCapabilities>;
  /** Returns the size of a dataset, if the plugin knows it without reading rows. */
  sizeOf?(datasetId: string): DatasetSize | undefined;
  /** Claims of the plugin's record that lead to no pushdown, with the reason. */
  readonly unused?: readonly Demotion[];
  /**
   * Tests have verified that the plugin does what `capabilities` promise. `core/queries` checks the answers of any
   * other plugin.
   */
  readonly isVerified: boolean;
  /** Claims that the kit has proved of the plugin as it declares itself now. Absent for plugins of this package. */
  readonly proved?: ReadonlySet<string>;
  /** Types of columns that are no group keys, since the host uses proved claims alone. Absent: none. */
  readonly unprovedKeys?: readonly DataType[];
  /**
   * Refuses a connection that has expired, whose answers must not come from memory either.
   * @throws {PluginError} PLUGIN_FORBIDDEN
   */
  refuseExpired?(): void;
  /**
   * @throws {PluginError} PLUGIN_FORBIDDEN for credentials that are not good. `authUrl`: where a person has to agree
   * first (OAuth2).
   */
  authorize(caller: Caller): Promise<Authorized | undefined | void>;
  /** Trades an OAuth2 code for the provider's credentials; absent for plugins that do not. */
  exchange?(code: string, caller: Caller): Promise<Readonly<Record<string, unknown>>>;
  datasets(caller: Caller): Promise<readonly Dataset[]>;
  /**
   * Answers a query. `dataset` is its dataset as the catalog knows it: the answer must have its widths and types.
   */
  query(query: Query, dataset: KnownDataset, caller: Caller): Promise<AnsweredBatch>;
  /**
   * Answers a query for plain rows in batches, each checked as an answer. The deadline of a call bounds the wait for
   * each batch. Absent where the plugin answers only at once.
   */
  scan?(
    query: Query,
    dataset: KnownDataset,
    caller: Caller,
    take: (rows: Batch) => Promise<void>,
  ): Promise<void>;
  /** Describes the columns of a statement; absent where the source takes none. */
  describe?(statement: Statement, caller: Caller): Promise<readonly Column[]>;
  /** @throws {PluginError} PLUGIN_NOT_OFFERED when the plugin cannot be written to */
  write(write: Write, caller: Caller): Promise<WriteResult>;
}

/** The members of an account that a connection needs. */
export interface AccountValues {
  readonly provider: string;
  readonly host?: string | null;
  readonly port?: string | null;
  readonly scope?: string | null;
  readonly identifier?: string | null;
  readonly token?: string | null;
  readonly properties?: Readonly<Record<string, unknown>> | null;
}

/** A plugin that the kit checks. */
export interface PluginUnderCheck {
  readonly connection: Connection;
  readonly protocolVersion: ProtocolVersion;
  /** A hash of what the plugin declares. A check holds for as long as this stays the same. */
  readonly declaration: string;
}

/** The calls of a plugin since this process began. */
export interface PluginCalls {
  readonly since: string;
  readonly calls: number;
  readonly failures: number;
  /** The instant of the last call; null before the first. */
  readonly last_at: string | null;
  /** The percentiles of the last thousand calls of an organization; null before the first. */
  readonly milliseconds: { readonly p50: number | null; readonly p95: number | null };
}

/** A kind of source that accounts may name as their provider. */
export interface Provider {
  /** The value of `account.provider`. */
  readonly provider: string;
  readonly kind: "connector" | "plugin";
  /** The name of a plugin; null for a connector. */
  readonly name: Multilingual | null;
  /** How a plugin is authorized; null for a connector. */
  readonly authorize: string | null;
  /** The members that accounts may have; null for a connector whose properties are not asked for. */
  readonly properties: readonly object[] | null;
}

/** The connections that this host can make. */
export interface Connections {
  /** The writable plugin that holds pushed data (`config.store`). */
  readonly store: Connection;
  /** The other stores of this host; absent: there is none. */
  readonly others?: readonly Connection[];
  /**
   * The datasets and copies that another store of this host holds, by id, each with that store: a move takes them out
   * one by one. Absent: there is no other store.
   */
  readonly elsewhere?: Map<string, Connection>;
  /** The plugin that finishes residuals in temporary datasets: strata. */
  readonly scratch: Connection;
  /**
   * The connection of an account, with the members that a token replaces of it.
   * @throws {ApiError} RECORD_NOT_FOUND when the account does not exist
   * @throws {PluginError} PLUGIN_FORBIDDEN when the account is not active, or has expired
   */
  ofAccount(accountId: string, override?: ConnectionOverride): Promise<Connection>;
  /**
   * The connection that an account would make, before it is stored; its secrets are plain text here.
   * A plugin that the caller may use comes before a connector of the same name.
   * @throws {ApiError} MEMBER_INVALID when `provider` names neither
   */
  candidate(account: AccountValues, principal: Principal): Promise<Connection>;
  /**
   * The connection of a plugin's record for the kit: opened anew, with all that the plugin promises.
   * @throws {ApiError} RECORD_NOT_FOUND when the plugin, or its account, does not exist
   * @throws {PluginError} PLUGIN_FORBIDDEN when the account is not active, or has expired
   */
  underCheck(pluginId: string, accountId?: string): Promise<PluginUnderCheck>;
  /**
   * Refuses an account that cannot work: its address may not be reached by this host, or a member cannot be sent as a
   * header. The source is not called, and a name that does not resolve passes.
   * @throws {ApiError} MEMBER_INVALID with the path of the member
   * @throws {PluginError} PLUGIN_INVALID with the path of the member
   */
  refuseCandidate(account: AccountValues, principal: Principal): Promise<void>;
  /**
   * Refuses a URL that an organization may not reach, before anything is stored with it. A name that does not resolve
   * passes: the address is checked again when a socket connects.
   * @throws {ApiError} MEMBER_INVALID with the path
   */
  refuseAddress(
    address: string,
    of: { readonly path: string; readonly organizationId: string },
  ): Promise<void>;
  /** Returns what accounts of a connector may have; undefined when the provider is no connector of this host. */
  connectorProperties(provider: string): Promise<readonly AccountProperty[] | undefined>;
  /**
   * Lists the providers that a caller may choose from, or the one that is named, with its properties: a plugin that the
   * caller may use comes before a connector of the same name. Connectors first, each group by its slug.
   */
  providers(principal: Principal, provider?: string): Promise<readonly Provider[]>;
  /** Returns the calls of a plugin that an organization made, or that all made. */
  callsOf(pluginId: string, organizationId?: string): PluginCalls;
  /** Ends what a connector keeps for an account that was changed or deleted, such as a pool. */
  release(account: ResourceRow<"account">): Promise<void>;
  /** Resolves when every in-process plugin answers. */
  health(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
