import { aggregates } from "../../../engine/aggregates.ts";
import { duckdbAggregate } from "../../support/duckdbAggregate.ts";
import { checkExpression } from "../../../engine/expressions/checkExpression.ts";
import type {
  DataType,
  Expression,
  Output,
  OutputPredicate,
  Plan,
  Predicate,
  Scalar,
} from "../../../engine/index.ts";
import type { RandomTable } from "../randomTables.ts";

/** A function that returns the type of an expression. */
type TypeOf = (expression: Expression) => DataType;

/**
 * Returns a plan as a query for DuckDB, with datetimes as milliseconds. A plan that `makePlan` generates with `isSql`
 * has the same result in DuckDB. The column `serial` of the plan's table contains the order of arrival.
 */
export function planSql(plan: Plan, tables: readonly RandomTable[]): string {
  const tableOf = (join: string | undefined) =>
    join === undefined ? plan.table : plan.joins?.find(({ name }) => name === join)?.table;
  const typeOf: TypeOf = (expression) =>
    checkExpression(expression, (name, join) => {
      const table = tables.find((each) => each.name === tableOf(join));
      const column = table?.columns.find((each) => each.name === name);
      if (!column) throw new Error(`there is no column ${name}`);
      return column.type;
    });
  const selected = plan.outputs.map((output, index) => `${outputSql(output, typeOf)} as o${index}`);
  const joins = (plan.joins ?? []).map(
    ({ name, table, left, right, filter }) =>
      `left join ${filter ? filteredSql(table, filter, tables) : `"${table}"`} j_${name} on j_${name}."${right}" = ${columnSql(left.name, left.join)}`,
  );
  const keys = plan.outputs.flatMap(({ kind }, index) => (kind === "key" ? [index + 1] : []));
  if (!plan.grouped) selected.push(`t."serial" as arrival`);
  const inner = [
    `select ${selected.join(", ")} from "${plan.table}" t`,
    ...joins,
    ...(plan.filter ? [`where ${predicateSql(plan.filter, typeOf)}`] : []),
    ...(plan.grouped && keys.length > 0 ? [`group by ${keys.join(", ")}`] : []),
  ].join(" ");
  const order = (plan.order ?? []).map(
    ({ output, descending }) => `o${output} ${descending ? "desc" : "asc"} nulls last`,
  );
  if (!plan.grouped) order.push("arrival");
  const outer = plan.outputs.map((output, index) =>
    output.kind === "aggregate" && output.function === "cumulativesum"
      ? `sum(o${index}) over (order by ${order.join(", ") || "1"} rows unbounded preceding)`
      : `o${index}`,
  );
  const { groupLimit } = plan;
  const equal = groupLimit?.outputs.map((output) => `o${output}`) ?? [];
  const place = `row_number() over (partition by ${equal.join(", ")} order by ${order.join(", ")})`;
  return [
    `select ${outer.join(", ")} from (${inner})`,
    ...(plan.having ? [`where ${havingSql(plan.having)}`] : []),
    ...(groupLimit
      ? [
          `qualify ${place} > ${groupLimit.offset} and ${place} <= ${groupLimit.offset + groupLimit.count}`,
        ]
      : []),
    ...(order.length > 0 ? [`order by ${order.join(", ")}`] : []),
    ...(plan.limit ? [`limit ${plan.limit.count} offset ${plan.limit.offset}`] : []),
  ].join(" ");
}

/** Returns the rows of a joined table that pass the filter of the join. */
function filteredSql(table: string, filter: Predicate, tables: readonly RandomTable[]): string {
  const own = tables.find((each) => each.name === table);
  const typeOf: TypeOf = (expression) =>
    checkExpression(expression, (name) => {
      const column = own?.columns.find((each) => each.name === name);
      if (!column) throw new Error(`there is no column ${name}`);
      return column.type;
    });
  return `(select * from "${table}" t where ${predicateSql(filter, typeOf)})`;
}

const columnSql = (name: string, join: string | undefined) =>
  join === undefined ? `t."${name}"` : `j_${join}."${name}"`;

/** Converts a datetime expression to milliseconds; other expressions stay unchanged. */
const shown = (sql: string, type: DataType) =>
  type === "datetime" ? `epoch_ms(${sql})::double` : sql;

function outputSql(output: Output, typeOf: TypeOf): string {
  if (output.kind === "key") return shown(expressionSql(output.of, typeOf), typeOf(output.of));
  const { of, weight, other, fraction, function: name } = output;
  const x = of ? expressionSql(of, typeOf) : "*";
  const sql = duckdbAggregate(name, x, {
    fraction,
    weight: weight && expressionSql(weight, typeOf),
    other: other && expressionSql(other, typeOf),
  });
  return of && aggregates[name].result === "T" ? shown(sql, typeOf(of)) : sql;
}

const symbols = { "=": "=", "<": "<", "<=": "<=", ">": ">", ">=": ">=" } as const;

function predicateSql(predicate: Predicate, typeOf: TypeOf): string {
  switch (predicate.kind) {
    case "and":
      return joined(
        predicate.of.map((part) => predicateSql(part, typeOf)),
        "and",
        "true",
      );
    case "or":
      return joined(
        predicate.of.map((part) => predicateSql(part, typeOf)),
        "or",
        "false",
      );
    case "not":
      return `(not ${predicateSql(predicate.of, typeOf)})`;
    case "compare":
    case "in":
    case "isNull":
    case "match":
      return leafSql(predicate, expressionSql(predicate.left, typeOf), typeOf(predicate.left));
  }
}

/** Returns the SQL of a `having`. Its outputs are numbers or strings, because datetimes are already milliseconds. */
function havingSql(predicate: OutputPredicate): string {
  switch (predicate.kind) {
    case "and":
      return joined(predicate.of.map(havingSql), "and", "true");
    case "or":
      return joined(predicate.of.map(havingSql), "or", "false");
    case "not":
      return `(not ${havingSql(predicate.of)})`;
    case "compare":
    case "in":
    case "isNull":
    case "match":
      return leafSql(predicate, `o${predicate.output}`, undefined);
  }
}

const joined = (parts: readonly string[], word: string, none: string) =>
  parts.length === 0 ? none : `(${parts.join(` ${word} `)})`;

type Leaf = Exclude<Predicate | OutputPredicate, { kind: "and" | "or" | "not" }>;

function leafSql(leaf: Leaf, left: string, type: DataType | undefined): string {
  const literal = (value: Scalar) =>
    literalSql(value, type ?? (typeof value === "string" ? "text" : "number"));
  switch (leaf.kind) {
    case "isNull":
      return `(${left} is null)`;
    case "compare":
      return `coalesce(${left} ${symbols[leaf.operator]} ${literal(leaf.value)}, false)`;
    case "in": {
      const values = leaf.values.filter((value) => value !== null).map(literal);
      const isIn =
        values.length > 0 ? `coalesce(${left} in (${values.join(", ")}), false)` : "false";
      return leaf.values.includes(null) ? `(${isIn} or ${left} is null)` : isIn;
    }
    case "match":
      return `coalesce(${matchSql(leaf.match, left, literalSql(leaf.text, "text"))}, false)`;
  }
}

const matchSql = (match: string, text: string, part: string) => {
  const name = { contains: "contains", startsWith: "starts_with", endsWith: "suffix" }[match];
  return `${name}(lower(${text}), lower(${part}))`;
};

function literalSql(value: Scalar, type: DataType): string {
  const name = { number: "double", datetime: "timestamp", text: "varchar" }[type];
  if (value === null) return `null::${name}`;
  if (type === "datetime") return `make_timestamp((${value}000)::bigint)`;
  return type === "number" ? `(${value})::double` : `'${String(value).replaceAll("'", "''")}'`;
}

const finite = (sql: string) => `(case when isfinite(${sql}) then ${sql} end)`;

function expressionSql(expression: Expression, typeOf: TypeOf): string {
  const sql = (part: Expression) => expressionSql(part, typeOf);
  switch (expression.kind) {
    case "column":
      return columnSql(expression.name, expression.join);
    case "literal":
      return literalSql(expression.value, expression.type);
    case "period":
      return `date_trunc('${expression.period}', ${sql(expression.of)})::timestamp`;
    case "bin": {
      const { of, width, origin } = expression;
      return finite(`((${origin}) + floor((${sql(of)} - (${origin})) / ${width}) * ${width})`);
    }
    case "case": {
      const branches = expression.branches.map(
        ({ when, then }) => `when ${predicateSql(when, typeOf)} then ${sql(then)}`,
      );
      const otherwise = expression.otherwise ? sql(expression.otherwise) : "null";
      return `(case ${branches.join(" ")} else ${otherwise} end)`;
    }
    case "call": {
      const write = calls[expression.function];
      if (!write) throw new Error(`${expression.function} has no SQL here`);
      const literals = expression.of.map((part) => (part.kind === "literal" ? part.value : null));
      return write(expression.of.map(sql), literals);
    }
  }
}

type Write = (parts: readonly string[], literals: readonly Scalar[]) => string;

const infix =
  (operator: string): Write =>
  ([left, right]) =>
    finite(`(${left} ${operator} ${right})`);

const prefix =
  (name: string): Write =>
  (parts) =>
    `${name}(${parts.join(", ")})`;

/**
 * Writes a function call that returns null if any argument is null, as in the engine. DuckDB's functions skip nulls.
 */
const strict =
  (name: string): Write =>
  (parts) =>
    `(case when ${parts.map((part) => `${part} is not null`).join(" and ")} then ${name}(${parts.join(", ")}) end)`;

const units: Readonly<Record<string, (count: number) => string>> = {
  year: (count) => `to_years(${count})`,
  quarter: (count) => `to_months(${count * 3})`,
  month: (count) => `to_months(${count})`,
  week: (count) => `to_days(${count * 7})`,
  day: (count) => `to_days(${count})`,
  hour: (count) => `to_hours(${count})`,
  minute: (count) => `to_minutes(${count})`,
  second: (count) => `to_seconds(${count})`,
  millisecond: (count) => `to_milliseconds(${count})`,
};

const parts: Readonly<Record<string, (datetime: string) => string>> = {
  weekday: (datetime) => `isodow(${datetime})`,
  weekyear: (datetime) => `isoyear(${datetime})`,
  millisecond: (datetime) => `(millisecond(${datetime}) % 1000)`,
};

const lengthsMs: Readonly<Record<string, number>> = {
  week: 604_800_000,
  hour: 3_600_000,
  minute: 60_000,
  second: 1000,
  millisecond: 1,
};

const calls: Readonly<Record<string, Write>> = {
  add: infix("+"),
  subtract: infix("-"),
  multiply: infix("*"),
  divide: ([left, right]) => finite(`(${left} / nullif(${right}, 0))`),
  modulo: ([left, right]) => finite(`(${left} % nullif(${right}, 0))`),
  quotient: ([left, right]) => finite(`trunc(${left} / nullif(${right}, 0))`),
  negate: ([value]) => `(-${value})`,
  abs: prefix("abs"),
  sign: ([value]) => `sign(${value})::double`,
  ceil: prefix("ceil"),
  floor: prefix("floor"),
  round: ([value], [, digits]) => `round(${value}, ${digits})`,
  sqrt: ([value]) => `(case when ${value} >= 0 then sqrt(${value}) end)`,
  coalesce: prefix("coalesce"),
  nullIf: prefix("nullif"),
  least: strict("least"),
  greatest: strict("greatest"),
  compare: ([left, right]) =>
    `(case when ${left} < ${right} then -1 when ${left} = ${right} then 0 when ${left} > ${right} then 1 end)::double`,
  length: ([text]) => `length(${text})::double`,
  position: ([text, part]) => `strpos(${text}, ${part})::double`,
  contains: ([text, part]) => `${matchSql("contains", text, part)}::int::double`,
  startsWith: ([text, part]) => `${matchSql("startsWith", text, part)}::int::double`,
  endsWith: ([text, part]) => `${matchSql("endsWith", text, part)}::int::double`,
  concat: (texts) => `(${texts.join(" || ")})`,
  lower: prefix("lower"),
  upper: prefix("upper"),
  trim: prefix("trim"),
  left: ([text], [, count]) => `left(${text}, ${count})`,
  right: ([text], [, count]) => `right(${text}, ${count})`,
  substring: ([text], [, position, count]) => `substring(${text}, ${position}, ${count})`,
  replace: prefix("replace"),
  splitPart: ([text, separator], [, , part]) => `split_part(${text}, ${separator}, ${part})`,
  repeat: ([text], [, count]) => `repeat(${text}, ${count})`,
  padStart: ([text, , fill], [, count]) => `lpad(${text}, ${count}, ${fill})`,
  padEnd: ([text, , fill], [, count]) => `rpad(${text}, ${count}, ${fill})`,
  datePart: ([, datetime], [part]) =>
    `${parts[String(part)]?.(datetime) ?? `${String(part)}(${datetime})`}::double`,
  dateDiff: ([, from, to], [period]) => {
    const lengthMs = lengthsMs[String(period)];
    if (!lengthMs) return `date_diff('${String(period)}', ${from}, ${to})::double`;
    // DuckDB truncates some differences toward 1970, which would merge the periods on both sides of it.
    const [start, end] = [from, to].map((at) => `epoch_ms(date_trunc('${String(period)}', ${at}))`);
    return `((${end} - ${start}) // ${lengthMs})::double`;
  },
  dateTrunc: ([, datetime], [period]) => `date_trunc('${String(period)}', ${datetime})::timestamp`,
  dateAdd: ([, , datetime], [period, count]) =>
    `(${datetime} + ${units[String(period)](Number(count))})::timestamp`,
  dateOf: ([datetime]) => `date_trunc('day', ${datetime})::timestamp`,
  epochMs: ([datetime]) => `epoch_ms(${datetime})::double`,
};
