import { parseNetwork } from "../../access/index.ts";

const mostSources = 100;

/** Checks a list of sources: not empty, since an empty one lets nobody pass; at most 100 entries. */
export function checkEach(isGood: (entry: string) => boolean, expected: string) {
  return (value: unknown): string | undefined => {
    const entries = value as readonly string[];
    return entries.length > 0 && entries.length <= mostSources && entries.every(isGood)
      ? undefined
      : `have 1 to ${mostSources} entries, all of them ${expected}`;
  };
}

/** Checks a list of IP addresses and networks. */
export const checkNetworks = checkEach(
  (entry) => parseNetwork(entry) !== undefined,
  "IP addresses, or networks such as 203.0.113.0/24",
);
