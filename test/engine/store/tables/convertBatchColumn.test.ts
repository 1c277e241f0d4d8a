import * as assert from "uvu/assert";
import { convertBatchColumn } from "../../../../engine/store/tables/convertBatchColumn.ts";
import type { DataType, Scalar } from "../../../../engine/index.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { toBatch, toCells } from "../../tables.ts";

const convert = (cells: readonly Scalar[], from: DataType, to: DataType): Scalar[] => {
  const { batch } = toBatch(
    [{ name: "c", type: from }],
    cells.map((c) => ({ c })),
  );
  const column = convertBatchColumn(batch.columns[0], to, { name: "c", firstRow: 100 });
  return toCells({ rowCount: cells.length, columns: [column] }).map(([cell]) => cell);
};
const refusal = (cell: Scalar, from: DataType, to: DataType): string => {
  try {
    return `it became ${String(convert([null, cell], from, to)[1])}`;
  } catch (error) {
    return String(error instanceof Error ? error.message : error);
  }
};

suite("engine/store/tables/convertBatchColumn", (test) => {
  test("a number converted to its shortest decimal string and back stays the same", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const bits = new Float64Array(1);
      const words = new Uint32Array(bits.buffer);
      const numbers = Array.from({ length: 2000 }, () => {
        words.set([random.below(2 ** 32), random.below(2 ** 32)]);
        return Number.isFinite(bits[0]) && bits[0] !== 0
          ? random.pick([bits[0], random.below(2 ** 31) / 100])
          : null;
      });
      const texts = convert(numbers, "number", "text");
      assert.equal(
        texts,
        numbers.map((value) => (value === null ? null : String(value))),
      );
      assert.equal(convert(texts, "text", "number"), numbers);
    });
    assert.equal(convert([-0, null], "number", "text"), ["0", null]);
  });

  test("a string is converted to a number only if a double keeps all its digits", () => {
    assert.equal(
      convert(
        ["1.50", "1e3", "-0.0", "+7", ".5", "5.", "00012", "1.7976931348623157e308"],
        "text",
        "number",
      ),
      [1.5, 1000, -0, 7, 0.5, 5, 12, 1.7976931348623157e308],
    );
    for (const text of [
      "",
      " 1",
      "1 ",
      "abc",
      "1,5",
      "0x10",
      "NaN",
      "Infinity",
      "1e400",
      "1e-400",
      "e5",
      ".",
      "-",
      "9007199254740993",
      "0.1234567890123456789",
      "٣",
    ])
      assert.is(
        refusal(text, "text", "number"),
        `the column c contains ${JSON.stringify(text)} in row 101, not number`,
      );
  });

  test("datetimes are converted to ISO 8601 and back, even dates without a time and strings with a time zone", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const instants = Array.from(
        { length: 500 },
        () => Math.floor((random.below(2 ** 31) / 2 ** 31) * 1.728e16) - 8.64e15,
      );
      const texts = convert(instants, "datetime", "text");
      assert.equal(
        texts,
        instants.map((ms) => new Date(ms).toISOString()),
      );
      assert.equal(convert(texts, "text", "datetime"), instants);
    });
    const hour = Date.parse("2024-02-29T10:00:00.000Z");
    assert.equal(
      convert(
        [
          "2024-02-29",
          "2024-02-29T10:00",
          "2024-02-29 10:00:00",
          "2024-02-29T10:00:00.5Z",
          "2024-02-29T10:00:00+02:00",
          "2024-02-29T10:00:00-00:30",
        ],
        "text",
        "datetime",
      ),
      [hour - 36_000_000, hour, hour, hour + 500, hour - 7_200_000, hour + 1_800_000],
    );
    for (const text of [
      "",
      "2024-02-30",
      "2023-02-29",
      "2024-13-01",
      "2024-2-3",
      "2024-01-01T24:00",
      "2024-01-01T10:60",
      "2024-01-01T10:00:00.1234Z",
      "2024-01-01T10:00+25:00",
      "01/02/2024",
      "1700000000000",
      "+275760-09-14",
    ])
      assert.is(
        refusal(text, "text", "datetime"),
        `the column c contains ${JSON.stringify(text)} in row 101, not datetime`,
      );
  });

  test("datetimes are converted to milliseconds, and integers back to datetimes", () => {
    assert.equal(convert([5, null, -8.64e15], "datetime", "number"), [5, null, -8.64e15]);
    assert.equal(convert([5, null, 8.64e15], "number", "datetime"), [5, null, 8.64e15]);
    for (const value of [0.5, 8.64e15 + 2, -1e300])
      assert.is(
        refusal(value, "number", "datetime"),
        `the column c contains ${value} in row 101, not datetime`,
      );
  });
});
