import assert from "node:assert/strict";
import {
  openStore,
  type Expression,
  type Output,
  type Plan,
  type Predicate,
  type Store,
} from "../../../engine/index.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { makeFolder } from "../tables.ts";

const batchRowCount = rounds({ quick: 10_000, deep: 35_000 });
const batchCount = 2;
const columnNames = ["dense", "sparse", "real", "few", "value", "member", "wide"] as const;
type Name = (typeof columnNames)[number];
type Rows = Record<Name, Float64Array>;

/** Columns of numbers: keys with many and few values, and values with zeros of both signs and with nulls. */
function makeRows(random: Random, rowCount: number): Rows {
  const of = (nullShare: number, make: () => number) =>
    Float64Array.from({ length: rowCount }, () => (random.chance(nullShare) ? NaN : make()));
  return {
    dense: of(0.01, () => random.below(90_000) - 500),
    sparse: of(0.01, () => random.below(80_000) * 2 ** 30),
    real: of(0.01, () => random.below(70_000) / 7),
    few: of(0.05, () => random.below(9)),
    value: of(0.1, () => random.pick([-0, 0, random.below(5000) / 3])),
    member: of(0.1, () => random.below(60_000)),
    wide: of(0.1, () => random.below(60_000) * 2 ** 31),
  };
}

const column = (name: Name): Expression => ({ kind: "column", name });
const aggregate = (name: "median" | "distinctcount" | "sum", of: Name): Output => ({
  kind: "aggregate",
  function: name,
  of: column(of),
});

/** Computes rows of keys and aggregates from plain arrays. -0 and 0 are the same value. */
function answerPlainly(
  rows: Rows,
  keys: readonly Name[],
  outputs: readonly Output[],
  passes: (row: number) => boolean,
) {
  const members = new Map<string, number[]>();
  for (let row = 0; row < rows.few.length; row++) {
    if (!passes(row)) continue;
    const key = keys.map((name) => rows[name][row]! + 0).join();
    const known = members.get(key);
    if (known) known.push(row);
    else members.set(key, [row]);
  }
  return new Map(
    [...members].map(([key, found]) => [
      key,
      outputs.map((output) => {
        if (output.kind !== "aggregate") return NaN;
        if (output.function === "rows") return found.length;
        if (output.of?.kind !== "column") return NaN;
        const all = rows[output.of.name as Name];
        const values = found.map((row) => all[row]! + 0).filter((value) => !Number.isNaN(value));
        if (output.function === "distinctcount") return new Set(values).size;
        if (values.length === 0) return NaN;
        if (output.function === "sum") return values.reduce((sum, value) => sum + value, 0);
        const sorted = Float64Array.from(values).sort();
        const middle = (sorted.length - 1) / 2;
        return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
      }),
    ]),
  );
}

async function fill(store: Store, rows: Rows): Promise<void> {
  await store.create({
    name: "t",
    columns: columnNames.map((name) => ({ name, type: "number" })),
  });
  for (let batch = 0; batch < batchCount; batch++) {
    const from = batch * batchRowCount;
    const columns = columnNames.map((name) => ({
      type: "number" as const,
      values: rows[name].subarray(from, from + batchRowCount),
    }));
    await store.append({
      table: "t",
      rows: { names: [...columnNames], batch: { rowCount: batchRowCount, columns } },
    });
  }
}

suite("engine/store/manyGroups", (test) => {
  test("groups, medians and distinct counts of many numbers are exact on every path", async () => {
    const random = createRandom();
    const folder = await makeFolder();
    const store = await openStore({
      dir: folder.path,
      workers: rounds({ quick: 1, deep: 2 }),
      memoryBytes: 2 ** 29,
    });
    try {
      const rows = makeRows(random, batchRowCount * batchCount);
      await fill(store, rows);
      const filter: Predicate = { kind: "compare", left: column("few"), operator: "<", value: 4 };
      const allKeyLists: readonly (readonly Name[])[] = [
        [],
        ["few"],
        ["dense"],
        ["sparse"],
        ["real"],
        ["sparse", "few"],
        ["dense", "wide"],
      ];
      const keyLists = rounds({ quick: allKeyLists.slice(1, 4), deep: allKeyLists });
      await withSeed(random, async () => {
        const tried = rounds({ quick: 1, deep: 4, soak: 20 });
        for (const keys of keyLists)
          for (let round = 0; round < tried; round++) {
            const outputs: Output[] = [
              { kind: "aggregate", function: "rows" },
              aggregate("sum", "member"),
              ...random.some(
                [
                  aggregate("median", "value"),
                  aggregate("distinctcount", "value"),
                  aggregate("distinctcount", "member"),
                  aggregate("distinctcount", "wide"),
                  aggregate("distinctcount", "sparse"),
                ],
                0.6,
              ),
            ];
            const isFiltered = random.chance(0.5);
            const plan: Plan = {
              table: "t",
              grouped: true,
              outputs: [
                ...keys.map((name) => ({ kind: "key", of: column(name) }) as const),
                ...outputs,
              ],
              ...(isFiltered && { filter }),
            };
            const passes = (row: number) => !isFiltered || rows.few[row]! < 4;
            const expected = answerPlainly(rows, keys, outputs, passes);
            const answer = await store.query(plan);
            assert.equal(answer.rowCount, expected.size);
            const cells = answer.columns.map((each) =>
              each.type === "text" ? new Float64Array(0) : each.values,
            );
            for (let row = 0; row < answer.rowCount; row++) {
              const key = cells.slice(0, keys.length).map((values) => values[row]! + 0);
              const found = cells.slice(keys.length).map((values) => values[row]! + 0);
              const wanted = expected.get(key.join());
              const isEqual = wanted?.every(
                (value, index) =>
                  Object.is(value + 0, found[index]) ||
                  Math.abs(value - found[index]!) <= 1e-12 * Math.abs(value),
              );
              if (!isEqual) assert.deepEqual(found, wanted, `${keys.join()} = ${key.join()}`);
            }
          }
      });
    } finally {
      await store.close();
      await folder.remove();
    }
  });
});
