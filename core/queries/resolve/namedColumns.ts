import {
  namesIn,
  secondColumnId,
  type Filter,
  type Query,
  leaves,
} from "../../../plugins/protocol/index.ts";

/** Lists the columns that a query uses, with repetitions but without the columns of its joins. */
export function namedColumns({ columns, filters, derived = [] }: Query): readonly string[] {
  return [
    ...columns.flatMap((column) => [column.column_id, secondColumnId(column) ?? column.column_id]),
    ...filters.flatMap(filteredColumns),
    ...derived.flatMap(({ expression }) => namesIn(expression).columnIds),
  ];
}

/** Lists the source columns from which the given columns of a query are computed, without repetitions. */
export function sourcesOf(
  ids: readonly string[],
  { derived = [] }: Pick<Query, "derived">,
): readonly string[] {
  const behind = ids.flatMap((id) => {
    const computed = derived.find((each) => each.id === id);
    return computed ? namesIn(computed.expression).columnIds : [id];
  });
  return [...new Set(behind)];
}

/** Lists the columns that a filter tests. */
export function filteredColumns(filter: Filter): readonly string[] {
  return leaves(filter).map(({ column_id }) => column_id);
}
