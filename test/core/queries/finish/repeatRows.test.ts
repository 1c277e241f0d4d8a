import * as assert from "uvu/assert";
import { repeatRows } from "../../../../core/queries/finish/repeatRows.ts";
import type { RepeatedColumn } from "../../../../core/queries/queryPlan.ts";
import type { Batch, BatchColumn } from "../../../../plugins/protocol/index.ts";
import { createRandom } from "../../../support/random.ts";
import { refusal } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";

const numeric = (...values: number[]): BatchColumn => ({
  type: "numeric",
  values: Float64Array.from(values),
});
const texts: BatchColumn = {
  type: "hierarchy",
  codes: Int32Array.of(1, -1),
  dictionary: ["a", "b"],
};
const groups: Batch = {
  rowCount: 2,
  columns: [texts, numeric(3, 1), numeric(7, Number.NaN), numeric(2, 0)],
};
const repeat = (column: RepeatedColumn, most = 100) =>
  repeatRows(groups, { count: 1, columns: [column] }, most);
const cellsOf = (batch: Batch | undefined) => {
  const [vector] = batch?.columns ?? [];
  if (!vector) throw new Error("there are no rows");
  return Array.from(vector.type === "hierarchy" ? vector.codes : vector.values);
};

suite("core/queries/finish/repeatRows", (test) => {
  test("expanding a group writes a value to every row of the group, or to only its first row", () => {
    assert.equal(cellsOf(repeat({ kind: "value", vector: 0 })), [1, 1, 1, -1]);
    assert.equal(cellsOf(repeat({ kind: "once", vector: 0 })), [1, -1, -1, -1]);
    assert.equal(cellsOf(repeat({ kind: "value", vector: 2 })), [7, 7, 7, Number.NaN]);
    assert.equal(cellsOf(repeat({ kind: "once", vector: 3 })), [2, Number.NaN, Number.NaN, 0]);
    assert.equal(repeat({ kind: "value", vector: 0 })?.rowCount, 4);
  });

  test("expanding a group writes the group's sum to one row, and 0 to the other rows with values", () => {
    const none = Number.NaN;
    assert.equal(cellsOf(repeat({ kind: "spread", sum: 2, count: 3 })), [7, 0, none, none]);
    assert.equal(cellsOf(repeat({ kind: "spread", count: 3 })), [0, 0, none, none]);
    assert.equal(cellsOf(repeat({ kind: "spread", sum: 2 })), [7, none, none, none]);
  });

  test("random groups expand into rows that have the groups' sums and counts", () => {
    const random = createRandom();
    const count = 50;
    const list = (make: () => number) => Array.from({ length: count }, make);
    const rowCounts = list(() => random.below(5));
    const valueCounts = rowCounts.map((most) => random.below(most + 1));
    const sums = valueCounts.map((values) => (values === 0 ? Number.NaN : random.below(100)));
    const batch = {
      rowCount: count,
      columns: [numeric(...rowCounts), numeric(...sums), numeric(...valueCounts)],
    };
    const columns = [{ kind: "spread", sum: 1, count: 2 }] as const;
    const values = cellsOf(repeatRows(batch, { count: 0, columns }, 1000));
    let at = 0;
    rowCounts.forEach((rows, group) => {
      const own = values.slice(at, at + rows).filter((value) => !Number.isNaN(value));
      at += rows;
      assert.is(own.length, valueCounts[group], `SEED=${random.seed}`);
      const sum = own.length === 0 ? Number.NaN : own.reduce((total, value) => total + value, 0);
      assert.ok(Object.is(sum, sums[group]), `SEED=${random.seed}`);
    });
    assert.is(at, values.length);
  });

  test("groups that would expand into more rows than allowed are not expanded", () => {
    assert.is(repeat({ kind: "value", vector: 0 }, 3), undefined);
    assert.is(repeat({ kind: "value", vector: 0 }, 4)?.rowCount, 4);
  });

  test("invalid counts, and values in a group without rows, fail with PLUGIN_BAD_ANSWER", async () => {
    const column: RepeatedColumn = { kind: "spread", sum: 1, count: 2 };
    const cases: readonly (readonly BatchColumn[])[] = [
      [numeric(-1), numeric(1), numeric(1)],
      [numeric(1.5), numeric(1), numeric(1)],
      [numeric(Number.NaN), numeric(1), numeric(1)],
      [numeric(2 ** 60), numeric(1), numeric(1)],
      [numeric(1), numeric(1), numeric(2)],
      [numeric(1), numeric(Number.NaN), numeric(1)],
      [numeric(1), numeric(1), numeric(-1)],
      [numeric(1), texts, numeric(1)],
      [texts, numeric(1), numeric(1)],
      [numeric(1), numeric(1)],
      [],
    ];
    for (const [index, vectors] of cases.entries()) {
      const batch = { rowCount: 1, columns: vectors };
      const refused = await refusal(
        Promise.try(() => repeatRows(batch, { count: 0, columns: [column] }, 10)),
      );
      assert.is(refused.code, "PLUGIN_BAD_ANSWER", String(index));
    }
  });
});
