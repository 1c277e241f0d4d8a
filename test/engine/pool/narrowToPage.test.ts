import * as assert from "uvu/assert";
import { openStore, type ColumnDefinition, type Plan, type Store } from "../../../engine/index.ts";
import { compareText } from "../../../engine/column/texts/compareText.ts";
import { isDeepPage, narrowToPage } from "../../../engine/pool/narrowToPage.ts";
import type { BoundOrder, BoundPlan, OrderBuckets } from "../../../engine/plan/boundPlan.ts";
import { sort } from "../../../engine/operators/output/sort.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import type { Row } from "../referenceEngine.ts";
import { makeFolder, toBatch, toCells } from "../tables.ts";

/** Number of rows. Pages of smaller tables are not narrowed. */
const rowCount = 150_000;
const columns: readonly ColumnDefinition[] = [
  { name: "double", type: "number" },
  { name: "few", type: "number" },
  { name: "text", type: "text" },
  { name: "skewed", type: "number" },
  { name: "time", type: "datetime" },
];

const orNull = (random: Random, value: number | string) => (random.chance(0.05) ? null : value);

function makeRow(random: Random): Row {
  return {
    double: orNull(random, (random.below(2 ** 31) - 2 ** 30) / 7),
    few: orNull(random, random.below(4) - 2),
    text: orNull(random, `text ${random.below(random.chance(0.5) ? 3 : 9000)}`),
    skewed: orNull(random, random.chance(0.001) ? 1e300 : random.below(90_000) / 64),
    time: orNull(random, 1e12 + random.below(2 ** 31) * 1000),
  };
}

/** Compares two cells. Nulls come last in both directions. */
function compareCells(one: Row[string], other: Row[string], sign: number): number {
  if (one === other) return 0;
  if (one === null) return 1;
  if (other === null) return -1;
  const difference =
    typeof one === "string" ? compareText(one, String(other)) : Number(one) - Number(other);
  return sign * difference;
}

/** The bucket of a number, as the kernel computes it. */
function bucketOf(value: number, { low, factor, bucketCount }: OrderBuckets): number {
  if (Number.isNaN(value)) return 0;
  return Math.max(1, Math.min(bucketCount - 1, 1 + Math.floor((value - low) * factor)));
}

suite("engine/pool/narrowToPage", (test) => {
  let store: Store;
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  const random = createRandom();
  const rows = Array.from({ length: rowCount }, () => makeRow(random));

  test.before(async () => {
    folder = await makeFolder();
    store = await openStore({ dir: folder.path, workers: 2, memoryBytes: 2 ** 28 });
    await store.create({ name: "t", columns });
    await store.append({ table: "t", rows: toBatch(columns, rows) });
  });
  test.after(async () => {
    await store.close();
    await folder.remove();
  });

  test("deep pages in any order contain the same rows as a plain sort of all rows", async () => {
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 1, deep: 4, soak: 40 }); round++) {
        const keys = columns.map(({ name }) => name).filter(() => random.chance(0.6));
        if (keys.length === 0) keys.push("double");
        if (random.chance(0.5)) keys.reverse();
        const signs = keys.map(() => random.pick([1, -1]));
        const minimum = random.pick([-2, -1]);
        const passing = rows.filter(({ few }) => few !== null && Number(few) >= minimum);
        passing.sort((one, other) => {
          for (const [index, key] of keys.entries()) {
            const difference = compareCells(
              one[key] ?? null,
              other[key] ?? null,
              signs[index] ?? 1,
            );
            if (difference !== 0) return difference;
          }
          return 0;
        });
        for (const offset of rounds({
          quick: [40_000],
          deep: [0, 40_000, random.below(passing.length), passing.length - 3],
        })) {
          const count = random.pick(rounds({ quick: [1, 100], deep: [1, 100, 37_000] }));
          const plan: Plan = {
            table: "t",
            grouped: false,
            outputs: keys.map((name) => ({ kind: "key", of: { kind: "column", name } })),
            filter: {
              kind: "compare",
              left: { kind: "column", name: "few" },
              operator: ">=",
              value: minimum,
            },
            order: keys.map((_, output) => ({ output, descending: signs[output] === -1 })),
            limit: { offset, count },
          };
          const found = toCells(await store.query(plan));
          const expected = passing
            .slice(offset, offset + count)
            .map((row) => keys.map((key) => row[key] ?? null));
          assert.equal(found.length, expected.length, JSON.stringify(plan));
          assert.is(JSON.stringify(found), JSON.stringify(expected), JSON.stringify(plan));
        }
      }
    });
  });

  test("a deep page reads only rows near the page, in the windows of one or more keys", async () => {
    await withSeed(random, async () => {
      const values = [
        Float64Array.from({ length: rowCount }, () => random.pick([NaN, 1, 2, 3])),
        Float64Array.from({ length: rowCount }, () => random.below(1_000_000) / 8),
      ];
      const order: BoundOrder[] = [
        { output: 0, descending: true, bounds: { minimum: 1, maximum: 3, isWhole: true } },
        { output: 1, descending: false, bounds: { minimum: 0, maximum: 125_000, isWhole: false } },
      ];
      const sorted = sort(values, order, rowCount);
      for (const offset of [33_000, 70_000, 149_000]) {
        const plan: BoundPlan = {
          rowCount,
          laneCount: 1,
          columns: [],
          cells: [
            { kind: "number", of: { kind: "column", column: 0 } },
            { kind: "number", of: { kind: "column", column: 1 } },
          ],
          order,
          limit: { offset, count: 10 },
        };
        const inWindows = ({ windows = [] }: BoundPlan, row: number) =>
          windows.every(
            (window) => window.passes[bucketOf(values[window.part]?.[row] ?? NaN, window)] === 1,
          );
        assert.ok(isDeepPage(plan));
        assert.not(isDeepPage({ ...plan, limit: { offset: 0, count: 1_000 } }));
        const narrowed = await narrowToPage(plan, async (counting) => {
          const { counted } = counting;
          if (!counted) throw new TypeError("the plan must count");
          const counts = new Float64Array(counted.bucketCount);
          for (let row = 0; row < rowCount; row++)
            if (inWindows(counting, row))
              counts[bucketOf(values[counted.part]?.[row] ?? NaN, counted)]!++;
          return counts;
        });
        const left = [...sorted].filter((row) => inWindows(narrowed, row));
        const { offset: skipped = 0 } = narrowed.limit ?? {};
        assert.equal(left.slice(skipped, skipped + 10), [...sorted.subarray(offset, offset + 10)]);
        assert.ok(left.length < 1000, `${left.length} rows`);
      }
    });
  });
});
