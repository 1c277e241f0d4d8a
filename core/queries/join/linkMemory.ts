import type { LinkEnd } from "./findLinks.ts";

/** Maximum number of remembered columns. The least recently used columns are removed first. */
const mostRemembered = 10_000;

/**
 * Remembers which linked columns had no repeated values when they were last counted over all rows. A memory may be out
 * of date. It only suggests which tree to try and which columns to count first.
 */
export interface LinkMemory {
  /** Returns whether the last count found only unique values; undefined if the column was never counted. */
  wasUnique(end: LinkEnd): boolean | undefined;
  remember(ends: readonly LinkEnd[], unique: ReadonlyMap<string, boolean>): void;
}

/** Creates the link memory of one host. It needs no closing. */
export function createLinkMemory(): LinkMemory {
  const known = new Map<string, boolean>();
  return {
    wasUnique: (end) => known.get(keyOf(end)),
    remember(ends, unique) {
      for (const end of ends) {
        const isUnique = unique.get(end.column.id);
        if (isUnique === undefined) continue;
        known.delete(keyOf(end));
        known.set(keyOf(end), isUnique);
      }
      for (const oldest of known.keys()) {
        if (known.size <= mostRemembered) return;
        known.delete(oldest);
      }
    },
  };
}

/** The key includes the credentials, because a column may have other values with other credentials. */
function keyOf({ dataset, column }: LinkEnd): string {
  return `${column.id} ${dataset.connection.fingerprint}`;
}
