import { columnFinder, type FindColumn } from "../../../plugins/protocol/index.ts";
import type { SecuredQuery } from "../secure/secure.ts";

/** The rows of a dataset and of the datasets joined to it, with filters and derived columns of their own. */
export type RowsScope = Pick<SecuredQuery, "query" | "dataset"> &
  Partial<Pick<SecuredQuery, "joined">>;

interface Known {
  readonly scope: RowsScope;
  readonly find: FindColumn;
}

/** By query: its clauses are asked about one by one. */
const finders = new WeakMap<RowsScope["query"], Known>();

/** Finds the columns that a query may name, with what narrows them. */
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
