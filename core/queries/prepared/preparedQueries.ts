import type { Principal } from "../../base/index.ts";
import type { CatalogMemory } from "../../catalog/index.ts";
import type { RawQuery } from "../parse/parseQuery.ts";
import type { PreparedQuery } from "./prepareQuery.ts";

/**
 * Queries over one dataset that were parsed, resolved and secured for a caller, so that the same caller need not wait
 * for these steps again.
 */
export interface PreparedQueries {
  /** Returns the query that was prepared for an equal caller and an equal query; undefined if there is none. */
  find(query: RawQuery, principal: Principal): PreparedQuery | undefined;
  /** Keeps a query that depends on nothing but the caller, its own text and its dataset. */
  keep(query: RawQuery, principal: Principal, prepared: PreparedQuery): void;
}

/** Maximum number of prepared queries, and maximum total length of their texts. The least recently used go first. */
const keptCount = 2_000;
const keptLength = 8_000_000;
/** Maximum length of the text of a prepared query, in UTF-16 units. Longer ones take up too much of the memory. */
const longestText = 16_000;

/** Creates the prepared queries of a host. Without `memory`, datasets are not remembered, so nothing is prepared. */
export function createPreparedQueries(memory: CatalogMemory | undefined): PreparedQueries {
  const kept = new Map<string, PreparedQuery>();
  let length = 0;
  const drop = (key: string) => {
    if (kept.delete(key)) length -= key.length;
  };
  const keyOf = (
    { path, value }: RawQuery,
    principal: Principal,
    { nameOf }: CatalogMemory,
  ): string | undefined => {
    const isShort = lengthWithin(value, longestText) <= longestText;
    return isShort ? `${nameOf(principal)} ${path} ${JSON.stringify(value)}` : undefined;
  };
  return {
    find(query, principal) {
      const key = memory && keyOf(query, principal, memory);
      const found = key === undefined ? undefined : kept.get(key);
      if (key === undefined || !found) return undefined;
      kept.delete(key);
      kept.set(key, found);
      return found;
    },
    keep(query, principal, prepared) {
      const key = memory && keyOf(query, principal, memory);
      if (key === undefined) return;
      drop(key);
      kept.set(key, prepared);
      length += key.length;
      for (const oldest of kept.keys()) {
        if (kept.size <= keptCount && length <= keptLength) return;
        drop(oldest);
      }
    },
  };
}

/**
 * Returns about the length of a value's JSON. Stops counting beyond `most`, so that a filter with many values costs
 * nothing.
 */
function lengthWithin(value: unknown, most: number): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 4;
  let length = 2;
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    for (const each of list) {
      length += 1 + lengthWithin(each, most - length);
      if (length > most) break;
    }
  } else
    for (const [member, each] of Object.entries(value)) {
      length += 4 + member.length + lengthWithin(each, most - length);
      if (length > most) break;
    }
  return length;
}
