import type { Column } from "./dataset.ts";
import { namesIn } from "./expression.ts";
import { operators } from "./operators.ts";
import type { Narrowing } from "./narrowing.ts";
import type { Query } from "./query.ts";
import { aggregations } from "./aggregations.ts";

/** The members of a column on which the clauses of a query depend. */
export type TypedColumn = Pick<Column, "type" | "narrowed">;

/** Returns the column with this id in the query. Undefined if the query has no such column, as for `*`. */
export type FindColumn = (id: string) => TypedColumn | undefined;

/**
 * Returns a function that finds a column of a query: a column of its dataset, a joined column or a derived column.
 * `joined` contains the known columns of each joined dataset. A derived column that uses a narrowed
 * column is narrowed for every capability.
 */
export function columnFinder(
  { joins = [], derived = [] }: Pick<Query, "joins" | "derived">,
  columns: readonly Column[],
  joined: readonly (readonly Column[] | undefined)[] = [],
): FindColumn {
  const found = new Map<string, TypedColumn>(columns.map((column) => [column.id, column]));
  for (const [index, join] of joins.entries())
    for (const { id, column_id, type } of join.columns) {
      const narrowed = joined[index]?.find((column) => column.id === column_id)?.narrowed;
      found.set(id, { type, ...(narrowed && { narrowed }) });
    }
  for (const { id, type, expression } of derived) {
    const named = namesIn(expression).columnIds.map((each) => found.get(each)?.narrowed);
    const narrowed = named.find((each) => each !== undefined);
    found.set(id, { type, ...(narrowed && { narrowed: everywhere(narrowed) }) });
  }
  return (id) => found.get(id);
}

function everywhere({ reason }: Narrowing): Narrowing {
  return {
    filters: Object.fromEntries(operators.map((operator) => [operator, "none"])),
    grouping: false,
    order: false,
    aggregations,
    ...(reason !== undefined && { reason }),
  };
}
