import * as assert from "uvu/assert";
import { slicesOf } from "../../../../connectors/clickhouse/store/slicesOf.ts";
import { suite } from "../../../support/suite.ts";

const rowsOf = (rowCount: number) => ({
  columnIds: ["n", "word"],
  batch: {
    rowCount,
    columns: [
      {
        type: "numeric" as const,
        values: Float64Array.from({ length: rowCount }, (_, row) => row),
      },
      {
        type: "hierarchy" as const,
        codes: Int32Array.from({ length: rowCount }, (_, row) => row % 2),
        dictionary: ["a", "b"],
      },
    ],
  },
});

suite("connectors/clickhouse/store/slicesOf", (test) => {
  test("slices contain each row once and in order, and each slice has at least the minimum number of rows", () => {
    for (const [rowCount, most, least, sizes] of [
      [0, 2, 5, [0]],
      [9, 2, 5, [9]],
      [10, 2, 5, [5, 5]],
      [11, 3, 2, [3, 4, 4]],
    ] as const) {
      const slices = slicesOf(rowsOf(rowCount), most, least);
      assert.equal(
        slices.map(({ batch }) => batch.rowCount),
        sizes,
      );
      const values = slices.flatMap(({ batch: { columns } }) => {
        const [first] = columns;
        return first?.type === "numeric" ? [...first.values] : [];
      });
      assert.equal(
        values,
        Array.from({ length: rowCount }, (_, row) => row),
      );
      for (const { batch, columnIds } of slices) {
        assert.equal(columnIds, ["n", "word"]);
        const [, words] = batch.columns;
        assert.ok(words?.type === "hierarchy" && words.codes.length === batch.rowCount);
      }
    }
  });
});
