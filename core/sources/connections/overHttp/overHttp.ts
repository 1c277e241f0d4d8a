import { type Capabilities, type Plugin, PluginError } from "../../../../plugins/protocol/index.ts";
import { unusedFlags } from "../../../base/index.ts";
import { type Egress, readAddress } from "../egress.ts";
import { legacyPlugin } from "./legacyPlugin.ts";
import { openManifoldPlugin } from "./manifoldPlugin.ts";
import { createRemoteCalls } from "./remoteCalls.ts";
import type { RemotePlugin } from "./remotePlugin.ts";

/**
 * Creates the plugin of a record, with the same interface for every protocol version. Only a plugin of version
 * `manifold-1` is called here, to get its capabilities, unless they are `known`; `signal` cancels that call.
 * @throws {PluginError} PLUGIN_INVALID if `baseUrl` is not a plain http or https URL
 */
export async function overHttp(
  remote: RemotePlugin,
  egress: Egress,
  signal: AbortSignal = new AbortController().signal,
  known?: Capabilities,
): Promise<Plugin> {
  const url = readAddress(remote.baseUrl);
  if (url.search || url.hash)
    throw new PluginError("PLUGIN_INVALID", ["base_url must not contain a query or a fragment"]);
  const send = createRemoteCalls(
    { ...remote, baseUrl: remote.baseUrl.replace(/\/+$/, "") },
    egress,
  );
  const plugin =
    remote.protocolVersion === "manifold-1"
      ? await openManifoldPlugin(send, egress.sizeBytes, signal, known)
      : legacyPlugin(remote, send, egress.sizeBytes);
  const unused = unusedFlags(remote);
  return { ...plugin, scan: scanOf(plugin), ...(unused.length > 0 && { unused }) };
}

/** Scans with a single answer. Unlike the answer to a query, it may take any time, as long as parts of it arrive. */
function scanOf(plugin: Plugin): NonNullable<Plugin["scan"]> {
  return async ({ take, ...call }) => {
    const rows = await plugin.query(call);
    if (rows.rowCount > 0) await take(rows);
  };
}
