import assert from "node:assert/strict";
import { join } from "node:path";
import { rowGroupSize } from "../../../engine/column/segment/segment.ts";
import { openStore, type ColumnDefinition, type Plan, type Store } from "../../../engine/index.ts";
import { vectorSize } from "../../../engine/kernels/kernels.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { makeFolder, toCells } from "../tables.ts";

const rowCount = rounds({ quick: 1, deep: 4 }) * rowGroupSize + 5000;
const columns: readonly ColumnDefinition[] = [
  { name: "when", type: "datetime" },
  { name: "region", type: "text" },
  { name: "level", type: "number" },
  { name: "price", type: "number" },
  { name: "y", type: "number" },
  { name: "z", type: "number" },
];
const regions = ["a", "b", "c", "d", "e"];
const column = (name: string) => ({ kind: "column", name }) as const;

/** Returns rows of about four months in chronological order. They contain floats whose sums must be rounded. */
function makeRows(random: ReturnType<typeof createRandom>) {
  const of = (make: (row: number) => number) =>
    Float64Array.from({ length: rowCount }, (_, row) => make(row));
  const double = () => (random.below(2 ** 30) / 7) * 10 ** (random.below(12) - 6);
  return {
    when: of(
      (row) =>
        Date.UTC(2024, 0, 20) +
        Math.floor((row / rowCount) * 100) * 86_400_000 +
        random.below(2 * 86_400_000),
    ),
    region: Int32Array.from({ length: rowCount }, () => random.below(regions.length)),
    level: of(() => random.below(100)),
    price: of(() => random.below(100_000) / 100),
    y: of(double),
    z: of(() => (random.chance(0.02) ? NaN : double())),
  };
}

/**
 * Returns the month and region of each group, and its sums in the order of addition that the engine promises. Rows that
 * pass are added to four partial sums in turn, beginning with the first partial sum in each vector. The partial sums
 * are added up row group by row group.
 */
function plainSums(rows: ReturnType<typeof makeRows>, passes: (row: number) => boolean) {
  const totals = new Map<
    string,
    { y: number; z: number; zCount: number; price: number; count: number }
  >();
  for (let from = 0; from < rowCount; from += rowGroupSize) {
    const turns = new Map<
      string,
      { y: number[]; z: number[]; zCount: number; cents: number; count: number }
    >();
    const end = Math.min(rowCount, from + rowGroupSize);
    for (let start = from; start < end; start += vectorSize) {
      let turn = 0;
      for (let row = start; row < Math.min(end, start + vectorSize); row++) {
        if (!passes(row)) continue;
        const key = `${new Date(rows.when[row]).toISOString().slice(0, 7)} ${regions[rows.region[row]]}`;
        let sums = turns.get(key);
        if (!sums)
          turns.set(
            key,
            (sums = { y: [0, 0, 0, 0], z: [0, 0, 0, 0], zCount: 0, cents: 0, count: 0 }),
          );
        sums.y[turn] += rows.y[row];
        if (!Number.isNaN(rows.z[row])) {
          sums.z[turn] += rows.z[row];
          sums.zCount++;
        }
        sums.cents += Math.round(rows.price[row] * 100);
        sums.count++;
        turn = (turn + 1) % 4;
      }
    }
    for (const [key, { y, z, zCount, cents, count }] of turns) {
      const total = totals.get(key) ?? { y: 0, z: 0, zCount: 0, price: 0, count: 0 };
      const sum = ([first, second, third, fourth]: number[]) => first + second + third + fourth;
      totals.set(key, {
        y: total.y + sum(y),
        z: total.z + sum(z),
        zCount: total.zCount + zCount,
        price: total.price + cents,
        count: total.count + count,
      });
    }
  }
  return [...totals.keys()].sort().map((key) => {
    const { y, z, zCount, price, count } = totals.get(key)!;
    return [
      `${key.slice(0, 7)}-01T00:00:00.000Z`,
      key.slice(8),
      price / 100,
      y / count,
      z,
      zCount,
      count,
    ];
  });
}

/** Worker counts to test: one, several, and more than there are processors. */
const workerCounts = rounds({ quick: [1, 2], deep: [1, 2, 3, 8] });

suite("engine/store/sameBits", (test) => {
  const random = createRandom();
  const rows = makeRows(random);
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  const stores: Store[] = [];
  test.before(async () => {
    folder = await makeFolder();
    for (const workers of workerCounts) {
      const dir = join(folder.path, String(workers));
      const store = await openStore({ dir, workers, memoryBytes: 2 ** 30 });
      stores.push(store);
      await store.create({ name: "t", columns, temporary: true });
      const batch = {
        rowCount,
        columns: columns.map(({ name, type }) =>
          type === "text"
            ? { type, codes: rows.region, dictionary: regions }
            : { type, values: rows[name as "y"] },
        ),
      };
      await store.append({ table: "t", rows: { names: columns.map(({ name }) => name), batch } });
    }
  });
  test.after(async () => {
    for (const store of stores) await store.close();
    await folder.remove();
  });

  for (const [name, most] of [
    ["two in five", 39],
    ["one in twenty", 4],
    ["all", 99],
  ] as const)
    test.deep(
      `float sums have the same bits with ${workerCounts.join(", ")} workers if ${name} of the rows pass the filter`,
      async () => {
        const plan: Plan = {
          table: "t",
          grouped: true,
          filter: { kind: "compare", left: column("level"), operator: "<=", value: most },
          outputs: [
            {
              kind: "key",
              of: { kind: "period", of: column("when"), period: "month", timezone: "UTC" },
            },
            { kind: "key", of: column("region") },
            { kind: "aggregate", function: "sum", of: column("price") },
            { kind: "aggregate", function: "average", of: column("y") },
            { kind: "aggregate", function: "sum", of: column("z") },
            { kind: "aggregate", function: "count", of: column("z") },
            { kind: "aggregate", function: "rows" },
          ],
          order: [
            { output: 0, descending: false },
            { output: 1, descending: false },
          ],
        };
        const expected = plainSums(rows, (row) => rows.level[row] <= most);
        for (const store of stores) {
          const cells = toCells(await store.query(plan)).map(([month, ...others]) => [
            new Date(month as number).toISOString(),
            ...others,
          ]);
          assert.deepEqual(cells, expected, `SEED=${random.seed}`);
        }
      },
    );

  test(`counts of values are the same with ${workerCounts.join(", ")} workers`, async () => {
    for (const keys of [[], ["region"]]) {
      const plan: Plan = {
        table: "t",
        grouped: true,
        filter: { kind: "compare", left: column("level"), operator: ">", value: 60 },
        outputs: [
          ...keys.map((name) => ({ kind: "key", of: column(name) }) as const),
          { kind: "aggregate", function: "count", of: column("z") },
          { kind: "aggregate", function: "count", of: column("y") },
        ],
        order: keys.map((_, output) => ({ output, descending: false })),
      };
      const groups = keys.length === 0 ? [undefined] : regions;
      const expected = groups.map((region) => {
        const inGroup = [...Array(rowCount).keys()].filter(
          (row) =>
            rows.level[row] > 60 && (region === undefined || regions[rows.region[row]] === region),
        );
        const present = inGroup.filter((row) => !Number.isNaN(rows.z[row]));
        return [...(region === undefined ? [] : [region]), present.length, inGroup.length];
      });
      for (const store of stores)
        assert.deepEqual(toCells(await store.query(plan)), expected, `SEED=${random.seed}`);
    }
  });
});
