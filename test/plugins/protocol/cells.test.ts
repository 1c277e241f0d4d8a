import * as assert from "uvu/assert";
import {
  answerType,
  batchOfColumnar,
  batchOfRows,
  columnarOfBatch,
  millisecondsOf,
  PluginError,
  rowsOfBatch,
  columnOfCells,
} from "../../../plugins/protocol/index.ts";
import { suite } from "../../support/suite.ts";

const columns = [
  { id: "n", type: "numeric" },
  { id: "t", type: "hierarchy" },
  { id: "d", type: "datetime" },
] as const;

function failureOf(run: () => unknown): PluginError {
  try {
    run();
  } catch (failure) {
    if (failure instanceof PluginError) return failure;
    throw failure;
  }
  throw new Error("nothing was thrown");
}

suite("plugins/protocol/cells", (test) => {
  test("converting rows to batches and back changes nothing, including nulls of every type", () => {
    const rows = Array.from({ length: 200 }, (_, index) => [
      index % 7 === 0 ? null : index / 4,
      index % 5 === 0 ? null : ["", "a", "é", "__proto__"][index % 4],
      index % 3 === 0 ? null : new Date(index * 1e9).toISOString(),
    ]);
    const batch = batchOfRows(columns, rows);
    assert.equal(rowsOfBatch(batch), rows);
    const wire: unknown = JSON.parse(JSON.stringify(columnarOfBatch(batch)));
    assert.equal(rowsOfBatch(batchOfColumnar(wire, ["n", "t", "d"])), rows);
  });

  test("a text column's dictionary contains each string once, and code -1 means null", () => {
    const vector = columnOfCells({ id: "t", type: "hierarchy" }, ["a", null, "b", "a", undefined]);
    assert.ok(vector.type === "hierarchy");
    assert.equal(
      [[...vector.codes], vector.dictionary],
      [
        [0, -1, 1, 0, -1],
        ["a", "b"],
      ],
    );
  });

  test("a long string that is not a number is refused in linear time", () => {
    const before = process.threadCpuUsage();
    for (const text of [
      "1".repeat(1_000_000) + "x",
      "1".repeat(500_000) + "." + "1".repeat(500_000) + "e",
    ])
      assert.throws(() => columnOfCells({ id: "n", type: "numeric" }, [text]), /another string/);
    const { user } = process.threadCpuUsage(before);
    assert.ok(user < 2_000_000, "quadratic time takes minutes");
  });

  const readings: readonly (readonly ["numeric" | "hierarchy" | "datetime", unknown, unknown])[] = [
    ["numeric", "4", 4],
    ["numeric", " -9.5e1 ", -95],
    ["numeric", ".5", 0.5],
    ["numeric", 7n, 7],
    ["hierarchy", true, "true"],
    ["hierarchy", 1.5, "1.5"],
    ["hierarchy", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["datetime", "2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["datetime", "2024-01-01 10:00:00.123456+02", "2024-01-01T08:00:00.123Z"],
    ["datetime", "2024-01-01T10:00", "2024-01-01T10:00:00.000Z"],
    ["datetime", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
    ["datetime", new Date(5), "1970-01-01T00:00:00.005Z"],
  ];
  for (const [type, cell, expected] of readings)
    test(`the cell ${String(cell)} is read as ${type} ${String(expected)}`, () => {
      const vector = columnOfCells({ id: "c", type }, [cell]);
      assert.equal(rowsOfBatch({ rowCount: 1, columns: [vector] }), [[expected]]);
    });

  const refused: readonly (readonly ["numeric" | "hierarchy" | "datetime", unknown])[] = [
    ["numeric", "NaN"],
    ["numeric", ""],
    ["numeric", "0x10"],
    ["numeric", "1e400"],
    ["numeric", Infinity],
    ["numeric", true],
    ["numeric", {}],
    ["numeric", [1]],
    ["numeric", "1,5"],
    ["hierarchy", {}],
    ["hierarchy", []],
    ["hierarchy", Number.NaN],
    ["datetime", 0],
    ["datetime", "2023-02-29"],
    ["datetime", "2024-13-01"],
    ["datetime", "2024-01-01T24:00:00Z"],
    ["datetime", "yesterday"],
    ["datetime", ""],
    ["datetime", new Date(Number.NaN)],
    ["datetime", "2024-01-01T00:00:00+99:00"],
  ];
  for (const [type, cell] of refused)
    test(`the cell ${JSON.stringify(cell)} is refused as ${type}, with the column and the row`, () => {
      const failure = failureOf(() => columnOfCells({ id: "c", type }, [null, cell]));
      assert.is(failure.code, "PLUGIN_BAD_ANSWER");
      assert.match(failure.message, 'row 1 of column "c"');
    });

  const unsound: readonly (readonly [string, unknown])[] = [
    ["null", null],
    ["a list", []],
    ["no rowCount", { columns: [] }],
    ["a negative rowCount", { rowCount: -1, columns: [] }],
    ["no columns", { rowCount: 0 }],
    ["a column that is a string", { rowCount: 0, columns: ["x"] }],
    ["an unknown type", { rowCount: 0, columns: [{ type: "text", values: [] }] }],
    ["too few values", { rowCount: 2, columns: [{ type: "numeric", values: [1] }] }],
    [
      "values that are not an array",
      { rowCount: 2, columns: [{ type: "numeric", values: { length: 2 } }] },
    ],
  ];
  for (const [what, answer] of unsound)
    test(`a columnar answer with ${what} is refused`, () => {
      assert.is(failureOf(() => batchOfColumnar(answer, ["n"])).code, "PLUGIN_BAD_ANSWER");
    });

  test("the type of an answer's cells is determined by the column and its aggregation", () => {
    const text = { id: "t", type: "hierarchy" } as const;
    const types = (
      ["count", "distinctcount", "sum", "average", "min", "max", undefined] as const
    ).map((aggregation) =>
      answerType({ column_id: "t", ...(aggregation && { aggregation }) }, text),
    );
    assert.equal(types, [
      "numeric",
      "numeric",
      "numeric",
      "numeric",
      "hierarchy",
      "hierarchy",
      "hierarchy",
    ]);
  });

  test("ISO 8601 instants are read and written as Date reads and writes them, over six centuries", () => {
    for (let time = Date.UTC(1700, 0, 1); time < Date.UTC(2300, 0, 1); time += 86_399_999 * 97)
      assert.is(millisecondsOf(new Date(time).toISOString()), time);
  });
});
