import { mock } from "node:test";
import type { Knex } from "knex";
import * as assert from "uvu/assert";
import { fillCopy } from "../../../../core/sources/acceleration/fillCopy.ts";
import type { Connection } from "../../../../core/base/contracts/index.ts";
import { suite } from "../../../support/suite.ts";
import { problemOf } from "../../operating/backup/problemOf.ts";

const fill = (write: Connection["write"], knex = {} as Knex) =>
  fillCopy({
    datasetId: "dataset",
    buildId: "build",
    columns: [],
    timePlace: -1,
    store: { write } as Connection,
    knex,
    caller: { signal: new AbortController().signal },
    rowsPerSecond: Infinity,
    mostRows: 100,
  });
const rowsOf = (...values: number[]) => ({
  rowCount: values.length,
  columns: [{ type: "numeric", values: Float64Array.from(values) }] as const,
});

suite("core/sources/acceleration/fillCopy", (test) => {
  test("the memory of rows is freed only after they are written, and only if the source gave up the memory", async () => {
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

  test("the progress of a load never decreases and never reaches 1 before the load has ended", async () => {
    const noted: unknown[] = [];
    const table = {
      where: () => table,
      update: async ({ progress }: { readonly progress: unknown }) => void noted.push(progress),
    };
    const filling = await fill(
      async () => ({ rowCount: 0, version: "1" }),
      (() => table) as unknown as Knex,
    );
    const now = mock.method(performance, "now");
    try {
      for (const [index, share] of [undefined, 0.2, 0.5, 0.4, undefined, 1.5].entries()) {
        now.mock.mockImplementation(() => (index + 1) * 10_000_000);
        await filling.add(rowsOf(1), false, share);
      }
    } finally {
      now.mock.restore();
    }
    assert.equal(noted, [null, 0.2, 0.5, 0.5, 0.5, 0.99]);
  });

  test("the memory of rows is kept after a failed write, because the store may still read it", async () => {
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
