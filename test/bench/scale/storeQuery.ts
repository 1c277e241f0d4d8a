import type { Expression, Output, Plan, Predicate } from "../../../engine/index.ts";
import type { Aggregation, Filter, Query, QueryColumn } from "../../../plugins/protocol/index.ts";

const operators = { "=": "=", "<": "<", "<=": "<=", ">": ">", ">=": ">=" } as const;
const periods = ["year", "quarter", "month", "week", "day", "hour", "minute", "second"] as const;

/**
 * Converts an engine plan to a query of the protocol. Joined columns keep their names. Returns
 * undefined for approximations, which the protocol does not have.
 */
export function storeQuery(plan: Plan): Query | undefined {
  const { outputs, filter, grouped, order = [], limit } = plan;
  const columns = outputs.map(columnOf);
  if (columns.includes(undefined)) return undefined;
  return {
    id: plan.table,
    columns: columns.filter((column) => column !== undefined),
    filters: filter ? filtersOf(filter) : [],
    order: order.map(({ output, descending }) => ({
      column: output,
      order: descending ? "desc" : "asc",
    })),
    ...(limit && { limit: { by: limit.count, offset: limit.offset } }),
    options: { pushdown: grouped },
  };
}

function columnOf(output: Output): QueryColumn | undefined {
  if (output.kind === "key") return keyOf(output.of);
  if (output.function === "rows") return { column_id: "*", aggregation: "count" };
  const known: readonly Aggregation[] = [
    "sum",
    "average",
    "min",
    "max",
    "count",
    "median",
    "distinctcount",
  ];
  const aggregation = known.find((each) => each === output.function);
  return aggregation && output.of && { ...keyOf(output.of), aggregation };
}

function keyOf(expression: Expression): QueryColumn {
  if (expression.kind === "column") return { column_id: expression.name };
  const level = periods.find((each) => expression.kind === "period" && each === expression.period);
  if (expression.kind !== "period" || !level)
    throw new Error(`queries of the protocol have no ${expression.kind} expressions`);
  return { ...keyOf(expression.of), level };
}

function filtersOf(predicate: Predicate): readonly Filter[] {
  switch (predicate.kind) {
    case "and":
      return predicate.of.flatMap(filtersOf);
    case "in":
      return [{ ...keyOf(predicate.left), expression: "in", value: [...predicate.values] }];
    case "match":
      return [{ ...keyOf(predicate.left), expression: "like", value: [predicate.text] }];
    case "compare": {
      const { left, value } = predicate;
      const expression = Object.values(operators).find((each) => each === predicate.operator);
      if (!expression)
        throw new Error(`filters of the protocol have no operator ${predicate.operator}`);
      const column = keyOf(left);
      const isInstant = column.column_id.startsWith("dt") && typeof value === "number";
      return [
        { ...column, expression, value: [isInstant ? new Date(value).toISOString() : value] },
      ];
    }
    case "isNull":
    case "not":
    case "or":
      throw new Error(`filters of the protocol have no ${predicate.kind} predicates`);
  }
}
