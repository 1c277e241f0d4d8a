import { parseNetwork } from "../../identity/index.ts";

const mostSources = 100;

/**
 * Creates a check for a list of sources. The list must have 1 to 100 entries, because an empty list would block
 * everyone.
 */
export function checkEach(isGood: (entry: string) => boolean, expected: string) {
  return (value: unknown): string | undefined => {
    const entries = value as readonly string[];
    const wrong = entries.find((entry) => !isGood(entry));
    if (wrong === undefined && entries.length > 0 && entries.length <= mostSources)
      return undefined;
    const named =
      wrong === undefined ? "" : `; ${JSON.stringify(wrong.slice(0, 100))} is not valid`;
    return `have 1 to ${mostSources} entries, all of them ${expected}${named}`;
  };
}

/** Checks a list of IP addresses and networks. */
export const checkNetworks = checkEach(
  (entry) => parseNetwork(entry) !== undefined,
  "IP addresses, or networks such as 203.0.113.0/24",
);
