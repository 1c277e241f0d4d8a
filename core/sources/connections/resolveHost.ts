import { isIP, type LookupFunction } from "node:net";

/**
 * Resolves a name to all its addresses, IPv4 first. An address is resolved to itself. Rejects with the error of the
 * lookup.
 */
export async function resolveHost(
  name: string,
  lookup: LookupFunction,
): Promise<readonly string[]> {
  if (isIP(name) !== 0) return [name];
  return new Promise((resolve, reject) => {
    lookup(name, { all: true, order: "ipv4first" }, (failure, found) => {
      if (failure) reject(failure);
      else resolve(typeof found === "string" ? [found] : found.map(({ address }) => address));
    });
  });
}
