import * as assert from "uvu/assert";
import { Memory } from "../../../engine/memory/memory.ts";
import { bindPlan } from "../../../engine/plan/bindPlan.ts";
import { Pool } from "../../../engine/pool/pool.ts";
import { percentile } from "../../../engine/sketches/quantile.ts";
import { Table } from "../../../engine/table/table.ts";
import type { Expression, Output, Plan } from "../../../engine/types.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

const rowGroup = 65_536;
/** Number of rows: several row groups, the last of which is open. */
const rowCount = rowGroup * rounds({ quick: 1, deep: 2 }) + 700;
const fractions = [0, 1e-9, 0.3, 0.5, 0.999, 1];

/** Generates the values of a column in one row group. All values are different. */
type Kind = (random: Random, group: number) => () => number;

const numbers: Readonly<Record<string, Kind>> = {
  bytes: (random, group) => () => group * 1000 - 1100 + random.below(200),
  halves: (random, group) => () => random.below(60_000) - group * 50_000,
  packed: (random) => () => random.below(2 ** 22) - 2 ** 21,
  words: (random, group) => () => (group === 0 ? random.below(9) : random.below(2 ** 31 - 1)),
  skewed: (random) => () => (random.chance(0.9) ? 5000 + random.below(3) : random.below(2 ** 24)),
  decimals: (random, group) => () =>
    [random.below(900) / 100, -random.below(50), random.below(2 ** 16) / 1000][group],
  steps: (random, group) => () => (group === 1 ? random.below(300) : random.below(400)) * 60_000,
  empty: (random, group) => () => (group === 0 ? NaN : random.below(90_000)),
  nothing: () => () => NaN,
  one: () => () => 1234.5,
  extremes: (random) => () => random.pick([2 ** 52, -(2 ** 52), random.below(2 ** 30)]),
  floats: (random) => () => (random.below(2 ** 30) - 2 ** 29) / 3,
};
const names = Object.keys(numbers);

interface Filled {
  readonly table: Table;
  readonly values: Readonly<Record<string, Float64Array>>;
  readonly codes: Readonly<Record<"few" | "many", Int32Array>>;
}

function fill(random: Random, memory: Memory): Filled {
  const values = Object.fromEntries(
    names.map((name) => {
      const nullShare = random.pick([0, 0, 0.3]);
      const makers = [0, 1, 2].map((group) => numbers[name](random, group));
      const column = Float64Array.from({ length: rowCount }, (_, row) =>
        random.chance(nullShare) ? NaN : makers[Math.floor(row / rowGroup)](),
      );
      return [name, column];
    }),
  );
  const text = (count: number, nullShare: number) =>
    Int32Array.from({ length: rowCount }, () =>
      random.chance(nullShare) ? -1 : random.below(count),
    );
  const codes = { few: text(7, 0.05), many: text(300, 0) };
  const dictionary = (count: number) =>
    Array.from({ length: count }, (_, code) => `t${1000 + code}`);
  const table = new Table("t", memory, true, 0);
  table.apply({
    add: [
      ...names.map((name) => ({ name, type: "number" as const })),
      { name: "few", type: "text" },
      { name: "many", type: "text" },
    ],
    rows: {
      names: [...names, "few", "many"],
      batch: {
        rowCount,
        columns: [
          ...names.map((name) => ({ type: "number" as const, values: values[name] })),
          { type: "text", codes: codes.few, dictionary: dictionary(7) },
          { type: "text", codes: codes.many, dictionary: dictionary(300) },
        ],
      },
    },
  });
  return { table, values, codes };
}

const column = (name: string): Expression => ({ kind: "column", name });
const key = (name: string): Output => ({ kind: "key", of: column(name) });
const percentileOf = (name: string, fraction: number): Output => ({
  kind: "aggregate",
  function: "percentile",
  of: column(name),
  fraction,
});

/** Combinations of keys, and an optional filter on the values of a column. */
const shapes: readonly (readonly [readonly ("few" | "many")[], number | undefined])[] = [
  [[], undefined],
  [["few"], undefined],
  [["many"], undefined],
  [["few", "many"], undefined],
  [["few"], 300],
  [[], 300],
];

/** Worker counts to test: one, several, and more than there are processors. */
const workerCounts = rounds({ quick: [2], deep: [1, 2, 3, 8] });

suite("engine/pool/gatherPercentiles", (test) => {
  test.deep(
    `percentiles with ${workerCounts.join(", ")} workers equal those of the sorted values`,
    async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        const memory = new Memory({
          budgetBytes: 2 ** 28,
          ...(random.chance(0.5) && { arenaBytes: 3 * 2 ** 20 }),
        });
        const { table, values, codes } = fill(random, memory);
        const tables = new Map([["t", table.snapshot()]]);
        const cases = rounds({ quick: [shapes[0], shapes[3], shapes[4]], deep: shapes }).map(
          ([keys, limit]) => {
            const plan: Plan = {
              table: "t",
              grouped: true,
              outputs: [
                ...keys.map(key),
                { kind: "aggregate", function: "rows" },
                ...names.flatMap((name) =>
                  fractions.map((fraction) => percentileOf(name, fraction)),
                ),
              ],
              ...(limit !== undefined && {
                filter: { kind: "compare", left: column("bytes"), operator: "<", value: limit },
              }),
            };
            const { plan: bound } = bindPlan(plan, tables, memory);
            const groups = new Map<number, number[]>();
            for (let row = 0; row < rowCount; row++) {
              if (limit !== undefined && !(values["bytes"][row] < limit)) continue;
              const place = keys.reduce((sum, name) => sum * 301 + codes[name][row] + 1, 0);
              const rows = groups.get(place);
              if (rows) rows.push(row);
              else groups.set(place, [row]);
            }
            const expected = [...groups.values()].map((rows) => [
              rows.length,
              ...names.flatMap((name) => {
                const own = Float64Array.from(rows, (row) => values[name][row]).filter(
                  (value) => value === value,
                );
                return fractions.map((fraction) => percentile(own, 0, own.length, fraction));
              }),
            ]);
            return { bound, keyCount: keys.length, expected: shown(expected) };
          },
        );
        assert.is(cases[0].bound.grouping?.mode, "direct");
        for (const workers of workerCounts) {
          const pool = new Pool({ workers, memory });
          for (const { bound, keyCount, expected } of cases) {
            const { columns } = await pool.run(bound);
            const measures = columns.slice(keyCount);
            const found = Array.from(measures[0], (_, group) =>
              measures.map((measure) => measure[group]),
            );
            assert.equal(shown(found), expected, `${workers} workers, ${keyCount} keys`);
            assert.is(memory.scratchUsedBytes, 0);
          }
          await pool.close();
        }
      });
    },
  );
});

/** Returns rows as strings in a fixed order. */
function shown(rows: readonly (readonly number[])[]): string[] {
  return rows.map((row) => row.map((value) => String(value + 0)).join(" ")).sort();
}
