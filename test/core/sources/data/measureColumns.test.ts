import * as assert from "uvu/assert";
import {
  measureAppended,
  measureVector,
  type MeasuredColumn,
  type Measures,
} from "../../../../core/sources/data/measureColumns.ts";

import type { Query, BatchColumn } from "../../../../plugins/protocol/index.ts";
import { connectionOf } from "../../../support/plainConnections.ts";
import { createPlainPlugin } from "../../../support/plainPlugin.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { randomVector } from "../../../support/randomBatch.ts";
import { suite } from "../../../support/suite.ts";

const caller = { signal: new AbortController().signal };

suite("core/sources/data/measureColumns", (test) => {
  const random = createRandom();

  test("measuring a vector gives the same statistics as measuring its values one by one", () =>
    withSeed(random, async () => {
      for (let round = 0; round < 100; round++) {
        const type = random.pick(["numeric", "datetime"] as const);
        const vector = randomVector(random, random.below(40), type);
        if (vector.type === "hierarchy") throw new TypeError("not requested");
        const values = [...vector.values].filter((value) => !Number.isNaN(value));
        const { cardinality, minimum, maximum } = measureVector(vector);
        assert.equal(
          [cardinality, minimum, maximum],
          [
            new Set(values).size,
            values.length > 0 ? Math.min(...values) : null,
            values.length > 0 ? Math.max(...values) : null,
          ],
        );
      }
    }));

  const columns = [
    { id: "city", type: "hierarchy", cardinality: 7 },
    { id: "km", type: "numeric", minimum: 1, maximum: 5, cardinality: null },
    { id: "day", type: "datetime", minimum: 10, maximum: 20, cardinality: null },
  ];
  const vectors = new Map<string, BatchColumn>([
    ["km", { type: "numeric", values: Float64Array.of(9, Number.NaN, 2) }],
  ]);
  /** Opens a store whose values differ from the statistics in the records. */
  const openStore = () => {
    const store = createPlainPlugin();
    const stored = [
      { id: "city", type: "hierarchy" },
      { id: "km", type: "numeric" },
      { id: "day", type: "datetime" },
    ] as const;
    store.fill("D", stored, [
      ["a", 100, "1970-01-01T00:00:00.000Z"],
      ["b", 200, null],
    ]);
    return { requested: store.requested, connection: connectionOf("plain", store) };
  };
  const append = async (
    rowCountBefore: number,
    rowCount: number,
    of: readonly MeasuredColumn[] = columns,
    isServer = false,
  ): Promise<{ measures: ReadonlyMap<string, Measures>; requested: readonly Query[] }> => {
    const { requested, connection } = openStore();
    const textCounts = new Map([["city", 8]]);
    const sizeOf = () => ({ rowCount, textCounts });
    const store = isServer ? connection : { ...connection, sizeOf };
    const appended = { datasetId: "D", columns: of, rowCountBefore, rowCount, vectors };
    return { measures: await measureAppended(appended, store, caller), requested };
  };
  const shown = (measures: ReadonlyMap<string, Measures>) =>
    [...measures.values()].map((each) => [each.cardinality, each.minimum, each.maximum]);

  test("up to 20,000 rows, one query of the store computes the statistics", async () => {
    const few = await append(19_000, 20_000);
    assert.is(few.requested.length, 1);
    assert.equal(shown(few.measures), [
      [2, null, null],
      [2, 100, 200],
      [1, 0, 0],
    ]);
  });

  test("above 20,000 rows, a store that knows its distinct strings is not queried", async () => {
    const merged = await append(65_000, 75_000);
    assert.equal(merged.requested, []);
    assert.equal(shown(merged.measures), [
      [8, null, null],
      [null, 1, 9],
      [null, 10, 20],
    ]);
    const unknown = columns.map((column) => ({ ...column, cardinality: null, minimum: null }));
    assert.is((await append(65_000, 75_000, unknown)).requested.length, 1, "nothing was known");
  });

  test("if a store also counts strings of deleted rows, only the strings that are new to it are added", async () => {
    const { requested, connection } = openStore();
    const sizeOf = () => ({
      rowCount: 75_000,
      textCounts: new Map([["city", 12]]),
      countsDeleted: true,
    });
    const textCountsBefore = new Map([["city", 10]]);
    const rows = { datasetId: "D", columns, rowCountBefore: 70_000, rowCount: 75_000, vectors };
    const appended = { ...rows, textCountsBefore };
    const measures = await measureAppended(appended, { ...connection, sizeOf }, caller);
    assert.equal(requested, []);
    assert.equal(shown(measures)[0], [9, null, null]);
  });

  test("a store on a server counts distinct values up to 20,000 rows, and again each time the rows have doubled", async () => {
    const isAsked = async (before: number, after: number) =>
      (await append(before, after, columns, true)).requested.length === 1;
    assert.ok(await isAsked(19_000, 20_000));
    assert.not(await isAsked(40_000, 50_000));
    assert.ok(await isAsked(60_000, 70_000), "past 65,536");
    assert.not(await isAsked(70_000, 130_000));
    vectors.set("city", {
      type: "hierarchy",
      codes: Int32Array.from({ length: 9 }, (_, code) => code),
      dictionary: [..."abcdefghi"],
    });
    assert.equal(shown((await append(40_000, 50_000, columns, true)).measures)[0], [9, null, null]);
    vectors.delete("city");
  });

  test("a store that cannot aggregate is not queried for statistics", async () => {
    const { connection, requested } = openStore();
    const plain = { ...connection, capabilities: { write: true } };
    const appended = { datasetId: "D", columns, rowCountBefore: 1, rowCount: 2, vectors };
    const measures = await measureAppended(appended, plain, caller);
    assert.equal(requested, []);
    assert.ok(
      shown(measures)
        .flat()
        .every((each) => each === null),
    );
  });
});
