import {
  type Derived,
  type Filter,
  type Having,
  type Query,
  type QueryColumn,
  mapTree,
} from "../../../plugins/protocol/index.ts";
import type { QueryPlan, Residual } from "../queryPlan.ts";
import type { BoundQuery } from "../boundQuery.ts";

/**
 * Splits a query into unordered groups and a residual with formulas, having, cumulative sums, order and limit.
 * Cumulative sums are fetched as sums, and the `averages` (indexes of columns) as sums and counts. For cumulative sums,
 * the residual groups the groups again by all their columns. This changes nothing, because groups are distinct.
 */
export function planGroups(
  secured: Pick<BoundQuery, "query" | "types" | "formulas">,
  averages: readonly number[] = [],
): Omit<QueryPlan, "steps" | "filters" | "sent" | "residual"> & { readonly residual: Residual } {
  const { query, types, formulas } = secured;
  const fetched = query.columns.map((whole, index): QueryColumn => {
    const { per: _, ...column } = whole;
    return isCumulativeSum(column) || averages.includes(index)
      ? { ...column, aggregation: "sum" }
      : column;
  });
  for (const [index, column] of query.columns.entries())
    if (averages.includes(index)) fetched.push({ ...column, aggregation: "count" });
  const keys = fetched.map((column) => JSON.stringify(column));
  const first = keys.map((key) => keys.indexOf(key));
  const distinct = [...new Set(first)];
  const derived = [
    ...averages.map((sum, place) => divided(sum, types.length + place)),
    ...formulas.map((formula, place) => ({ ...formula, id: formulaName(place) })),
  ];
  const columnOf = (index: number): QueryColumn => {
    if (index >= types.length)
      return {
        column_id: formulaName(index - types.length),
        ...typeOf(formulas[index - types.length]),
      };
    return averages.includes(index)
      ? { column_id: averageName(index), type: "numeric" }
      : { column_id: String(index) };
  };
  const columns = [...types, ...formulas].map((_, index) => columnOf(index));
  const { derived: _, joins: __, ...plain } = query;
  const residual: Query = {
    ...pushedQuery({ ...plain, having: [] }, query),
    ...(derived.length > 0 && { derived }),
    columns,
    filters: (query.having ?? []).map((having) => overGroups(having, columns)),
    options: { pushdown: false },
  };
  const cumulative = query.columns.map((column, index): QueryColumn => ({
    ...columnOf(index),
    ...(isCumulativeSum(column) && { aggregation: "cumulativesum" }),
    ...(column.per && { per: column.per }),
  }));
  const isCumulative = query.columns.some(isCumulativeSum);
  return {
    mode: "grouped",
    pushed: pushedQuery(
      {
        ...query,
        columns: distinct.flatMap((index) => fetched[index] ?? []),
        having: [],
        order: [],
      },
      {},
    ),
    residual: {
      columns: fetched.map((_, index) => ({ id: String(index), type: types[index] ?? "numeric" })),
      vectors: first.map((index) => distinct.indexOf(index)),
      query: isCumulative
        ? {
            ...residual,
            columns: [...cumulative, ...columns.slice(types.length)],
            filters: [],
            ...(query.having?.length && { having: query.having }),
            options: { pushdown: true },
          }
        : residual,
    },
  };
}

export function isCumulativeSum({ aggregation }: QueryColumn): boolean {
  return aggregation === "cumulativesum";
}

const formulaName = (place: number) => `formula.${place}`;
const averageName = (index: number) => `average.${index}`;

function typeOf(formula: BoundQuery["formulas"][number] | undefined) {
  return formula ? { type: formula.type } : {};
}

/** Returns a sum divided by a count. Without any values the sum is null, and so is the quotient. */
function divided(sum: number, count: number): Derived {
  const args = [sum, count].map((index) => ({ kind: "column", column_id: String(index) }) as const);
  return {
    id: averageName(sum),
    type: "numeric",
    expression: { kind: "call", function: "divide", args },
  };
}

/** The clauses that leave out rows of an ordered answer. */
export type Cut = Pick<Query, "groupLimit" | "limit">;

/** Returns a query with the given limits and without empty clauses. */
export function pushedQuery(query: Query, { groupLimit, limit }: Cut): Query {
  const { id, joins, derived, columns, filters, having, order, options } = query;
  return {
    id,
    ...(joins && { joins }),
    ...(derived && { derived }),
    columns,
    filters,
    ...(having?.length && { having }),
    ...(order?.length && { order }),
    ...(groupLimit && { groupLimit }),
    ...(limit && { limit }),
    options,
  };
}

/** Turns a test of groups into a test of rows, because each group is a row of the temporary dataset. */
function overGroups(having: Having, columns: readonly QueryColumn[]): Filter {
  return mapTree(having, ({ column, ...test }) => ({
    ...test,
    column_id: columns[column]?.column_id ?? "",
  }));
}
