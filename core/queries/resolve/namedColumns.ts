import { namesIn, type Filter, type Query, leaves } from "../../../plugins/protocol/index.ts";

/** Lists the columns that a query names, repetitions included, except the columns that it joins by. */
export function namedColumns({ columns, filters, derived = [] }: Query): readonly string[] {
  return [
    ...columns.flatMap(({ column_id, weight }) => [column_id, weight ?? column_id]),
    ...filters.flatMap(filteredColumns),
    ...derived.flatMap(({ expression }) => namesIn(expression).columnIds),
  ];
}

/** Lists the columns that a filter tests. */
export function filteredColumns(filter: Filter): readonly string[] {
  return leaves(filter).map(({ column_id }) => column_id);
}
