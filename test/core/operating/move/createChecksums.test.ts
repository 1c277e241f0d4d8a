import * as assert from "uvu/assert";
import { createChecksums } from "../../../../core/operating/move/createChecksums.ts";
import { columnOfCells, type Cell } from "../../../../plugins/protocol/index.ts";
import { suite } from "../../../support/suite.ts";

const columns = [
  { id: "n", type: "numeric" as const },
  { id: "t", type: "hierarchy" as const },
];

async function sumsOf(...batches: readonly (readonly (readonly Cell[])[])[]) {
  const checksums = createChecksums(columns.map(({ id }) => id));
  for (const rows of batches)
    await checksums.add({
      rowCount: rows.length,
      columns: columns.map((column, index) =>
        columnOfCells(
          column,
          rows.map((row) => row[index] ?? null),
        ),
      ),
    });
  return Object.fromEntries(checksums.sums());
}

suite("core/operating/move/createChecksums", (test) => {
  test("equal rows have equal checksums, in any order and in any batches", async () => {
    const rows = Array.from({ length: 50 }, (_, index) => [
      index % 9 ? index / 3 : null,
      `t${index}`,
    ]);
    const [head, tail] = [rows.slice(0, 20), rows.slice(20)];
    assert.equal(await sumsOf(rows), await sumsOf(tail.toReversed(), head));
    assert.equal(await sumsOf([[0, "a"]]), await sumsOf([[-0, "a"]]));
  });

  test("a changed cell changes its column's checksum, and swapping two cells changes the checksum of the rows", async () => {
    const sums = await sumsOf([
      [1, "a"],
      [2, "b"],
    ]);
    const differing = async (...rows: readonly (readonly Cell[])[]) => {
      const other = await sumsOf(rows);
      return Object.keys(sums).filter((name) => sums[name] !== other[name]);
    };
    assert.equal(await differing([1, "a"], [2, "c"]), ["t", "rows"]);
    assert.equal(await differing([1, "a"], [2 + 2 ** -51, "b"]), ["n", "rows"]);
    assert.equal(await differing([1, "b"], [2, "a"]), ["rows"]);
    assert.equal(await differing([1, "a"], [null, "b"]), ["n", "rows"]);
    assert.equal(await differing([1, "a"], [2, null]), ["t", "rows"]);
    assert.equal(await differing([1, "a"]), ["count", "n", "t", "rows"]);
  });
});
