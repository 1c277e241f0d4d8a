import {
  isGroup,
  leaves,
  type ColumnFilter,
  type Filter,
  type GroupLimit,
  type Query,
} from "../protocol/index.ts";

/**
 * Reduces a query as long as `isWrong` returns true for the reduced query. Returns the smallest query that it finds. It
 * tries to remove columns, filters, members of filter groups, the order, the limits and the time zone. A query for
 * plain rows keeps or gets the columns that its filters test, so that a reader sees why a row passes.
 */
export async function shrinkQuery(
  query: Query,
  isWrong: (smaller: Query) => Promise<boolean>,
): Promise<Query> {
  for (const smaller of smallerQueries(query))
    if (await isWrong(smaller)) return shrinkQuery(smaller, isWrong);
  const shown = withTestedColumns(query);
  return shown !== query && (await isWrong(shown)) ? shown : query;
}

/** Lists the ids of the columns that the filters of a query test. */
export function testedColumns({ filters }: Pick<Query, "filters">): readonly string[] {
  return [...new Set(filters.flatMap(leaves<ColumnFilter>).map(({ column_id }) => column_id))];
}

function withTestedColumns(query: Query): Query {
  const { columns, options } = query;
  if (options.pushdown) return query;
  const hidden = testedColumns(query).filter(
    (id) => !columns.some(({ column_id, level }) => column_id === id && level === undefined),
  );
  if (hidden.length === 0) return query;
  return { ...query, columns: [...columns, ...hidden.map((column_id) => ({ column_id }))] };
}

function* smallerQueries(query: Query): Generator<Query, void> {
  const { columns, filters, having = [], order = [], groupLimit, limit, options } = query;
  for (const [at, filter] of filters.entries()) {
    yield { ...query, filters: filters.toSpliced(at, 1) };
    for (const smaller of smallerFilters(filter))
      yield { ...query, filters: filters.with(at, smaller) };
  }
  if (having.length > 0) yield without(query, "having");
  if (groupLimit) yield without(query, "groupLimit");
  for (const smaller of smallerGroupLimits(groupLimit)) yield { ...query, groupLimit: smaller };
  if (limit) yield without(query, "limit");
  if (limit?.offset) yield { ...query, limit: { by: limit.by } };
  for (const [at] of order.entries())
    yield order.length === 1
      ? without(query, "order")
      : { ...query, order: order.toSpliced(at, 1) };
  if (options.timezone_id !== undefined)
    yield { ...query, options: { pushdown: options.pushdown } };
  const tested = options.pushdown ? [] : testedColumns(query);
  for (const [at, { column_id }] of columns.entries())
    if (columns.length > 1 && !tested.includes(column_id) && having.length === 0)
      if (
        !order.some(({ column }) => column === at) &&
        !groupLimit?.columns.includes(at) &&
        !columns.some(({ per }) => per?.includes(at))
      )
        yield withoutColumn(query, at);
}

function* smallerGroupLimits(limit: GroupLimit | undefined): Generator<GroupLimit, void> {
  if (!limit) return;
  const { columns, by, offset } = limit;
  if (offset) yield { columns, by };
  if (columns.length > 1)
    for (const [at] of columns.entries()) yield { ...limit, columns: columns.toSpliced(at, 1) };
}

/** Returns the filters that remain if one part of a filter is removed. */
function* smallerFilters(filter: Filter): Generator<Filter, void> {
  if (!isGroup(filter)) {
    const { value = [] } = filter;
    if (value.length > 1)
      for (const [at] of value.entries()) yield { ...filter, value: value.toSpliced(at, 1) };
    return;
  }
  const [members, make] =
    "and" in filter
      ? [filter.and, (and: readonly Filter[]): Filter => ({ and: [...and] })]
      : [filter.or, (or: readonly Filter[]): Filter => ({ or: [...or] })];
  yield* members;
  for (const [at, member] of members.entries()) {
    if (members.length > 1) yield make(members.toSpliced(at, 1));
    for (const smaller of smallerFilters(member)) yield make(members.with(at, smaller));
  }
}

/** Removes a column to which neither the order nor `having` nor `groupLimit` refers. */
function withoutColumn(query: Query, at: number): Query {
  const order = query.order?.map((key) =>
    key.column > at ? { ...key, column: key.column - 1 } : key,
  );
  const { groupLimit } = query;
  const moved = groupLimit?.columns.map((column) => (column > at ? column - 1 : column));
  return {
    ...query,
    columns: query.columns.toSpliced(at, 1).map(({ per, ...column }) => ({
      ...column,
      ...(per && { per: per.map((each) => (each > at ? each - 1 : each)) }),
    })),
    ...(order && { order }),
    ...(groupLimit && moved && { groupLimit: { ...groupLimit, columns: moved } }),
  };
}

function without(query: Query, member: "having" | "order" | "groupLimit" | "limit"): Query {
  const { [member]: _, ...rest } = query;
  return rest;
}
