import * as assert from "uvu/assert";
import { splitBatch } from "../../../../core/queries/finish/splitBatch.ts";
import { batchOfRows, rowsOfBatch } from "../../../../plugins/protocol/index.ts";
import { suite } from "../../../support/suite.ts";

suite("core/queries/finish/splitBatch", (test) => {
  const columns = [
    { id: "city", type: "hierarchy" },
    { id: "km", type: "numeric" },
    { id: "at", type: "datetime" },
  ] as const;
  const rowsOf = (count: number) =>
    Array.from({ length: count }, (_, row) => [
      row % 5 === 0 ? null : `city ${row % 1700}`,
      row % 7 === 0 ? null : row,
      "2024-01-05T00:00:00.000Z",
    ]);

  test("the slices of a batch contain its rows in order, and each slice contains only the strings of its own rows", () => {
    const rows = rowsOf(4321);
    const slices = [...splitBatch(batchOfRows(columns, rows), 12_000)];
    assert.equal(
      slices.map(({ rowCount }) => rowCount),
      [1000, 1000, 1000, 1000, 321],
    );
    assert.equal(slices.flatMap(rowsOfBatch), rows);
    for (const { columns: vectors } of slices) {
      const [city] = vectors;
      const used =
        city?.type === "hierarchy" ? new Set(city.codes.filter((code) => code >= 0)) : [];
      assert.is([...used].length, city?.type === "hierarchy" ? city.dictionary.length : -1);
    }
  });

  test("a small batch is returned as a single slice, and an empty batch has no slices", () => {
    const batch = batchOfRows(columns, rowsOf(1000));
    assert.is([...splitBatch(batch)][0], batch);
    assert.equal([...splitBatch(batchOfRows(columns, []))], []);
  });
});
