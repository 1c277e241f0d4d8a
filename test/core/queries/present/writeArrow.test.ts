import { tableFromIPC, type Table } from "apache-arrow";
import * as assert from "uvu/assert";
import { presentRows } from "../../../../core/queries/present/presentRows.ts";
import { writeArrow } from "../../../../core/queries/present/writeArrow.ts";
import type { AnsweredQuery } from "../../../../core/queries/present/answeredQuery.ts";
import type { Batch } from "../../../../plugins/protocol/index.ts";
import { answeredOf } from "../../../support/answered.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { randomBatch, randomVector } from "../../../support/randomBatch.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

const chunksOf = async (answered: AnsweredQuery) => {
  const written = await writeArrow({ several: false, answers: [answered] });
  return [...written].filter((chunk) => chunk !== undefined);
};
const tableOf = async (answered: AnsweredQuery): Promise<Table> =>
  tableFromIPC(Buffer.concat(await chunksOf(answered)));

/** Returns the cells of an Arrow table, with instants as ISO strings. */
function rowsOf(table: Table): unknown[][] {
  const columns = table.schema.fields.map((field, index) => {
    const column = table.getChildAt(index);
    const isInstant = field.type.toString().startsWith("Timestamp");
    return Array.from({ length: table.numRows }, (_, row): unknown => {
      const value: unknown = column?.get(row);
      return isInstant && value !== null ? new Date(Number(value)).toISOString() : value;
    });
  });
  return Array.from({ length: table.numRows }, (_, row) => columns.map((cells) => cells[row]));
}

/** Returns the cells as they are presented, with lone surrogates replaced, because UTF-8 cannot represent them. */
function expectedRows({ batch, secured }: AnsweredQuery): unknown[][] {
  return presentRows(batch, secured.cells, secured.query.columns, { isPlain: true }).map((row) =>
    row.map((cell) => (typeof cell === "string" ? cell.toWellFormed() : cell)),
  );
}

suite("core/queries/present/writeArrow", (test) => {
  const random = createRandom();

  test("an Arrow reader reads the same cells as the plain JSON answer contains, for random answers", () =>
    withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 40, deep: 300 }); round++) {
        const batch = randomBatch(random);
        const cells = Array.from({ length: 1 + random.below(5) }, () =>
          random.below(batch.columns.length),
        );
        const answered = answeredOf(batch, random.chance(0.5) ? { cells } : {});
        const table = await tableOf(answered);
        assert.is(table.numRows, batch.rowCount);
        assert.equal(rowsOf(table), expectedRows(answered));
      }
    }));

  test("Arrow has UTF-8 dictionaries for strings, float64 for numbers, UTC timestamps for instants and strings for bins", async () => {
    const batch: Batch = {
      rowCount: 3,
      columns: [
        { type: "hierarchy", codes: Int32Array.of(2, -1, 2), dictionary: ["a", "b", "Ghent"] },
        { type: "numeric", values: Float64Array.of(-0, NaN, 1.5) },
        { type: "datetime", values: Float64Array.of(-1, NaN, 8.64e15) },
        { type: "numeric", values: Float64Array.of(100, NaN, -50) },
      ],
    };
    const answered = answeredOf(batch, {
      requested: [{}, {}, {}, { bin: { width: 50, origin: 0 } }],
    });
    const table = await tableOf(answered);
    assert.equal(
      table.schema.fields.map(({ type }) => type.toString()),
      [
        "Dictionary<Int32, Utf8>",
        "Float64",
        "Timestamp<MILLISECOND, UTC>",
        "Dictionary<Int32, Utf8>",
      ],
    );
    assert.ok(table.schema.fields.every(({ nullable }) => nullable));
    assert.equal(rowsOf(table), [
      ["Ghent", -0, "1969-12-31T23:59:59.999Z", "[ 100 - 150 ["],
      [null, null, null, null],
      ["Ghent", 1.5, "+275760-09-13T00:00:00.000Z", "[ -50 - 0 ["],
    ]);
    const [texts] = table.data[0]?.children ?? [];
    assert.is(texts?.dictionary?.length, 1, "strings that do not occur are left out");
    assert.equal(
      table.schema.fields.map((_, index) => table.getChildAt(index)?.nullCount),
      [1, 1, 1, 1],
    );
  });

  test.deep(
    "each chunk of a large answer is a record batch of 65,536 rows, and all batches share a dictionary",
    () =>
      withSeed(random, async () => {
        const rowCount = 150_000;
        const columns = (["hierarchy", "numeric", "datetime"] as const).map((type) =>
          randomVector(random, rowCount, type),
        );
        const answered = answeredOf({ rowCount, columns });
        const chunks = await chunksOf(answered);
        assert.is(chunks.length, 4);
        const table = tableFromIPC(Buffer.concat(chunks));
        assert.equal(
          table.batches.map(({ numRows }) => numRows),
          [65_536, 65_536, 18_928],
        );
        const expected = expectedRows(answered);
        rowsOf(table).forEach((row, index) => {
          if (row.some((cell, column) => !Object.is(cell, expected[index]?.[column])))
            assert.equal(row, expected[index], `row ${index}`);
        });
      }),
  );

  test("an answer without rows is written as only a schema", async () => {
    const batch: Batch = {
      rowCount: 0,
      columns: [
        { type: "hierarchy", codes: new Int32Array(0), dictionary: ["a"] },
        { type: "numeric", values: new Float64Array(0) },
      ],
    };
    const table = await tableOf(answeredOf(batch));
    assert.is(table.numRows, 0);
    assert.equal(
      table.schema.fields.map(({ name }) => name),
      ["name of c0", "name of c1"],
    );
  });

  test("the schema's metadata contains the other members of the JSON answer", async () => {
    const answered = answeredOf(randomBatch(random, 2));
    const { cached, performance } = answered;
    const { metadata } = (await tableOf(answered)).schema;
    assert.equal(JSON.parse(metadata.get("manifold") ?? ""), { cached, performance });
  });

  test("several answers cannot be written as one stream", async () => {
    const answers = [answeredOf(randomBatch(random)), answeredOf(randomBatch(random))];
    let thrown: unknown;
    await writeArrow({ several: true, answers }).catch((failure: unknown) => (thrown = failure));
    assert.instance(thrown, TypeError);
  });
});
