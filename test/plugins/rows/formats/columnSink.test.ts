import * as assert from "uvu/assert";
import { ColumnSink } from "../../../../plugins/rows/formats/columnSink.ts";
import { suite } from "../../../support/suite.ts";

suite("plugins/rows/formats/columnSink", (test) => {
  test("rows of a slow file are sent a second after the last part, however few they are", async () => {
    let nowMs = 0;
    const sent: number[] = [];
    const sink = new ColumnSink({
      wanted: [{ id: "a", type: "numeric", index: 0 }],
      datasetId: "d",
      sizeBytes: 1_000_000,
      send: async ({ rowCount }) => void sent.push(rowCount),
      now: () => nowMs,
    });
    const add = (...cells: readonly number[]) =>
      sink.addRows({ rows: cells.map((cell) => [cell]), placeOf: (row) => `row ${row + 1}` });
    await add(1, 2);
    nowMs = 999;
    await add(3);
    assert.equal(sent, []);
    nowMs = 1000;
    await add(4);
    assert.equal(sent, [4]);
    nowMs = 1999;
    await add(5);
    await sink.flushIfLate();
    assert.equal(sent, [4]);
    nowMs = 2000;
    await sink.flushIfLate();
    await sink.flushIfLate();
    assert.equal(sent, [4, 1]);
  });
});
