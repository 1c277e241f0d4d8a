import { type Plugin, PluginError } from "../../../../plugins/protocol/index.ts";
import { unusedFlags } from "../../../base/index.ts";
import { type Egress, readAddress } from "../egress.ts";
import { legacyPlugin } from "./legacyPlugin.ts";
import { openManifoldPlugin } from "./manifoldPlugin.ts";
import { createRemoteCalls } from "./remoteCalls.ts";
import type { RemotePlugin } from "./remotePlugin.ts";

/**
 * Creates the plugin of a record, with the same interface for every protocol version. Only a plugin of version
 * `manifold-1` is called here, to get its capabilities; `signal` cancels that call.
 * @throws {PluginError} PLUGIN_INVALID if `baseUrl` is not a plain http or https URL
 */
export async function overHttp(
  remote: RemotePlugin,
  egress: Egress,
  signal: AbortSignal = new AbortController().signal,
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
      ? await openManifoldPlugin(send, egress.sizeBytes, signal)
      : legacyPlugin(remote, send, egress.sizeBytes);
  const unused = unusedFlags(remote);
  return unused.length === 0 ? plugin : { ...plugin, unused };
}
