import type { Connection, Connections } from "../../core/base/contracts/index.ts";
import { ApiError } from "../../core/base/errors.ts";
import { PluginError, type Plugin } from "../../plugins/protocol/index.ts";

/** Returns connections to plugins in this process, without deadlines or checks. */
export function createPlainConnections(plugins: {
  readonly store: Plugin;
  readonly scratch: Plugin;
  readonly accounts?: Readonly<Record<string, Plugin>>;
  /** Returns whether an account's plugin is trusted. By default, every plugin is trusted. */
  readonly isTrusted?: (plugin: Plugin) => boolean;
  /** Whether untrusted plugins are treated as verified plugins at an address that the operator trusts. */
  readonly mayOrder?: boolean;
}): Connections {
  const store = connectionOf("plainstore", plugins.store);
  const scratch = connectionOf("plainscratch", plugins.scratch);
  return {
    store,
    scratch,
    async ofAccount(accountId) {
      const plugin = plugins.accounts?.[accountId];
      if (!plugin) throw new ApiError("RECORD_NOT_FOUND", ["account", accountId]);
      const connection = connectionOf("plain", plugin, plugins.isTrusted?.(plugin));
      return plugins.mayOrder ? { ...connection, mayOrder: true, proved: everyClaim } : connection;
    },
    async candidate() {
      throw new ApiError("MEMBER_INVALID", [
        "provider",
        "there are no plugins to choose from here",
      ]);
    },
    async underCheck(pluginId) {
      throw new ApiError("RECORD_NOT_FOUND", ["plugin", pluginId]);
    },
    async refuseCandidate() {},
    async refuseAddress() {},
    async askVersion() {
      return { outcome: "unclear" };
    },
    async connectorProperties() {
      return undefined;
    },
    async providers() {
      return [];
    },
    callsOf() {
      const milliseconds = { p50: null, p95: null };
      return { since: "", calls: 0, failures: 0, last_at: null, milliseconds };
    },
    async release() {},
    async health() {},
    async close() {
      await plugins.store.close?.();
      await plugins.scratch.close?.();
    },
  };
}

/** A set that contains every claim. */
const everyClaim: ReadonlySet<string> = Object.assign(new Set<string>(), { has: () => true });

const fingerprints = new WeakMap<Plugin, string>();
let fingerprintCount = 0;

/**
 * Returns the fingerprint of a connection. It depends only on the plugin, because these connections have no
 * credentials.
 */
function fingerprintOf(plugin: Plugin): string {
  const known = fingerprints.get(plugin) ?? `plugin ${++fingerprintCount}`;
  fingerprints.set(plugin, known);
  return known;
}

/** Returns a connection to a plugin without credentials. */
export function connectionOf(name: string, plugin: Plugin, isTrusted = true): Connection {
  const credentials = { properties: {} };
  return {
    name,
    fingerprint: fingerprintOf(plugin),
    capabilities: plugin.capabilities,
    isTrusted,
    ...(plugin.unused && { unused: plugin.unused }),
    ...(plugin.sizeOf && { sizeOf: (id: string) => plugin.sizeOf?.(id) }),
    ...(plugin.capabilitiesOf && {
      capabilitiesOf: (caller) => plugin.capabilitiesOf!({ credentials, ...caller }),
    }),
    async authorize(caller) {
      await plugin.authorize?.({ credentials, ...caller });
    },
    datasets: (caller) => plugin.datasets({ credentials, ...caller }),
    query: (query, dataset, caller) => plugin.query({ credentials, query, dataset, ...caller }),
    async write(write, caller) {
      if (!plugin.write) throw new PluginError("PLUGIN_NOT_OFFERED", ["write"]);
      return plugin.write({ credentials, write, ...caller });
    },
    ...(plugin.decode && {
      decode: async (rows, caller) => plugin.decode?.({ credentials, rows, ...caller }),
    }),
  };
}
