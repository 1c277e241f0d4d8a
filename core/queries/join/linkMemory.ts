import type { LinkEnd } from "./findLinks.ts";

/** Columns to remember; the least recently used go first. */
const mostRemembered = 10_000;

/**
 * Remembers which linked columns had no repeated value when they were last counted over all rows.
 * A hint, which may be out of date: it says what to try and what to count first, never what is true.
 */
export interface LinkMemory {
  /** Returns what the last count found; undefined when the column was not counted. */
  wasUnique(end: LinkEnd): boolean | undefined;
  remember(ends: readonly LinkEnd[], unique: ReadonlyMap<string, boolean>): void;
}

/** Makes the memory of one host. Nothing to close. */
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

/** The same column has other values through other credentials. */
function keyOf({ dataset, column }: LinkEnd): string {
  return `${column.id} ${dataset.connection.fingerprint}`;
}
