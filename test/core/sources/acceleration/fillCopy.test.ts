import type { Knex } from "knex";
import * as assert from "uvu/assert";
import { fillCopy } from "../../../../core/sources/acceleration/fillCopy.ts";
import type { Connection } from "../../../../core/base/contracts/index.ts";
import { suite } from "../../../support/suite.ts";
import { problemOf } from "../../operating/backup/problemOf.ts";

const fill = (write: Connection["write"]) =>
  fillCopy({
    datasetId: "dataset",
    buildId: "build",
    columns: [],
    timePlace: -1,
    store: { write } as Connection,
    knex: {} as Knex,
    caller: { signal: new AbortController().signal },
    rowsPerSecond: Infinity,
    mostRows: 100,
  });
const rowsOf = (...values: number[]) => ({
  rowCount: values.length,
  columns: [{ type: "numeric", values: Float64Array.from(values) }] as const,
});

suite("core/sources/acceleration/fillCopy", (test) => {
  test("rows are freed only if they were handed over, and only after they are written", async () => {
    const filling = await fill(async () => ({ rowCount: 0, version: "1" }));
    const [given, kept] = [rowsOf(1, 2), rowsOf(3)];
    await filling.add(given, true);
    await filling.add(kept);
    await filling.finish();
    assert.is(given.columns[0].values.length, 0);
    assert.equal([...kept.columns[0].values], [3]);
    assert.is(filling.filled.rowCount, 3);
    assert.is(filling.filled.sizeBytes, 24);
  });

  test("rows are kept after a failed write, because the store may still read them", async () => {
    const filling = await fill(async ({ action }) => {
      if (action === "append") throw new Error("the time is up");
      return { rowCount: 0, version: "1" };
    });
    const given = rowsOf(1, 2);
    await filling.add(given, true);
    assert.match(await problemOf(filling.finish()), /the time is up/);
    assert.equal([...given.columns[0].values], [1, 2]);
  });
});
