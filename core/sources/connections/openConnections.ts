import { randomBytes } from "node:crypto";
import type { LookupFunction } from "node:net";
import {
  type Credentials,
  type Plugin,
  PluginError,
  type ProtocolVersion,
  protocolVersions,
} from "../../../plugins/protocol/index.ts";
import {
  type AccountValues,
  ApiError,
  type Config,
  type Connection,
  type Connections,
  featureFlags,
  type Records,
  type ResourceRow,
  type Source,
} from "../../base/index.ts";
import { createCallTimes } from "./callTimes.ts";
import { refuseUnconfirmed, withoutMovedSecrets } from "./confirmedSecrets.ts";
import { connect, type ConnectOptions } from "./connect.ts";
import { datasetsElsewhere } from "./datasetsElsewhere.ts";
import { connectorCredentials } from "./connectorCredentials.ts";
import { createConnectors } from "./connectors.ts";
import { createGrants, type Grant } from "./grants.ts";
import { openEgresses } from "./openEgresses.ts";
import { fingerprint } from "./fingerprint.ts";
import { type InProcess, type LoadedModule, openInProcess } from "./inProcess.ts";
import { namedError } from "./namedError.ts";
import { overHttp, type RemotePlugin } from "./overHttp/index.ts";
import { overrideConnector, overrideMembers } from "./overrideMembers.ts";
import { pluginCredentials } from "./pluginCredentials.ts";
import { refuseAddress } from "./refuseAddress.ts";
import { refuseCandidate } from "./refuseCandidate.ts";
import { createProviders } from "./createProviders.ts";
import { declarationOf, forgetStaleCheck, provedClaims, provedPlugin } from "./pluginProof.ts";
import { refuseLost } from "../../catalog/index.ts";

export interface ConnectionsOptions {
  readonly config: Config;
  readonly records: Records;
  /** The plugins of this process, when the caller has opened them; it closes them as well. */
  readonly plugins?: InProcess;
  /** Counts the calls of the host. */
  readonly metrics?: ConnectOptions["metrics"];
  /** Replaces the system's name resolution in tests. */
  readonly lookup?: LookupFunction;
  /** Replaces the modules of connectors in tests. */
  readonly loadConnector?: (path: string) => Promise<LoadedModule>;
}

/** The slug of the plugin that finishes residuals. */
const scratchSlug = "strata";

/** The address with which a token replaces a plugin's, and the grant under which it is called. */
interface Elsewhere {
  readonly baseUrl: string;
  readonly grant: Grant;
}

/** How long the capabilities of a remote plugin are taken for granted. */
const capabilitiesMs = 60_000;

/**
 * Opens the connections of a host: the store and the scratch in process, those of accounts when they
 * are asked for.
 * @throws {Error} when `config.store` names no plugin of this process that can be written to
 */
export async function openConnections(options: ConnectionsOptions): Promise<Connections> {
  const { config, records } = options;
  const sizeBytes = config.pluginAnswerMb * 2 ** 20;
  const timeoutMs = config.pluginTimeoutMs;
  const { lookup, loadConnector, metrics } = options;
  const grants = createGrants({ config, records });
  const egresses = openEgresses({
    grants,
    timeoutMs,
    sizeBytes,
    ...(lookup && { lookup }),
  });
  const connectors = createConnectors({
    config,
    hasFolders: grants.hasFolders,
    addressFor: (grant) => (host, port) => egresses.forGrant(grant).address(host, port),
    ...(loadConnector && { load: loadConnector }),
  });
  const inProcess = options.plugins ?? (await openInProcess(config));
  const providers = createProviders({ records, connectors, grants });
  const callTimes = createCallTimes();
  const hashKey = randomBytes(32);
  const opened = new Map<string, { readonly plugin: Promise<Plugin>; readonly until: number }>();

  const close = async () => {
    await connectors.close();
    egresses.close();
    if (!options.plugins) await inProcess.close();
  };
  const own = (slug: string, plugin: Plugin): Connection => {
    const credentials = { properties: {} };
    const print = fingerprint(hashKey, { slug }, credentials);
    return connect({
      name: slug,
      plugin,
      credentials,
      fingerprint: print,
      // The tests of this project prove the plugins of this process.
      isVerified: true,
      timeoutMs,
      sizeBytes,
      metrics,
    });
  };
  /** A plugin per record, opened again when the record changes or its capabilities grow old. */
  const openRemote = (remote: RemotePlugin, grant: Grant): Promise<Plugin> => {
    const egress = egresses.forGrant(grant);
    if (remote.protocolVersion !== "manifold-1") return overHttp(remote, egress);
    const { slug, baseUrl, secret, previousSecret, flags } = remote;
    const key = JSON.stringify([slug, baseUrl, secret, previousSecret, flags, grant.key]);
    const now = performance.now();
    for (const [name, { until }] of opened) if (until <= now) opened.delete(name);
    const known = opened.get(key);
    if (known) return known.plugin;
    const plugin = overHttp(remote, egress);
    opened.set(key, { plugin, until: now + capabilitiesMs });
    plugin.catch(() => opened.delete(key));
    return plugin;
  };
  const toRemote = async (
    row: ResourceRow<"plugin">,
    credentials: Credentials,
    {
      elsewhere,
      ...binding
    }: Pick<ConnectOptions, "expiresAt" | "noteRefused" | "noteWarnings"> & {
      readonly elsewhere?: Elsewhere;
    } = {},
  ): Promise<Connection> => {
    const remote = { ...remoteOf(row, records), ...(elsewhere && { baseUrl: elsewhere.baseUrl }) };
    // Use the grant of whoever chose the address: the record's organization, or the token account's.
    const grant = elsewhere?.grant ?? (await grants.of(row.organization_id));
    const print = fingerprint(hashKey, { ...remote, grantKey: grant.key }, credentials);
    const plugin = await openRemote(remote, grant).catch((failure: unknown) => {
      throw namedError(failure, remote.slug);
    });
    const declaration = declarationOf(remote, plugin.capabilities);
    const proved = provedClaims(row, declaration);
    // The address that a token names says nothing about the plugin of the record.
    if (!elsewhere) await forgetStaleCheck(row, declaration, records);
    return connect({
      name: remote.slug,
      ...(config.plugins === "verified" ? provedPlugin(plugin, proved) : { plugin }),
      proved,
      credentials,
      fingerprint: print,
      authorizesNobody: row.authorize === "none",
      encryption: /^https:/i.test(remote.baseUrl) ? "verified" : "clear",
      noteCall: (call) => callTimes.note(row.id, call),
      timeoutMs,
      sizeBytes,
      metrics,
      ...binding,
    });
  };

  /** A connector with an account's credentials; undefined where the provider is none. */
  const toConnector = async (
    slug: string,
    values: AccountValues,
    grant: Grant,
    binding: Pick<ConnectOptions, "expiresAt" | "noteRefused" | "noteWarnings"> = {},
  ): Promise<Connection | undefined> => {
    const declared = await connectors.properties(slug);
    const plugin = await connectors.plugin(slug, grant);
    if (!declared || !plugin) return undefined;
    const credentials = connectorCredentials(values, declared);
    return connect({
      name: slug,
      plugin,
      credentials,
      fingerprint: fingerprint(hashKey, { slug, grantKey: grant.key }, credentials),
      // The tests of this project prove its connectors on real databases.
      isVerified: true,
      timeoutMs,
      sizeBytes,
      metrics,
      ...binding,
    });
  };

  /** An account's members with its password in plain text. */
  const openedValues = (account: ResourceRow<"account">): AccountValues => ({
    ...account,
    token: records.reveal("account", account, "token") ?? null,
  });

  const sourceOf = async (
    provider: string,
    plugin: ResourceRow<"plugin"> | undefined,
  ): Promise<Source> =>
    plugin ? pluginSource(plugin) : { properties: (await connectors.properties(provider)) ?? [] };

  const openAccount = async (accountId: string): Promise<ResourceRow<"account">> => {
    const [account] = await records.find("account", { id: accountId });
    if (!account) throw new ApiError("RECORD_NOT_FOUND", ["account", accountId]);
    if (account.active === false)
      throw new PluginError("PLUGIN_FORBIDDEN", ["the connection is not active"]);
    refuseLost("account", account);
    return account;
  };

  try {
    const store = own(config.store, writablePlugin(inProcess, config.store));
    const others = [...inProcess.plugins]
      .filter(([slug, plugin]) => plugin.capabilities.write && slug !== config.store)
      .map(([slug, plugin]) => own(slug, plugin));
    return {
      store,
      ...(others.length > 0 && { others, elsewhere: await datasetsElsewhere(others, records) }),
      scratch: own(scratchSlug, writablePlugin(inProcess, scratchSlug)),
      async ofAccount(accountId, override) {
        const account = await openAccount(accountId);
        const pluginId = account.plugin_id;
        const [plugin] = pluginId ? await records.find("plugin", { id: pluginId }) : [];
        const { expiry } = account;
        const binding = {
          ...(expiry instanceof Date && { expiresAt: expiry.getTime() }),
          // An override of a token says nothing about the stored credentials.
          ...(!override && {
            noteRefused: noteRefusedOf(account, records),
            noteWarnings: noteWarningsOf(account, records),
          }),
        };
        const source = await sourceOf(account.provider, plugin);
        refuseUnconfirmed(account, source, records);
        const stored = openedValues(account);
        const placed = (replaced: AccountValues): AccountValues =>
          override ? withoutMovedSecrets(stored, replaced, override, source) : replaced;
        if (plugin) {
          const values = placed(overrideMembers(stored, override));
          const baseUrl = override?.base_url;
          return toRemote(plugin, pluginCredentials(values, plugin), {
            ...(baseUrl !== undefined && {
              elsewhere: { baseUrl, grant: await grants.ofUser(account.user_id) },
            }),
            ...binding,
          });
        }
        const values = placed(overrideConnector(stored, override));
        const grant = await grants.ofUser(account.user_id);
        const connector = await toConnector(account.provider, values, grant, binding);
        if (connector) return connector;
        throw new PluginError("PLUGIN_INVALID", [
          `the connection's provider ${JSON.stringify(account.provider)} is neither a plugin of this host nor a connector that MANIFOLD_CONNECTORS allows; sqlite and duckdb also need a folder that MANIFOLD_FILE_FOLDERS opens to your organization`,
        ]);
      },
      async candidate(account, principal) {
        const [plugin] = await providers.usable({ slug: account.provider }, principal);
        if (plugin) return toRemote(plugin, pluginCredentials(account, plugin));
        const grant = await grants.of(principal.organizationId);
        const connector = await toConnector(account.provider, account, grant);
        if (connector) return connector;
        throw new ApiError("MEMBER_INVALID", [
          "properties.provider",
          `${JSON.stringify(account.provider)} names no connector of this host and no plugin that you may use; there ${await providers.inWords(principal)}; for another source, create a plugin with that slug first`,
        ]);
      },
      async underCheck(pluginId, accountId) {
        const [row] = await records.find("plugin", { id: pluginId });
        if (!row) throw new ApiError("RECORD_NOT_FOUND", ["plugin", pluginId]);
        const account = accountId === undefined ? undefined : await openAccount(accountId);
        if (account && account.plugin_id !== pluginId)
          throw new ApiError("RECORD_NOT_FOUND", ["account", account.id]);
        if (account) refuseUnconfirmed(account, pluginSource(row), records);
        const credentials = account
          ? pluginCredentials(openedValues(account), row)
          : { properties: {} };
        const remote = remoteOf(row, records);
        const grant = await grants.of(row.organization_id);
        const plugin = await overHttp(remote, egresses.forGrant(grant)).catch(
          (failure: unknown) => {
            throw namedError(failure, remote.slug);
          },
        );
        return {
          declaration: declarationOf(remote, plugin.capabilities),
          protocolVersion: remote.protocolVersion,
          connection: connect({
            name: remote.slug,
            plugin,
            credentials,
            fingerprint: fingerprint(hashKey, { ...remote, grantKey: grant.key }, credentials),
            authorizesNobody: row.authorize === "none",
            timeoutMs,
            sizeBytes,
            metrics,
            ...(account?.expiry instanceof Date && { expiresAt: account.expiry.getTime() }),
          }),
        };
      },
      async refuseCandidate(account, principal) {
        const [plugin] = await providers.usable({ slug: account.provider }, principal);
        const organizationId = plugin ? plugin.organization_id : principal.organizationId;
        await refuseCandidate(account, plugin, await egresses.of(organizationId));
      },
      refuseAddress: async (address, { path, organizationId }) =>
        refuseAddress(address, path, await egresses.of(organizationId)),
      connectorProperties: (provider) => connectors.properties(provider),
      providers: (principal, provider) => providers.list(principal, provider),
      callsOf: (pluginId, organizationId) => callTimes.of(pluginId, organizationId),
      async release(account) {
        if (account.plugin_id) return;
        const grant = await grants.ofUser(account.user_id);
        const plugin = await connectors.opened(account.provider, grant);
        const declared = plugin && (await connectors.properties(account.provider));
        if (plugin && declared)
          await plugin.release?.(connectorCredentials(openedValues(account), declared));
      },
      async health(signal) {
        await Promise.all(
          [...inProcess.plugins.values()].map((plugin) => plugin.health?.({ signal })),
        );
      },
      close,
    };
  } catch (failure) {
    await close();
    throw failure;
  }
}

/** Keeps `invalid` of an account as its source last had it; writes when that changes. */
function noteRefusedOf(
  account: ResourceRow<"account">,
  records: Records,
): (isRefused: boolean) => Promise<void> {
  let invalid = account.invalid === true;
  return async (isRefused) => {
    if (isRefused === invalid) return;
    invalid = isRefused;
    await records.change("account", account.id, { invalid });
  };
}

/** Updates `access_warnings` of an account after a probe; writes only changes. */
function noteWarningsOf(
  account: ResourceRow<"account">,
  records: Records,
): (warnings: readonly string[]) => Promise<void> {
  let known = JSON.stringify(account.access_warnings ?? []);
  return async (warnings) => {
    const seen = JSON.stringify(warnings);
    if (seen === known) return;
    known = seen;
    const access_warnings = warnings.length > 0 ? [...warnings] : null;
    await records.change("account", account.id, { access_warnings });
  };
}

function writablePlugin({ plugins }: InProcess, slug: string): Plugin {
  const plugin = plugins.get(slug);
  const writable = [...plugins].filter(([, each]) => each.capabilities.write).map(([name]) => name);
  if (!plugin || !writable.includes(slug))
    throw new Error(
      `MANIFOLD_STORE is ${JSON.stringify(slug)}, which is no plugin of this host that can be written to; there are: ${writable.join(", ")}`,
    );
  return plugin;
}

function pluginSource({ id, base_url, properties }: ResourceRow<"plugin">): Source {
  return { plugin: { id, base_url }, properties: properties ?? [] };
}

function remoteOf(row: ResourceRow<"plugin">, records: Records): RemotePlugin {
  const version = row.protocol_version;
  const known = protocolVersions.find((each) => each === version);
  const secret = records.reveal("plugin", row, "secret");
  const isOverlap = (row.previous_secret_until?.getTime() ?? 0) > Date.now();
  const previousSecret = isOverlap ? records.reveal("plugin", row, "previous_secret") : undefined;
  // A record without a version is one of the latest numbered one.
  const protocolVersion: ProtocolVersion = known ?? "3.0.0";
  return {
    slug: String(row.slug),
    baseUrl: String(row.base_url),
    protocolVersion,
    pushdown: row.pushdown === true,
    supportsDistinctcount: row.supports_distinctcount === true,
    flags: featureFlags.filter((flag) => row[flag] === true),
    ...(secret !== undefined && { secret }),
    ...(previousSecret !== undefined && { previousSecret }),
  };
}
