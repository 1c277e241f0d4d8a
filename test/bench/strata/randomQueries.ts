import type {
  AggregateFunction,
  Expression,
  Output,
  Period,
  Plan,
  Predicate,
} from "../../../engine/index.ts";
import { createRandom, type Random } from "../../support/random.ts";
import { cardinalities, textOf, type TextColumn } from "./generateTable.ts";
import { planSql } from "./planSql.ts";
import { column, compare, isIn, securityFilter } from "./planParts.ts";
import type { BenchQuery } from "./benchQuery.ts";
import { typesOf } from "./typesOf.ts";

const dayMs = 86_400_000;
const firstDay = Date.UTC(2022, 0, 1) / dayMs;
const dayCount = 3 * 365;
const zones = ["UTC", "UTC", "Europe/Brussels", "America/New_York", "Asia/Kolkata"];
const measures = ["x", "y", "z", "i1", "i2"];

/** A key, and the approximate number of its distinct values. */
interface DrawnKey {
  readonly expression: Expression;
  readonly size: number;
}

/**
 * Returns random queries from the plan grammar. The same seed gives the same queries. Each query has exactly one
 * correct row order and at most 20,000 rows.
 */
export function drawQueries(seed: number, count: number): readonly BenchQuery[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const plan = random.chance(0.85) ? drawGrouped(random) : drawRows(random);
    const keyCount = plan.outputs.filter(({ kind }) => kind === "key").length;
    return {
      name: `R${index + 1}`,
      plan,
      duckdb: planSql(plan),
      types: typesOf(plan),
      keyCount,
      isOrdered: true,
    };
  });
}

function drawGrouped(random: Random): Plan {
  const wanted = random.pick([0, 1, 1, 1, 1, 2, 2, 2, 3]);
  const keys: DrawnKey[] = [];
  const drawn = new Set<string>();
  while (keys.length < wanted) {
    const key = drawKey(random);
    const name = JSON.stringify(key.expression);
    if (drawn.has(name)) continue;
    drawn.add(name);
    keys.push(key);
  }
  const aggregates = Array.from({ length: 1 + random.below(3) }, () => drawAggregate(random));
  const groupCount = keys.reduce((product, { size }) => product * size, 1);
  const isCut = groupCount > 20_000 || (groupCount > 20 && random.chance(0.4));
  const hasHaving = keys.length > 0 && random.chance(0.2);
  const outputs: Output[] = [
    ...keys.map(({ expression }): Output => ({ kind: "key", of: expression })),
    ...aggregates,
    ...(hasHaving ? [{ kind: "aggregate", function: "rows" } as const] : []),
  ];
  const keyOrder = keys.map((_, output) => ({ output, descending: random.chance(0.2) }));
  return {
    table: "f",
    ...joinsOf(outputs),
    outputs,
    grouped: true,
    filter: drawFilter(random),
    ...(hasHaving && {
      having: {
        kind: "compare" as const,
        output: outputs.length - 1,
        operator: ">" as const,
        value: random.pick([1, 5, 20]),
      },
    }),
    order: isCut
      ? [{ output: keys.length, descending: random.chance(0.8) }, ...keyOrder]
      : keyOrder,
    ...(isCut && {
      limit: { count: random.pick([10, 50, 500]), offset: random.chance(0.2) ? 20 : 0 },
    }),
  };
}

/**
 * Returns a query for plain rows, like a dashboard table. The rows are sorted by `y`, which has hardly any equal
 * values.
 */
function drawRows(random: Random): Plan {
  const shown = random.some(["dt", "s5", "s50", "s1000", "s50k", "s2m", "i1", "i2", "x", "z"], 0.4);
  const outputs = ["y", ...shown].map((name): Output => ({ kind: "key", of: column(name) }));
  return {
    table: "f",
    outputs,
    grouped: false,
    filter: drawFilter(random),
    order: [{ output: 0, descending: random.chance(0.5) }],
    limit: { count: random.pick([10, 100, 1000]), offset: random.chance(0.3) ? 100 : 0 },
  };
}

function drawKey(random: Random): DrawnKey {
  const kind = random.below(12);
  if (kind < 4) {
    const name = random.pick(["s5", "s5", "s50", "s50", "s1000", "s50k"] as const);
    return { expression: column(name), size: cardinalities[name] };
  }
  if (kind < 7) {
    const timezone = random.pick(zones);
    const [period, size] = random.pick<readonly [Period, number]>([
      ["year", 4],
      ["quarter", 13],
      ["month", 37],
      ["week", 158],
      ["day", 1096],
      ...(timezone === "UTC" ? [["hour", 26_280] as const] : []),
    ]);
    return {
      expression: { kind: "period", of: column(random.pick(["dt", "dtu"])), period, timezone },
      size,
    };
  }
  if (kind < 8) {
    const [name, width, size] = random.pick([
      ["i1", 50_000, 20],
      ["i2", 10, 10],
      ["x", 25, 41],
      ["y", 1000, 1000],
      ["z", 10, 11],
    ] as const);
    return { expression: { kind: "bin", of: column(name), width, origin: 0 }, size };
  }
  if (kind < 9) return { expression: { kind: "column", name: "cat20", join: "dim" }, size: 20 };
  if (kind < 10) {
    const [part, size] = random.pick([
      ["weekday", 7],
      ["hour", 24],
      ["month", 12],
    ] as const);
    return { expression: call("datePart", text(part), column("dtu"), text("UTC")), size };
  }
  if (kind < 11)
    return {
      expression: call("left", column("s1000"), { kind: "literal", type: "number", value: 7 }),
      size: 100,
    };
  return {
    expression: {
      kind: "case",
      branches: [
        { when: compare("x", ">=", 750), then: text("high") },
        { when: compare("x", ">=", 250), then: text("middle") },
      ],
      otherwise: text("low"),
    },
    size: 3,
  };
}

function drawAggregate(random: Random): Output {
  const name = random.pick([
    "sum",
    "sum",
    "sum",
    "average",
    "average",
    "rows",
    "rows",
    "count",
    "min",
    "max",
    "distinctcount",
    "median",
    "percentile",
    "stddev",
    "weightedaverage",
  ] satisfies AggregateFunction[]);
  if (name === "rows") return { kind: "aggregate", function: "rows" };
  if (name === "distinctcount") {
    const of = column(random.pick(["s50", "s1000", "s50k", "i2"]));
    return { kind: "aggregate", function: name, of };
  }
  if (name === "percentile")
    return {
      kind: "aggregate",
      function: name,
      of: column(random.pick(["x", "y"])),
      fraction: random.pick([0.1, 0.9, 0.99]),
    };
  if (name === "weightedaverage")
    return { kind: "aggregate", function: name, of: column("x"), weight: column("i2") };
  const isComputed = name === "sum" || name === "average";
  const of =
    isComputed && random.chance(0.3) ? drawComputed(random) : column(random.pick(measures));
  return { kind: "aggregate", function: name, of };
}

function drawComputed(random: Random): Expression {
  const then = column(random.pick(["x", "y"]));
  return random.pick([
    { kind: "case", branches: [{ when: isIn("s5", [textOf.s5(random.below(5))]), then }] },
    call("multiply", column("x"), column("i2")),
    call("add", column("x"), column("y")),
    call("subtract", column("y"), column("x")),
    call("coalesce", column("z"), { kind: "literal", type: "number", value: 0 }),
  ]);
}

function call(name: string, ...of: Expression[]): Expression {
  return { kind: "call", function: name, of };
}

function text(value: string): Expression {
  return { kind: "literal", type: "text", value };
}

/**
 * Returns up to three filters in addition to the security filter. Each filter is on a different column, so that few
 * answers are empty.
 */
function drawFilter(random: Random): Predicate {
  const wanted = random.below(4);
  const tests: Predicate[] = [];
  const used = new Set<string>();
  while (tests.length < wanted) {
    const test = drawTest(random, 0);
    const names = [...JSON.stringify(test).matchAll(/"name":"(\w+)"/g)].map(([, name]) => name!);
    if (names.some((name) => used.has(name))) continue;
    for (const name of names) used.add(name);
    tests.push(test);
  }
  return { kind: "and", of: [securityFilter.plan, ...tests] };
}

function drawTest(random: Random, depth: number): Predicate {
  const kind = random.below(depth < 2 ? 11 : 8);
  if (kind < 2) {
    const name = random.pick(["s5", "s50", "s1000", "s50k"] as const);
    const values = Array.from({ length: 1 + random.below(4) }, () => drawText(random, name));
    return isIn(name, [...new Set(values)]);
  }
  if (kind < 4) {
    const name = random.pick(["dt", "dt", "dtu"]);
    const from = firstDay + random.below(dayCount - 30);
    const to = from + random.pick([7, 30, 91, 365]);
    return {
      kind: "and",
      of: [compare(name, ">=", from * dayMs), compare(name, "<", to * dayMs)],
    };
  }
  if (kind < 6) {
    const [name, bound] = random.pick([
      ["x", 1000],
      ["y", 1_000_000],
      ["z", 100],
      ["i1", 1_000_000],
      ["i2", 100],
    ] as const);
    return compare(name, random.pick([">", ">=", "<", "<="]), random.below(bound));
  }
  if (kind < 7) {
    const [name, match, text] = random.pick([
      ["s50k", "contains", "foo"],
      ["s50k", "contains", "quark-0"],
      ["s50k", "startsWith", "item-mike"],
      ["s1000", "endsWith", "7"],
      ["s50", "contains", "3"],
    ] as const);
    return { kind: "match", left: column(name), match, text };
  }
  if (kind < 8) return { kind: "isNull", left: column("z") };
  if (kind < 9) return { kind: "not", of: drawTest(random, depth + 1) };
  return {
    kind: random.chance(0.5) ? "or" : "and",
    of: [drawTest(random, depth + 1), drawTest(random, depth + 1)],
  };
}

function drawText(random: Random, name: TextColumn): string {
  return textOf[name](random.below(cardinalities[name]));
}

function joinsOf(outputs: readonly Output[]): Pick<Plan, "joins"> {
  const isJoined = outputs.some(({ of }) => of?.kind === "column" && of.join === "dim");
  return isJoined
    ? { joins: [{ name: "dim", table: "dim", left: { name: "s50k" }, right: "s50k" }] }
    : {};
}
