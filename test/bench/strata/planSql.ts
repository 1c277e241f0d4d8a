import { duckdbAggregate } from "../../support/duckdbAggregate.ts";
import type {
  Expression,
  Output,
  OutputPredicate,
  Plan,
  Predicate,
} from "../../../engine/index.ts";
import { sqlText } from "./benchQuery.ts";

const nullable = new Set(["z"]);

/**
 * Returns a plan as the SQL that a DuckDB user would write. Filters on columns without nulls stay plain. Under `not`, a
 * filter on a column with nulls is written so that it is never null. Strings in the bench are lower case, so that LIKE
 * matches the same values as `contains`.
 */
export function planSql(plan: Plan): string {
  const { outputs, joins = [], filter, grouped, having, order = [], limit } = plan;
  const keys = outputs.flatMap((output, index) => (output.kind === "key" ? [index + 1] : []));
  const parts = [
    `SELECT ${outputs.map((output, index) => `${outputSql(output, plan)} AS c${index}`).join(", ")}`,
    `FROM ${plan.table}`,
    ...joins.map(
      ({ name, table, left, right }) =>
        `LEFT JOIN ${table} AS ${name} ON ${left.join ?? plan.table}.${left.name} = ${name}.${right}`,
    ),
    ...(filter ? [`WHERE ${predicateSql(filter, plan, false)}`] : []),
    ...(grouped && keys.length > 0 ? [`GROUP BY ${keys.join(", ")}`] : []),
    ...(having ? [`HAVING ${havingSql(having)}`] : []),
    ...(order.length > 0
      ? [
          `ORDER BY ${order.map(({ output, descending }) => `${output + 1} ${descending ? "DESC" : "ASC"} NULLS LAST`).join(", ")}`,
        ]
      : []),
    ...(limit ? [`LIMIT ${limit.count} OFFSET ${limit.offset}`] : []),
  ];
  return parts.join(" ");
}

function outputSql(output: Output, plan: Plan): string {
  if (output.kind === "key") return expressionSql(output.of, plan);
  const { of, weight, other, fraction } = output;
  return duckdbAggregate(output.function, of ? expressionSql(of, plan) : "*", {
    fraction,
    weight: weight && expressionSql(weight, plan),
    other: other && expressionSql(other, plan),
  });
}

function expressionSql(expression: Expression, plan: Plan): string {
  switch (expression.kind) {
    case "column":
      return `${expression.join ?? plan.table}.${expression.name}`;
    case "literal":
      if (expression.value === null) return "NULL";
      return typeof expression.value === "number"
        ? numberSql(expression.value)
        : sqlText(expression.value);
    case "period": {
      const of = expressionSql(expression.of, plan);
      const zone = sqlText(expression.timezone);
      return expression.timezone === "UTC"
        ? `date_trunc('${expression.period}', ${of})`
        : `date_trunc('${expression.period}', (${of} AT TIME ZONE 'UTC') AT TIME ZONE ${zone}) AT TIME ZONE ${zone}`;
    }
    case "bin": {
      const { width, origin } = expression;
      const of = expressionSql(expression.of, plan);
      return `${numberSql(origin)} + floor((${of} - ${numberSql(origin)}) / ${numberSql(width)}) * ${numberSql(width)}`;
    }
    case "case": {
      const branches = expression.branches.map(
        ({ when, then }) =>
          `WHEN ${predicateSql(when, plan, false)} THEN ${expressionSql(then, plan)}`,
      );
      const otherwise = expression.otherwise
        ? ` ELSE ${expressionSql(expression.otherwise, plan)}`
        : "";
      return `CASE ${branches.join(" ")}${otherwise} END`;
    }
    case "call":
      return callSql(expression.function, expression.of, plan);
  }
}

/** Writes whole numbers as DOUBLE, because a plan computes with doubles. */
function numberSql(value: number): string {
  return Number.isInteger(value) ? `${value}::DOUBLE` : String(value);
}

const operators: Readonly<Record<string, string>> = { add: "+", subtract: "-", multiply: "*" };
const dateParts: Readonly<Record<string, string>> = { weekday: "isodow" };

function callSql(name: string, of: readonly Expression[], plan: Plan): string {
  const sql = of.map((each) => expressionSql(each, plan));
  if (operators[name]) return `(${sql.join(` ${operators[name]} `)})`;
  if (name === "coalesce") return `coalesce(${sql.join(", ")})`;
  const [part, , zone] = of.map((each) => (each.kind === "literal" ? each.value : undefined));
  if (name === "datePart" && typeof part === "string" && zone === "UTC")
    return `date_part('${dateParts[part] ?? part}', ${sql[1]})`;
  if (name === "left" && of[1]?.kind === "literal") return `left(${sql[0]}, ${of[1].value})`;
  throw new Error(`random queries do not use the function ${name}`);
}

function predicateSql(predicate: Predicate, plan: Plan, isNegated: boolean): string {
  const twoValued = (left: Expression, sql: string) =>
    isNegated && left.kind === "column" && nullable.has(left.name)
      ? `coalesce(${sql}, false)`
      : sql;
  switch (predicate.kind) {
    case "and":
    case "or":
      return `(${predicate.of.map((each) => predicateSql(each, plan, isNegated)).join(` ${predicate.kind.toUpperCase()} `)})`;
    case "not":
      return `NOT (${predicateSql(predicate.of, plan, true)})`;
    case "isNull":
      return `${expressionSql(predicate.left, plan)} IS NULL`;
    case "match":
      if (/[%_'\\]/.test(predicate.text))
        throw new Error(`LIKE would treat ${predicate.text} as a pattern`);
      return twoValued(
        predicate.left,
        `${expressionSql(predicate.left, plan)} LIKE '${predicate.match === "startsWith" ? "" : "%"}${predicate.text}${predicate.match === "endsWith" ? "" : "%"}'`,
      );
    case "in":
      return twoValued(
        predicate.left,
        `${expressionSql(predicate.left, plan)} IN (${predicate.values.map((value) => valueSql(value ?? "", predicate.left)).join(", ")})`,
      );
    case "compare":
      return twoValued(
        predicate.left,
        `${expressionSql(predicate.left, plan)} ${predicate.operator} ${valueSql(predicate.value, predicate.left)}`,
      );
  }
}

/** Returns a SQL literal. Datetimes are numbers of milliseconds. */
function valueSql(value: number | string, left: Expression): string {
  if (typeof value === "string") return sqlText(value);
  const isDatetime = left.kind === "column" && left.name.startsWith("dt");
  return isDatetime
    ? `TIMESTAMP '${new Date(value).toISOString().replace("T", " ").slice(0, 23)}'`
    : String(value);
}

function havingSql(predicate: OutputPredicate): string {
  switch (predicate.kind) {
    case "and":
    case "or":
      return `(${predicate.of.map(havingSql).join(` ${predicate.kind.toUpperCase()} `)})`;
    case "compare":
      return `c${predicate.output} ${predicate.operator} ${predicate.value}`;
    case "in":
    case "isNull":
    case "match":
    case "not":
      throw new Error(`random queries do not use ${predicate.kind} after grouping`);
  }
}
