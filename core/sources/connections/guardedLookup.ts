import { isIP, type LookupFunction } from "node:net";

/** Error code for a name that resolves to an address that may not be reached. */
export const notAllowed = "ERR_ADDRESS_NOT_ALLOWED";

/** Creates a lookup for sockets that fails unless all addresses of a name may be reached. */
export function guardedLookup(
  lookup: LookupFunction,
  mayReach: (address: string) => boolean,
): LookupFunction {
  return (name, options, callback) => {
    lookup(name, { ...options, all: true }, (failure, found) => {
      if (failure) return callback(failure, []);
      const all = typeof found === "string" ? [{ address: found, family: isIP(found) }] : found;
      const [first] = all;
      if (first === undefined || !all.every(({ address }) => mayReach(address)))
        return callback(Object.assign(new Error("not allowed"), { code: notAllowed }), []);
      if (options.all) callback(null, all);
      else callback(null, first.address, first.family);
    });
  };
}
