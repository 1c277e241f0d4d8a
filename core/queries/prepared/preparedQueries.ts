import type { Principal } from "../../base/index.ts";
import type { CatalogMemory } from "../../catalog/index.ts";
import type { RawQuery } from "../parse/parseQuery.ts";
import type { ParsedQuery } from "../parsedQuery.ts";
import type { QueriedDataset } from "../queriedDataset.ts";
import type { SecuredQuery } from "../secure/secure.ts";

/** A query that was parsed and bound for a caller. */
export interface PreparedQuery {
  readonly parsed: ParsedQuery;
  readonly secured: SecuredQuery;
}

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

/** Maximum number of prepared queries. The least recently used ones are dropped first. */
const keptCount = 2_000;
/** Maximum length of the text of a prepared query, in UTF-16 units. Longer ones take up too much of the memory. */
const longestText = 4_000;

/** Creates the prepared queries of a host. Without `memory`, datasets are not remembered, so nothing is prepared. */
export function createPreparedQueries(memory: CatalogMemory | undefined): PreparedQueries {
  const kept = new Map<string, PreparedQuery>();
  const keyOf = (
    { path, value }: RawQuery,
    principal: Principal,
    { nameOf }: CatalogMemory,
  ): string | undefined => {
    const text = JSON.stringify(value);
    return text === undefined || text.length > longestText
      ? undefined
      : `${nameOf(principal)} ${path} ${text}`;
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
      kept.delete(key);
      kept.set(key, prepared);
      const [oldest] = kept.keys();
      if (kept.size > keptCount && oldest !== undefined) kept.delete(oldest);
    },
  };
}

/**
 * Returns whether a dataset has the same connection, columns, links and row filters as when a query was bound. The
 * parts are compared as objects: the catalog's memory returns the same objects until a right, a share, a filter, a
 * column, a formula or a connection changes. Only the rows and their version may differ.
 */
export function isSameDataset(one: QueriedDataset, other: QueriedDataset): boolean {
  return (
    one.id === other.id &&
    one.connection === other.connection &&
    one.source === other.source &&
    one.columns === other.columns &&
    one.everyColumn === other.everyColumn &&
    one.links === other.links &&
    one.rowFilters === other.rowFilters &&
    one.copy === other.copy
  );
}
