import * as assert from "uvu/assert";
import { decodeChange, encodeChange, isPartOfChange } from "../../../engine/files/changeFrame.ts";
import type { ColumnDefinition, NamedBatch } from "../../../engine/index.ts";
import { Memory } from "../../../engine/memory/memory.ts";
import { readColumn } from "../../../engine/table/readColumn.ts";
import { Table, type TableChange } from "../../../engine/table/table.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

const definitions: readonly ColumnDefinition[] = [
  { name: "n", type: "number" },
  { name: "d", type: "datetime" },
  { name: "s", type: "text" },
  { name: "long 😀", type: "text" },
];

const someTexts = [
  "",
  "a",
  "b",
  "é",
  "😀",
  "\ud83d",
  "\ude00",
  '"quoted"',
  "漢字",
  "a".repeat(300),
];

/** Returns rows for some of the columns. Their dictionaries contain unused and repeated strings. */
function randomRows(random: Random): NamedBatch {
  const columns = random.some(definitions, 0.8);
  const rowCount = random.below(50);
  return {
    names: columns.map(({ name }) => name),
    batch: {
      rowCount,
      columns: columns.map(({ type }) => {
        const values = Array.from({ length: rowCount }, () =>
          random.chance(0.2) ? NaN : random.below(1000) / 8 - 3,
        );
        if (type !== "text") return { type, values: Float64Array.from(values) };
        const dictionary = Array.from({ length: 12 }, () => random.pick(someTexts));
        const codes = Int32Array.from(values, () => random.below(13) - 1);
        return { type, codes, dictionary };
      }),
    },
  };
}

const contentOf = (table: Table, memory: Memory) =>
  [...table.snapshot().columns.values()].map((column) => ({
    definition: column.definition,
    cells: readColumn(memory, column),
    texts: column.dictionary?.texts,
  }));

suite("engine/files/changeFrame", (test) => {
  test("changes that were encoded, read back and applied rebuild the same table, including its dictionary codes", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 60; round++) {
        const memory = new Memory({ budgetBytes: 2 ** 26 });
        const tables = Array.from({ length: 2 }, () => new Table("t", memory, false, 0));
        const [applied, read] = tables;
        for (let step = 0; step < 6; step++) {
          const change: TableChange = {
            ...(step === 0 && { add: definitions }),
            ...(step === 3 && { drop: ["s"], add: [definitions[2]] }),
            ...(random.chance(0.8) && { rows: randomRows(random) }),
          };
          const isPart = random.chance(0.2);
          const pieces = encodeChange(change, isPart);
          const payload = Buffer.concat(pieces);
          assert.is(isPartOfChange(payload), isPart);
          read.apply(decodeChange(payload), isPart);
          applied.apply(change, isPart);
        }
        assert.equal(contentOf(read, memory), contentOf(applied, memory));
        assert.is(read.rowCount, applied.rowCount);
        assert.is(read.version, applied.version);
        for (const table of tables) table.close();
        assert.is(memory.usedBytes, 0);
      }
    });
  });

  test("the dictionary in an encoded change contains only strings that occur, in the order of the rows", () => {
    const encoded = (codes: number[], dictionary: string[]) => {
      const columns = [{ type: "text", codes: Int32Array.from(codes), dictionary }] as const;
      const rows = { names: ["s"], batch: { rowCount: codes.length, columns } };
      return Buffer.concat(encodeChange({ rows })).toString("base64");
    };
    const plain = encoded([0, -1, 1, 0], ["a", "b"]);
    assert.is(encoded([1, -1, 0, 1], ["b", "a"]), plain);
    assert.is(encoded([0, -1, 2, 0], ["a", "unused", "b"]), plain);
    assert.is(encoded([0, -1, 1, 0], ["a", "b", "unused"]), plain);
    assert.is.not(encoded([0, 0, 1, 0], ["a", "b"]), plain);
  });
});
