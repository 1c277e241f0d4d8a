import { Agent, type AgentOptions } from "node:http";
import { Agent as TlsAgent } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { PluginError, type Reach } from "../../plugins/protocol/index.ts";
import type { Address } from "./address.ts";

/**
 * Creates an HTTP agent that keeps up to `most` connections open. It connects to the address that `reach` allows; the
 * Host header and TLS use the host name.
 * @throws {PluginError} PLUGIN_INVALID for an address that must not be reached
 */
export async function createAgent(
  { host, port, tls, isStated, ca }: Address,
  reach: Reach,
  most: number,
): Promise<Agent> {
  const reached = async (): Promise<string> => {
    const address = await reach.address(host, port);
    if (tls === "disable" && !isStated && reach.isPublic(address))
      throw new PluginError("PLUGIN_INVALID", [
        `the server ${host} has a public address, and plain HTTP would expose the password; set host to https://${host}:8443, or set ssl to disable to allow unencrypted connections`,
      ]);
    return address;
  };
  // Node only looks up host names, so a literal address is checked here.
  await reached();
  const lookup: LookupFunction = (_, { all }, found) => {
    reached().then(
      (address) => {
        const family = isIP(address);
        if (all) found(null, [{ address, family }]);
        else found(null, address, family);
      },
      (failure: unknown) => found(failure instanceof Error ? failure : new Error(), ""),
    );
  };
  const options: AgentOptions = { keepAlive: true, maxSockets: most, maxFreeSockets: most };
  if (tls === "disable") return new Agent({ ...options, lookup });
  const trusted = {
    rejectUnauthorized: tls.startsWith("verify"),
    ...(tls === "verify-ca" && { checkServerIdentity: () => undefined }),
    ...(ca !== undefined && { ca }),
  };
  return new TlsAgent({ ...options, lookup, ...trusted });
}
