import { Agent, type AgentOptions } from "node:http";
import { Agent as TlsAgent } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { Reach } from "../../plugins/protocol/index.ts";
import type { Address } from "./address.ts";

/**
 * Creates an HTTP agent of at most `most` connections, which it keeps, to the address that `reach` allows; the Host
 * header and TLS keep the name.
 * @throws {PluginError} PLUGIN_INVALID for an address that may not be reached
 */
export async function createAgent(
  { host, port, tls, ca }: Address,
  reach: Reach,
  most: number,
): Promise<Agent> {
  // Node looks up names alone, so an address is checked here.
  await reach.address(host, port);
  const lookup: LookupFunction = (_, { all }, found) => {
    reach.address(host, port).then(
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
  const trusted = { rejectUnauthorized: tls === "verify-full", ...(ca !== undefined && { ca }) };
  return new TlsAgent({ ...options, lookup, ...trusted });
}
