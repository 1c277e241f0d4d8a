import { randomBytes } from "node:crypto";
import type { LookupFunction } from "node:net";
import type { Plugin } from "../../../plugins/protocol/index.ts";
import type {
  Config,
  Connection,
  ConnectorImports,
  Connections,
  Records,
} from "../../base/index.ts";
import type { Drivers } from "../drivers/index.ts";
import { createCallTimes } from "./callTimes.ts";
import { connect, type ConnectOptions } from "./connect.ts";
import { createConnectors, ownConnectorSlugs } from "./connectors.ts";
import { createAccountConnections } from "./createAccountConnections.ts";
import { createProviders } from "./createProviders.ts";
import { createRemotes } from "./createRemotes.ts";
import { datasetsElsewhere } from "./datasetsElsewhere.ts";
import { fingerprint } from "./fingerprint.ts";
import { createGrants } from "./grants.ts";
import { type InProcess, openInProcess } from "./inProcess.ts";
import { loadConnectorPackages } from "./loadConnectorPackages.ts";
import type { LoadedModule } from "./loadModule.ts";
import { openEgresses } from "./openEgresses.ts";
import { refuseAddress } from "./refuseAddress.ts";
import { refuseCandidate } from "./refuseCandidate.ts";

export interface ConnectionsOptions {
  readonly config: Config;
  readonly records: Records;
  /** The plugins of this process, if the caller has opened them. The caller is then responsible for closing them. */
  readonly plugins?: InProcess;
  /**
   * Functions that import connectors, by slug, as `openHost` received them.
   * @default none
   */
  readonly connectorImports?: ConnectorImports;
  /** The folders from which packages of connectors are resolved, as in `loadConnectorPackages`. */
  readonly packageFolders?: readonly string[];
  /** Finds and installs drivers of connectors. If absent, only drivers next to the host are used. */
  readonly drivers?: Drivers;
  /** Counts the plugin calls of the host. */
  readonly metrics?: ConnectOptions["metrics"];
  /** Replaces the system's name resolution in tests. */
  readonly lookup?: LookupFunction;
  /** Replaces the modules of connectors in tests. */
  readonly loadConnector?: (folder: string) => Promise<LoadedModule>;
}

/** The slug of the plugin that computes residuals. */
const scratchSlug = "strata";

/**
 * Opens the connections of a host: the store and scratch in process, and connections of accounts on demand.
 * @throws {Error} if `config.store` does not name a writable plugin of this process, or for an invalid setting or
 * connector package
 */
export async function openConnections(options: ConnectionsOptions): Promise<Connections> {
  const { config, records } = options;
  const sizeBytes = config.pluginAnswerMb * 2 ** 20;
  const timeoutMs = config.pluginTimeoutMs;
  const { lookup, loadConnector, metrics, drivers } = options;
  const grants = createGrants({ config, records });
  const egresses = openEgresses({
    grants,
    timeoutMs,
    sizeBytes,
    ...(lookup && { lookup }),
  });
  const packages = await loadConnectorPackages({
    entries: config.connectors,
    imports: options.connectorImports ?? {},
    ownSlugs: ownConnectorSlugs,
    ...(options.packageFolders && { folders: options.packageFolders }),
  });
  const connectors = createConnectors({
    config,
    packages,
    hasFolders: grants.hasFolders,
    addressFor: (grant) => (host, port) => egresses.forGrant(grant).address(host, port),
    ...(drivers && { locateDriver: (name) => drivers.locate(name) }),
    ...(loadConnector && { load: loadConnector }),
  });
  const inProcess = options.plugins ?? (await openInProcess(config));
  const providers = createProviders({ records, connectors, grants });
  const callTimes = createCallTimes();
  const calls = { timeoutMs, sizeBytes, metrics };
  const hashKey = randomBytes(32);
  const bounds = { hashKey, ...calls };
  const remotes = createRemotes({ config, records, grants, egresses, callTimes, bounds });
  const accounts = createAccountConnections({
    records,
    connectors,
    providers,
    remotes,
    grants,
    bounds,
  });

  const close = async () => {
    remotes.close();
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
      // This project tests the plugins of this process.
      isTrusted: true,
      ...calls,
    });
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
      ...accounts,
      async refuseCandidate(account, principal) {
        const [plugin] = await providers.usable({ slug: account.provider }, principal);
        const organizationId = plugin ? plugin.organization_id : principal.organizationId;
        const egress = await egresses.of(organizationId);
        await refuseCandidate(account, plugin, { egress, connectors });
      },
      askVersion: (plugin) => remotes.askVersion(plugin),
      refuseAddress: async (address, { path, organizationId }) =>
        refuseAddress(address, path, await egresses.of(organizationId)),
      connectorProperties: (provider) => connectors.properties(provider),
      providers: (principal, provider) => providers.list(principal, provider),
      callsOf: (pluginId, organizationId) => callTimes.of(pluginId, organizationId),
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

function writablePlugin({ plugins }: InProcess, slug: string): Plugin {
  const plugin = plugins.get(slug);
  const writable = [...plugins].filter(([, each]) => each.capabilities.write).map(([name]) => name);
  if (!plugin || !writable.includes(slug))
    throw new Error(
      `MANIFOLD_STORE is ${JSON.stringify(slug)}, which is not a writable plugin of this host; use one of: ${writable.join(", ")}`,
    );
  return plugin;
}
