import type { AggregateFunction } from "../aggregates.ts";
import type { Expression, Output, Period, Plan, Predicate } from "../types.ts";
import { dimensionName, factsName } from "./warmTables.ts";

const column = (name: string): Expression => ({ kind: "column", name });
const joined = (name: string): Expression => ({ kind: "column", name, join: "of" });
const number = (value: number): Expression => ({ kind: "literal", type: "number", value });
const text = (value: string): Expression => ({ kind: "literal", type: "text", value });
const call = (name: string, ...of: Expression[]): Expression => ({
  kind: "call",
  function: name,
  of,
});
const period = (of: string, name: Period, timezone = "UTC"): Expression => ({
  kind: "period",
  of: column(of),
  period: name,
  timezone,
});
const bin = (of: string, width: number): Expression => ({
  kind: "bin",
  of: column(of),
  width,
  origin: 0,
});
const compare = (
  left: Expression,
  operator: "=" | "<" | "<=" | ">" | ">=",
  value: number | string,
): Predicate => ({ kind: "compare", left, operator, value });
const isIn = (name: string, ...values: (string | number | null)[]): Predicate => ({
  kind: "in",
  left: column(name),
  values,
});
const match = (name: string, how: "contains" | "startsWith" | "endsWith", part: string) =>
  ({ kind: "match", left: column(name), match: how, text: part }) as const;
const not = (of: Predicate): Predicate => ({ kind: "not", of });
const and = (...of: Predicate[]): Predicate => ({ kind: "and", of });
const or = (...of: Predicate[]): Predicate => ({ kind: "or", of });
const choose = (when: Predicate, then: Expression, otherwise?: Expression): Expression => ({
  kind: "case",
  branches: [{ when, then }],
  ...(otherwise && { otherwise }),
});
const aggregate = (name: AggregateFunction, of?: Expression, more = {}): Output => ({
  kind: "aggregate",
  function: name,
  ...(of && { of }),
  ...more,
});

const periods = ["year", "quarter", "month", "week", "day"] as const;
const dateParts = ["weekday", "hour", "month", "day", "year"];
const zones = ["Europe/Brussels", "Asia/Kolkata", "America/New_York"];

const day = 86_400_000;
const from = Date.UTC(2020, 0, 1);

/**
 * This list and the next two lists contain every kind of key, aggregate and filter. Each plan uses the next item of
 * each list. The lengths of the lists have no common divisor, so the plans combine every item with every other item.
 * Constants and lengths differ from plan to plan, because results over the strings of a dictionary are cached with the
 * dictionary.
 */
const keysOf = (index: number): readonly (readonly Expression[])[] => [
  [column("few")],
  [],
  [column("some"), column("few")],
  [period("day", periods[index % 5])],
  [column("many")],
  [period("instant", "day", zones[index % 3]), column("few")],
  [bin("tiny", 10)],
  [joined("class")],
  [column("many"), column("some")],
  [call("datePart", text(dateParts[index % 5]), column("instant"), text("UTC")), column("some")],
  [bin("decimal", 25), period("day", "quarter")],
  [call("left", column("many"), number(5 + (index % 5)))],
  [period("instant", "hour")],
  [choose(compare(column("decimal"), ">=", 500), text("high"), column("some")), column("few")],
  [column("double")],
  [column("tiny"), period("instant", "week", "America/New_York")],
  [bin("double", 50), column("some")],
];
const aggregates: readonly (readonly Output[])[] = [
  [aggregate("sum", column("decimal")), aggregate("rows")],
  [aggregate("average", column("small")), aggregate("count", column("double"))],
  [aggregate("sum", call("multiply", column("decimal"), column("tiny")))],
  [aggregate("distinctcount", column("many")), aggregate("sum", column("double"))],
  [aggregate("min", column("small")), aggregate("max", column("double"))],
  [aggregate("median", column("decimal"))],
  [aggregate("stddev", column("small")), aggregate("approximatedistinctcount", column("some"))],
  [
    aggregate("weightedaverage", column("decimal"), { weight: column("tiny") }),
    aggregate("approximatepercentile", column("small"), { fraction: 0.5 }),
  ],
  [aggregate("average", choose(isIn("few", "kind 1"), column("decimal")))],
  [aggregate("percentile", column("double"), { fraction: 0.9 }), aggregate("sum", column("tiny"))],
  [
    aggregate("sum", call("coalesce", column("double"), number(0))),
    aggregate("max", column("day")),
  ],
  [aggregate("cumulativesum", column("middle")), aggregate("distinctcount", column("tiny"))],
  [
    aggregate("average", call("add", column("single"), column("large"))),
    aggregate("corr", column("decimal"), { other: column("tiny") }),
  ],
];
const filtersOf = (index: number): readonly (Predicate | undefined)[] => [
  undefined,
  isIn("few", "kind 0", "kind 1", "kind 2"),
  compare(column("decimal"), ">", 400),
  and(compare(column("day"), ">=", from + 30 * day), compare(column("day"), "<", from + 300 * day)),
  match("many", "contains", `g ${index % 89}`),
  and(isIn("some", "place 3", "place 200"), not({ kind: "isNull", left: column("double") })),
  or(compare(column("small"), "<=", 9000), match("some", "endsWith", `${index % 10}`)),
  compare(call("subtract", column("large"), column("middle")), ">", 1e9),
  and(compare(column("single"), "<", 50), not(isIn("few", "kind 3", null))),
  and(compare(column("instant"), ">=", from + 50 * day), compare(column("tiny"), ">=", 20)),
  and(
    isIn("many", ...[5, 77, 1234].map((code) => `thing ${(code * index) % 1200}`)),
    match("few", "startsWith", "kind"),
  ),
];
const rowOutputs: readonly (readonly Expression[])[] = [
  [column("large"), column("day"), column("many"), column("double")],
  [column("middle"), column("some"), call("upper", column("few")), column("instant")],
  [column("decimal"), joined("class"), call("concat", column("few"), text("/"), column("some"))],
];

/**
 * Intervals, in numbers of plans. One plan per interval has the named property: it selects raw rows, filters its
 * groups, limits them, or sorts a key in descending order.
 */
const rowsEvery = 7;
const havingEvery = 5;
const cutEvery = 4;
const descendingEvery = 5;

/**
 * Returns one plan of an endless sequence that combines every kind of key with every kind of aggregate, filter and
 * order.
 */
export function warmPlan(index: number): Plan {
  const of = <Item>(items: readonly Item[]) => items[index % items.length];
  const filter = of(filtersOf(index));
  const isGrouped = index % rowsEvery !== 0;
  const keyOutputs = (isGrouped ? of(keysOf(index)) : of(rowOutputs)).map((key): Output => ({
    kind: "key",
    of: key,
  }));
  const outputs = isGrouped ? [...keyOutputs, ...of(aggregates)] : keyOutputs;
  const byKeys = keyOutputs.map((_, output) => ({
    output,
    descending: (index + output) % descendingEvery === 0,
  }));
  const isCut = !isGrouped || index % cutEvery === 0;
  const last = outputs.length - 1;
  return {
    table: factsName,
    joins: [{ name: "of", table: dimensionName, left: { name: "many" }, right: "id" }],
    outputs,
    grouped: isGrouped,
    ...(filter && { filter }),
    ...(isGrouped &&
      index % havingEvery === 0 && {
        having: { kind: "compare", output: last, operator: ">", value: 5 },
      }),
    order: isCut && isGrouped ? [{ output: last, descending: true }, ...byKeys] : byKeys,
    ...(isCut && { limit: { count: 100, offset: 0 } }),
  };
}
