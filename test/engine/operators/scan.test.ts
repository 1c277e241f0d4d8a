import * as assert from "uvu/assert";
import { Memory } from "../../../engine/memory/memory.ts";
import { bindPlan } from "../../../engine/plan/bindPlan.ts";
import { Pool, type PoolAnswer } from "../../../engine/pool/pool.ts";
import { Table } from "../../../engine/table/table.ts";
import type { ColumnDefinition, Expression, Output, Plan } from "../../../engine/types.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom, type Random } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

const columns: readonly ColumnDefinition[] = [
  { name: "x", type: "number" },
  { name: "price", type: "number" },
  { name: "few", type: "number" },
  { name: "when", type: "datetime" },
  { name: "city", type: "text" },
  { name: "word", type: "text" },
];

/** Number of rows: three row groups, the last of which is open. */
const rowCount = 65_536 * 2 + 700;

function fill(random: Random, memory: Memory): Table {
  const table = new Table("t", memory, true, 0);
  const numbers = (make: () => number) => Float64Array.from({ length: rowCount }, make);
  const texts = (count: number, prefix: string, nullShare: number) => ({
    type: "text" as const,
    codes: Int32Array.from({ length: rowCount }, () =>
      random.chance(nullShare) ? -1 : random.below(count),
    ),
    dictionary: Array.from({ length: count }, (_, code) => `${prefix}${(code * 7919) % count}`),
  });
  const vectors = [
    { type: "number" as const, values: numbers(() => (random.below(2 ** 30) - 2 ** 29) / 3) },
    { type: "number" as const, values: numbers(() => random.below(90_000) / 100) },
    {
      type: "number" as const,
      values: numbers(() => (random.chance(0.1) ? NaN : random.below(9))),
    },
    {
      type: "datetime" as const,
      values: numbers(() => Date.UTC(2020, 0, 1) + random.below(2 ** 30) * 100),
    },
    texts(12, "c", 0.05),
    texts(500, "w", 0),
  ];
  table.apply({
    add: columns,
    rows: { names: columns.map(({ name }) => name), batch: { rowCount, columns: vectors } },
  });
  return table;
}

const column = (name: string): Expression => ({ kind: "column", name });
const key = (of: Expression): Output => ({ kind: "key", of });
const call = (name: string, ...of: Expression[]): Expression => ({
  kind: "call",
  function: name,
  of,
});
const rows: Output = { kind: "aggregate", function: "rows" };
const fold = (
  name: Extract<Output, { kind: "aggregate" }>["function"],
  of: Expression,
  fraction?: number,
): Output => ({
  kind: "aggregate",
  function: name,
  of,
  ...(fraction !== undefined && { fraction }),
});
const [x, price, few, city, word] = ["x", "price", "few", "city", "word"].map(column);
const made = call("concat", city, { kind: "literal", type: "text", value: "/" }, word);
const month: Expression = {
  kind: "period",
  of: column("when"),
  period: "month",
  timezone: "Europe/Brussels",
};

/** A filter that keeps two of nine rows. It is added to slow plans, so that they process fewer rows. */
const cheap = { kind: "compare", left: price, operator: "<", value: 200 } as const;

const plans: Readonly<Record<string, Omit<Plan, "table">>> = {
  "sums of doubles by a text column": {
    grouped: true,
    outputs: [
      key(city),
      fold("sum", x),
      fold("average", price),
      fold("stddev", x),
      fold("min", x),
      fold("max", price),
      fold("sum", few),
    ],
  },
  "selected rows by month, with percentiles and distinct counts": {
    grouped: true,
    outputs: [
      key(month),
      fold("sum", x),
      fold("median", x),
      fold("percentile", price, 0.9),
      fold("distinctcount", few),
    ],
    filter: { kind: "compare", left: price, operator: "<", value: 700 },
  },
  "counts and totals of rows that pass several tests": {
    grouped: true,
    outputs: [rows, fold("sum", price), fold("sum", few), fold("average", x)],
    filter: {
      kind: "and",
      of: [
        { kind: "match", left: word, match: "contains", text: "7" },
        { kind: "compare", left: price, operator: ">=", value: 100 },
        { kind: "compare", left: price, operator: "<", value: 800 },
        { kind: "not", of: { kind: "compare", left: city, operator: "=", value: "c3" } },
      ],
    },
  },
  "groups that are found by hashing": {
    filter: cheap,
    grouped: true,
    outputs: [
      key({ kind: "bin", of: call("divide", x, price), width: 5000, origin: 0 }),
      key(city),
      rows,
      fold("sum", x),
      fold("stddev", price),
      fold("distinctcount", word),
      fold("percentile", x, 0.25),
    ],
    order: [{ output: 3, descending: true }],
    limit: { count: 200, offset: 3 },
  },
  "groups by strings that are computed row by row": {
    filter: cheap,
    grouped: true,
    outputs: [key(made), rows, fold("sum", x)],
    order: [{ output: 0, descending: true }],
    limit: { count: 300, offset: 0 },
  },
  "measures of strings that are computed row by row": {
    filter: cheap,
    grouped: true,
    outputs: [
      key(city),
      fold("min", made),
      fold("max", made),
      fold("distinctcount", made),
      fold("approximatedistinctcount", made),
      fold("count", made),
    ],
    having: { kind: "compare", output: 1, operator: ">", value: "c1" },
  },
  "sketches of numbered groups": {
    grouped: true,
    outputs: [
      key(city),
      fold("approximatedistinctcount", x),
      fold("approximatepercentile", x, 0.9),
      fold("approximatepercentile", x, 0.1),
      fold("approximatepercentile", call("add", x, price), 0.5),
    ],
  },
  "sketches of hashed groups": {
    filter: cheap,
    grouped: true,
    outputs: [
      key(call("concat", city, call("right", word, { kind: "literal", type: "number", value: 1 }))),
      fold("approximatedistinctcount", x),
      fold("approximatepercentile", x, 0.9),
      fold("approximatedistinctcount", word),
    ],
  },
  "measures without keys": {
    grouped: true,
    outputs: [
      fold("sum", x),
      fold("stddev", x),
      fold("approximatepercentile", x, 0.5),
      fold("approximatedistinctcount", x),
      { kind: "aggregate", function: "weightedaverage", of: x, weight: price },
    ],
  },
  "the first rows in an order with ties": {
    grouped: false,
    outputs: [key(few), key(word), key(x)],
    order: [
      { output: 0, descending: true },
      { output: 1, descending: false },
    ],
    limit: { count: 50, offset: 10 },
  },
  "the first rows in the order of strings that are computed row by row": {
    filter: cheap,
    grouped: false,
    outputs: [key(x), key(made)],
    order: [{ output: 1, descending: false }],
    limit: { count: 40, offset: 5 },
  },
  "the rows that arrived first": {
    grouped: false,
    outputs: [key(made), key(price)],
    filter: { kind: "isNull", left: city },
    limit: { count: 30, offset: 7 },
  },
  "many groups, and the largest of them": {
    grouped: true,
    outputs: [key(word), key(city), fold("sum", price), fold("sum", x)],
    order: [{ output: 2, descending: true }],
    limit: { count: 20, offset: 0 },
  },
};

/** Returns the bits of numbers, and the strings behind the codes of computed strings. */
function shown({ columns: found, texts = [] }: PoolAnswer): unknown[] {
  return found.map((values, output) => {
    const own = texts[output];
    if (own) return Array.from(values, (code) => own[code - 1] ?? null);
    return Array.from(new BigUint64Array(values.slice().buffer));
  });
}

const workerCounts = rounds({ quick: [3], deep: [1, 2, 3, 8] });

suite("engine/operators/scan", (test) => {
  test.deep(
    `answers have the same bits with ${workerCounts.join(", ")} workers, whatever the size of the arenas`,
    async () => {
      const { seed } = createRandom();
      const expected = new Map<string, unknown[]>();
      for (const [arenaBytes, counts] of [
        [undefined, [2]],
        [1.25 * 2 ** 20, workerCounts],
      ] as const) {
        const memory = new Memory({ budgetBytes: 2 ** 28, ...(arenaBytes && { arenaBytes }) });
        const table = fill(createRandom(seed), memory);
        assert.ok(arenaBytes ? memory.arenas.length > 2 : memory.arenas.length === 1);
        const some = Object.entries(plans).filter(
          (_, index) => index % rounds({ quick: 4, deep: 1 }) === 0,
        );
        const bound = some.map(([name, plan]) => {
          const tables = new Map([["t", table.snapshot()]]);
          return { name, plan: bindPlan({ ...plan, table: "t" }, tables, memory).plan };
        });
        for (const workers of counts) {
          const pool = new Pool({ workers, memory });
          for (const { name, plan } of bound) {
            const answer = shown(await pool.run(plan));
            const label = `SEED=${seed} ${name}: ${workers} workers, arenas of ${arenaBytes} bytes`;
            if (expected.has(name)) assert.equal(answer, expected.get(name), label);
            else expected.set(name, answer);
            assert.is(memory.scratchUsedBytes, 0, label);
          }
          await pool.close();
        }
      }
    },
  );
});
