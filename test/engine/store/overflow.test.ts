import * as assert from "uvu/assert";
import {
  openStore,
  type Expression,
  type Output,
  type Scalar,
  type Store,
} from "../../../engine/index.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { makeFolder, toBatch, toCells } from "../tables.ts";

const columns = [
  { name: "x", type: "number" },
  { name: "w", type: "number" },
  { name: "group", type: "text" },
] as const;
const x: Expression = { kind: "column", name: "x" };
const w: Expression = { kind: "column", name: "w" };
/** An expression for which the store knows no bounds. */
const made: Expression = {
  kind: "call",
  function: "coalesce",
  of: [x, { kind: "literal", type: "number", value: null }],
};
const most = Number.MAX_VALUE;

const near = (value: Scalar | undefined, expected: number) =>
  assert.ok(Math.abs(Number(value) / expected - 1) < 1e-12, `${String(value)} ${expected}`);

suite("engine/store with sums beyond the range of doubles", (test) => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let store: Store;
  test.before(async () => {
    folder = await makeFolder();
    store = await openStore({ dir: folder.path, workers: 2, memoryBytes: 2 ** 27 });
  });
  test.after(async () => {
    await store.close();
    await folder.remove();
  });
  const query = async (rows: readonly (readonly Scalar[])[], outputs: readonly Output[]) => {
    const named = rows.map((row) =>
      Object.fromEntries(
        columns.map(({ name }, index): [string, Scalar] => [name, row[index] ?? null]),
      ),
    );
    await store.create({ name: "t", columns, temporary: true });
    await store.append({ table: "t", rows: toBatch(columns, named) });
    const order = outputs.flatMap(({ kind }, output) =>
      kind === "key" ? [{ output, descending: false }] : [],
    );
    const answer = await store.query({ table: "t", grouped: true, outputs, order });
    await store.drop({ table: "t" });
    return toCells(answer);
  };
  const folds = (
    name: "sum" | "average" | "stddev" | "cumulativesum",
    of: Expression = x,
  ): Output => ({
    kind: "aggregate",
    function: name,
    of,
  });

  test("a sum is null only if the true sum exceeds the range of doubles, whatever the order of rows", async () => {
    for (const input of [x, made]) {
      const sums = [folds("sum", input), folds("average", input)];
      for (const values of [
        [most, most, -most],
        [most, -most, most],
        [-most, most, most],
      ])
        assert.equal(
          await query(
            values.map((value) => [value]),
            sums,
          ),
          [[most, most / 3]],
        );
      const three = [most, most, most];
      assert.equal(
        await query(
          three.map((value) => [value]),
          sums,
        ),
        [[null, most]],
      );
      assert.equal(await query([[most], [-most]], sums), [[0, 0]]);
      assert.equal(await query([[1], [2], [null]], sums), [[3, 1.5]]);
      assert.equal(await query([[null]], sums), [[null, null]]);
    }
  });

  test("correlations of numbers around 1e200 do not overflow, and those of constants are null", async () => {
    for (const input of [x, made]) {
      const of: Output = { kind: "aggregate", function: "corr", of: input, other: w };
      const correlation = async (rows: Parameters<typeof query>[0]) =>
        (await query(rows, [of]))[0][0];
      const line = [1, 2, 3].map((value) => [value * 1e200, 1e9 + value]);
      near(await correlation(line), 1);
      near(await correlation(line.map(([value, other]) => [-value, other * 1e190])), -1);
      near(
        await correlation([
          [most, 1],
          [-most, 2],
          [0, 0],
        ]),
        -0.5,
      );
      assert.is(
        await correlation([
          [0.1, 1],
          [0.1, 2],
          [0.1, 3],
          [null, 4],
          [5, null],
        ]),
        null,
      );
      assert.is(await correlation([[1, 2]]), null);
    }
  });

  test("standard deviations and weighted averages of numbers around 1e200 do not overflow", async () => {
    for (const input of [x, made]) {
      const [[deviation]] = await query([[1e200], [3e200]], [folds("stddev", input)]);
      near(deviation, Math.SQRT2 * 1e200);
      const [[widest]] = await query([[most], [-most], [0]], [folds("stddev", input)]);
      near(widest, most);
      assert.equal(await query([[most], [-most]], [folds("stddev", input)]), [[null]]);
      const weighted: Output = {
        kind: "aggregate",
        function: "weightedaverage",
        of: input,
        weight: w,
      };
      const [[mean]] = await query(
        [
          [1e200, 1e200],
          [4e200, 2e200],
        ],
        [weighted],
      );
      near(mean, 3e200);
      const small = await query(
        [
          [2, 1],
          [5, 2],
          [null, 3],
        ],
        [weighted],
      );
      assert.equal(small, [[4]]);
    }
  });

  test("an overflow in one group does not change the digits of other groups", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const tame = Array.from(
        { length: 500 },
        () => (random.below(2 ** 30) / 7) * 10 ** (random.below(40) - 20),
      );
      const rows = tame.map((value) => [value, 1, "a"]);
      const outputs = [
        { kind: "key", of: { kind: "column", name: "group" } } as const,
        folds("sum"),
        folds("stddev"),
      ];
      const [alone] = await query(rows, outputs);
      const [beside, other] = await query(
        [...rows, [most, 1, "b"], [most, 1, "b"], [-most, 1, "b"]],
        outputs,
      );
      near(beside[1], Number(alone[1]));
      near(beside[2], Number(alone[2]));
      assert.is(other[1], most);
    });
    const running = await query(
      [
        [null, 1, "a"],
        [most, 1, "b"],
        [most, 1, "c"],
        [-most, 1, "d"],
        [null, 1, "e"],
      ],
      [{ kind: "key", of: { kind: "column", name: "group" } }, folds("cumulativesum")],
    );
    assert.equal(
      running.map(([, sum]) => sum),
      [null, most, null, most, most],
    );
  });
});
