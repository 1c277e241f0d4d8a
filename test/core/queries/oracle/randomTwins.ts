import type { Random } from "../../../support/random.ts";
import { randomTyped } from "../expressions/randomTyped.ts";
import type { FormulaTwin } from "./oracleQuery.ts";
import type { RowTwin, ValueType } from "./values.ts";

interface Named<Twin> {
  readonly text: string;
  readonly twin: Twin;
}

/** Expressions that read the clock of the query's time zone. Their SQL reads the column that contains this clock. */
const clocked: readonly (readonly [string, ValueType, (zone: number) => string])[] = [
  ["hour({D:w})", "numeric", (zone) => `hour("w@local@${zone}")::double`],
  ["weekday({D:at})", "numeric", (zone) => `isodow("at@local@${zone}")::double`],
  ["week({D:v})", "numeric", (zone) => `week("v@local@${zone}")::double`],
  ["weekyear({D:w})", "numeric", (zone) => `isoyear("w@local@${zone}")::double`],
  ["dayofyear({D:v})", "numeric", (zone) => `dayofyear("v@local@${zone}")::double`],
  ["date_trunc('month', {D:v})", "datetime", (zone) => `"v@month@${zone}"`],
  ["date_trunc('hour', {D:at})", "datetime", (zone) => `"at@hour@${zone}"`],
  ["date_of({D:w})", "datetime", (zone) => `date_trunc('day', "w@local@${zone}")::timestamp`],
  [
    "format_date({D:w}, 'yyyy-MM-dd HH:mm')",
    "hierarchy",
    (zone) => `strftime("w@local@${zone}", '%Y-%m-%d %H:%M')`,
  ],
  [
    "parse_date(format_date({D:w}, 'dd.MM.yyyy HH:mm'), '%d.%m.%Y %H:%M')",
    "datetime",
    (zone) => `try_strptime(strftime("w@local@${zone}", '%d.%m.%Y %H:%M'), '%d.%m.%Y %H:%M')`,
  ],
  [
    "date_diff('day', {D:w}, {D:v})",
    "numeric",
    (zone) =>
      `((epoch_ms(date_trunc('day', "v@local@${zone}")) - epoch_ms(date_trunc('day', "w@local@${zone}"))) // 86400000)::double`,
  ],
];

/**
 * Returns a random expression over a row. Expressions of `randomTyped` read the clock in UTC, so only queries in UTC
 * use them.
 */
export function randomRowTwin(random: Random, zone: number): Named<RowTwin> {
  if (zone !== 0 || random.chance(0.3)) {
    const [text, type, sql] = random.pick(clocked);
    return { text, twin: { type, isDate: text.startsWith("date_of"), sql } };
  }
  const kind = random.pick(["number", "text", "datetime"] as const);
  const { source, sql } = randomTyped(random, kind, 2 + random.below(2));
  const type = ({ number: "numeric", text: "hierarchy", datetime: "datetime" } as const)[kind];
  return { text: source, twin: { type, isDate: /^(date_of|cast)/.test(source), sql: () => sql } };
}

type Aggregate = FormulaTwin["aggregates"][number];
const isPositive: RowTwin = {
  type: "numeric",
  isDate: false,
  sql: () => `case when tested("n" > 0) then "m" else 0 end`,
};
const numbers: readonly (readonly [string, Aggregate])[] = [
  ["SUM({D:n})", { name: "sum", of: "n" }],
  ["sum({D:m})", { name: "sum", of: "m" }],
  ["AVG({D:m})", { name: "average", of: "m" }],
  ["MIN({D:n})", { name: "min", of: "n" }],
  ["max({D:m})", { name: "max", of: "m" }],
  ["COUNT({D:s})", { name: "count", of: "s" }],
  ["COUNTD({D:city})", { name: "distinctcount", of: "city" }],
  ["COUNTR()", { name: "count" }],
  ["MEDIAN({D:n})", { name: "median", of: "n" }],
  ["SUM(if({D:n} > 0, {D:m}, 0))", { name: "sum", of: isPositive }],
];

/**
 * Returns a random formula over a group. Engines that compute its steps in the same order get the same double.
 */
export function randomFormula(random: Random): Named<FormulaTwin> {
  if (random.chance(0.2))
    return {
      text: "MAX({D:city}) || '/' || cast(COUNTD({D:word}) as text)",
      twin: {
        type: "hierarchy",
        aggregates: [
          { name: "max", of: "city" },
          { name: "distinctcount", of: "word" },
        ],
        sql: ([one, other]) => `(${one} || '/' || (${other}::bigint)::varchar)`,
      },
    };
  const [[one, first], [other, second]] = [random.pick(numbers), random.pick(numbers)];
  const operator = random.pick(["+", "-", "*", "/"]);
  const made = (text: string, sql: (a: string, b: string) => string): Named<FormulaTwin> => ({
    text,
    twin: {
      type: "numeric",
      aggregates: [first, second],
      sql: ([a = "", b = ""]) => sql(a, b),
    },
  });
  return random.pick([
    made(`${one} ${operator} ${other}`, (a, b) => `finite(${a} ${operator} ${b})`),
    made(`coalesce(${one} / ${other}, -1)`, (a, b) => `coalesce(finite(${a} / ${b}), -1)`),
    made(
      `if(${one} > ${other}, 1, 0)`,
      (a, b) => `case when tested(${a} > ${b}) then 1::double else 0::double end`,
    ),
    made(`abs(${one}) * 100 - ${other}`, (a, b) => `finite(finite(abs(${a}) * 100) - ${b})`),
  ]);
}
