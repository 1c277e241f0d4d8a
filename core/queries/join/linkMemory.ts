import { keyOfEnd, type LinkEnd } from "./findLinks.ts";

/** Maximum number of remembered keys. The least recently used columns are removed first. */
const mostRemembered = 10_000;

/**
 * Remembers which linked columns had no repeated values when they were last counted over all rows. For the rows of the
 * store, a count holds until their version changes. For live sources, it may be out of date, and only suggests which
 * tree to try and which columns to count first.
 */
export interface LinkMemory {
  /** Returns whether the last count found only unique values; undefined if the key was never counted. */
  wasUnique(end: LinkEnd): boolean | undefined;
  /** Like `wasUnique`, if the rows have not changed since they were counted; otherwise undefined. */
  isUnique(end: LinkEnd): boolean | undefined;
  remember(ends: readonly LinkEnd[], unique: ReadonlyMap<string, boolean>): void;
}

interface Counted {
  readonly isUnique: boolean;
  /** The version of the counted rows; undefined for a live source. */
  readonly version: string | undefined;
}

/** Creates the link memory of one host. It needs no closing. */
export function createLinkMemory(): LinkMemory {
  const known = new Map<string, Counted>();
  return {
    wasUnique: (end) => known.get(keyOf(end))?.isUnique,
    isUnique(end) {
      const { version } = end.dataset.freshness;
      const counted = version === undefined ? undefined : known.get(keyOf(end));
      return counted?.version === version ? counted?.isUnique : undefined;
    },
    remember(ends, unique) {
      for (const end of ends) {
        const isUnique = unique.get(keyOfEnd(end));
        if (isUnique === undefined) continue;
        known.delete(keyOf(end));
        known.set(keyOf(end), { isUnique, version: end.dataset.freshness.version });
      }
      for (const oldest of known.keys()) {
        if (known.size <= mostRemembered) return;
        known.delete(oldest);
      }
    },
  };
}

/**
 * Returns the name of a key. It includes the credentials, because the values of a column may differ with other
 * credentials.
 */
function keyOf(end: LinkEnd): string {
  return `${keyOfEnd(end)} ${end.dataset.connection.fingerprint}`;
}
