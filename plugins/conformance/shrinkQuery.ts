import { isGroup, type Query } from "../protocol/index.ts";

/**
 * Reduces a query as long as `isWrong` returns true, and returns the smallest such query. Tries to remove columns,
 * filters, members of groups, the order, the limit and the time zone.
 */
export async function shrinkQuery(
  query: Query,
  isWrong: (smaller: Query) => Promise<boolean>,
): Promise<Query> {
  for (const smaller of smallerQueries(query))
    if (await isWrong(smaller)) return shrinkQuery(smaller, isWrong);
  return query;
}

function* smallerQueries(query: Query): Generator<Query, void> {
  const { columns, filters, having = [], order = [], limit, options } = query;
  for (const [at, filter] of filters.entries()) {
    yield { ...query, filters: filters.toSpliced(at, 1) };
    if (isGroup(filter))
      for (const member of "and" in filter ? filter.and : filter.or)
        yield { ...query, filters: filters.with(at, member) };
    else if ((filter.value?.length ?? 0) > 1)
      for (const [index] of (filter.value ?? []).entries())
        yield {
          ...query,
          filters: filters.with(at, { ...filter, value: (filter.value ?? []).toSpliced(index, 1) }),
        };
  }
  if (having.length > 0) yield without(query, "having");
  if (limit) yield without(query, "limit");
  if (limit?.offset) yield { ...query, limit: { by: limit.by } };
  for (const [at] of order.entries())
    yield order.length === 1
      ? without(query, "order")
      : { ...query, order: order.toSpliced(at, 1) };
  if (options.timezone_id !== undefined)
    yield { ...query, options: { pushdown: options.pushdown } };
  if (columns.length > 1 && having.length === 0 && order.length === 0)
    for (const [at] of columns.entries()) yield { ...query, columns: columns.toSpliced(at, 1) };
}

function without(query: Query, member: "having" | "order" | "limit"): Query {
  const { [member]: _, ...rest } = query;
  return rest;
}
