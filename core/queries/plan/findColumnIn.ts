import { columnFinder, type FindColumn } from "../../../plugins/protocol/index.ts";
import type { SecuredQuery } from "../secure/secure.ts";

/** A dataset and the datasets joined to it, with their filters and derived columns. */
export type RowsScope = Pick<SecuredQuery, "query" | "dataset"> &
  Partial<Pick<SecuredQuery, "joined">>;

interface Known {
  readonly scope: RowsScope;
  readonly find: FindColumn;
}

/** Cached finders, by query. They are cached because each clause of a query looks up its columns separately. */
const finders = new WeakMap<RowsScope["query"], Known>();

/** Returns a function that finds the columns that a query may name, with their narrowings. */
export function findColumnIn(scope: RowsScope): FindColumn {
  const { query, dataset, joined } = scope;
  const known = finders.get(query);
  const isSame = known?.scope.dataset.source === dataset.source && known.scope.joined === joined;
  if (isSame) return known.find;
  const find = columnFinder(
    query,
    dataset.source.columns,
    joined?.map(({ source }) => source.columns),
  );
  finders.set(query, { scope, find });
  return find;
}
