import type { Expression, Predicate } from "../../../engine/index.ts";
import { sqlText } from "../strata/benchQuery.ts";
import { joinsOf } from "./joinsOf.ts";
import type { Measure, PublicPart, PublicQuestion, Test } from "./publicPart.ts";
import { typeOf } from "./typeOf.ts";

export type Dialect = "duckdb" | "clickhouse";

/** The parts of the SQL in which the peers differ. */
interface Words {
  median(of: string): string;
  splitPart(of: string, separator: string, part: string): string;
  /** Rounds halves away from zero. ClickHouse rounds halves of floats to even numbers. */
  round(of: string): string;
}

const words: Readonly<Record<Dialect, Words>> = {
  duckdb: {
    median: (of) => `median(${of})`,
    splitPart: (of, separator, part) => `split_part(${of}, ${separator}, ${part})`,
    round: (of) => `round(${of})`,
  },
  clickhouse: {
    median: (of) => `quantileExactInclusive(0.5)(${of})`,
    splitPart: (of, separator, part) => `splitByString(${separator}, ${of})[${part}]`,
    round: (of) => `floor(${of} + 0.5)`,
  },
};

/** Returns a question as the SQL that a user of DuckDB or ClickHouse would write. */
export function sqlOf(question: PublicQuestion, part: PublicPart, dialect: Dialect): string {
  const { table, keys, measures, isRaw, where = [], having, order = [], limit } = question;
  const writer = createWriter(table, part, words[dialect]);
  const outputs = [...keys.map(writer.expression), ...measures.map(writer.measure)];
  const from = [
    `from ${table}`,
    ...joinsOf(question, part).map(
      ({ table: joined, left, right }) => `join ${joined} on ${left.name} = ${right}`,
    ),
    ...(where.length > 0 ? [`where ${where.map(writer.test).join(" and ")}`] : []),
  ].join(" ");
  const sorted =
    order.length > 0
      ? ` order by ${order.map(({ output, descending }) => `${output + 1}${descending ? " desc" : ""}`).join(", ")}`
      : "";
  if (limit?.per !== undefined) {
    const [by = ""] = order.map(
      ({ output, descending }) => `${outputs[output]}${descending ? " desc" : ""}`,
    );
    const key = outputs[limit.per];
    if (dialect === "clickhouse")
      return `select ${outputs.join(", ")} ${from} order by ${by} limit ${limit.count} by ${key}`;
    return `select ${outputs.join(", ")} from (select ${outputs.join(", ")}, row_number() over (partition by ${key} order by ${by}) as place ${from}) where place <= ${limit.count}`;
  }
  const grouped =
    !isRaw && keys.length > 0 ? ` group by ${keys.map((_, at) => at + 1).join(", ")}` : "";
  const kept = having ? ` having ${outputs[keys.length + having.measure]} > ${having.above}` : "";
  const cut = limit
    ? ` limit ${limit.count}${limit.offset > 0 ? ` offset ${limit.offset}` : ""}`
    : "";
  return `select ${outputs.join(", ")} ${from}${grouped}${kept}${sorted}${cut}`;
}

const operators: Readonly<Record<string, string>> = {
  add: "+",
  subtract: "-",
  multiply: "*",
  divide: "/",
};

const aggregates: Readonly<Record<string, string>> = {
  sum: "sum",
  min: "min",
  max: "max",
  average: "avg",
  stddev: "stddev_samp",
};

function createWriter(table: string, part: PublicPart, own: Words) {
  const expression = (of: Expression): string => {
    switch (of.kind) {
      case "column":
        return of.name;
      case "literal":
        return typeof of.value === "string" ? sqlText(of.value) : String(of.value);
      case "period":
        return `date_trunc('${of.period}', ${expression(of.of)})`;
      case "case": {
        const branches = of.branches.map(
          ({ when, then }) => `when ${test(when)} then ${expression(then)}`,
        );
        return `case ${branches.join(" ")} else ${of.otherwise ? expression(of.otherwise) : "null"} end`;
      }
      case "call":
        return call(of.function, of.of);
      case "bin":
        throw new Error("no question uses bins");
    }
  };
  const call = (name: string, of: readonly Expression[]): string => {
    const sql = of.map(expression);
    const operator = operators[name];
    if (operator !== undefined) return `(${sql.join(` ${operator} `)})`;
    const [first = "", second = "", third = ""] = sql;
    switch (name) {
      case "length":
        return `length(${first})`;
      case "replace":
        return `replace(${sql.join(", ")})`;
      case "round":
        return own.round(first);
      case "splitPart":
        return own.splitPart(first, second, third);
      case "datePart":
        return `${first.slice(1, -1)}(${second})`;
      default:
        throw new Error(`no question uses the function ${name}`);
    }
  };
  const test = (of: Test | Predicate): string => {
    switch (of.kind) {
      case "and":
      case "or":
        return `(${of.of.map(test).join(` ${of.kind} `)})`;
      case "not":
        if (of.of.kind === "compare" && of.of.operator === "=")
          return `${expression(of.of.left)} <> ${value(of.of.value, of.of.left)}`;
        return `not (${test(of.of)})`;
      case "compare":
        return `${expression(of.left)} ${of.operator} ${value(of.value, of.left)}`;
      case "columns":
        return `${expression(of.left)} ${of.operator} ${expression(of.right)}`;
      case "in":
        return `${expression(of.left)} in (${of.values.map((each) => value(each ?? "", of.left)).join(", ")})`;
      case "match":
        return `${expression(of.left)} like ${sqlText(`${of.match === "startsWith" ? "" : "%"}${of.text}%`)}`;
      case "isNull":
        return `${expression(of.left)} is null`;
    }
  };
  /** Writes a value. Datetimes are milliseconds at midnight. */
  const value = (given: number | string, left: Expression): string => {
    if (typeof given === "string") return sqlText(given);
    return typeOf(left, table, part) === "datetime"
      ? sqlText(new Date(given).toISOString().slice(0, 10))
      : String(given);
  };
  const measure = (of: Measure | number): string => {
    if (typeof of === "number") return String(of);
    if (of.kind === "formula") return `(${of.of.map(measure).join(` ${operators[of.function]} `)})`;
    if (of.function === "rows" || !of.of) return "count(*)";
    const inner = expression(of.of);
    if (of.function === "distinctcount") return `count(distinct ${inner})`;
    if (of.function === "median") return own.median(inner);
    const name = aggregates[of.function];
    if (name === undefined) throw new Error(`no question uses the aggregate ${of.function}`);
    return `${name}(${inner})`;
  };
  return { expression, test, measure };
}
