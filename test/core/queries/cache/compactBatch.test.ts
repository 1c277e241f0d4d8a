import * as assert from "uvu/assert";
import { compactBatch, sizeOfBatch } from "../../../../core/queries/cache/compactBatch.ts";
import { cellsOfColumn, type Batch, type BatchColumn } from "../../../../plugins/protocol/index.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const texts = ["", "a", "Ghent", "\u{1f600}", "\ud800", "x".repeat(500)];

function randomVector(random: Random, rowCount: number): BatchColumn {
  const isView = random.chance(0.5);
  const offset = isView ? 3 : 0;
  const numbers = Float64Array.from({ length: rowCount + offset * 2 }, () =>
    random.chance(0.2) ? Number.NaN : random.below(100),
  ).subarray(offset, offset + rowCount);
  if (random.chance(0.3)) return { type: "numeric", values: numbers };
  if (random.chance(0.3)) return { type: "datetime", values: numbers };
  const dictionary = [
    ...texts,
    ...Array.from({ length: random.below(30) }, (_, index) => `text ${index}`),
  ];
  const codes = Int32Array.from(
    { length: rowCount + offset },
    () => random.below(dictionary.length + 1) - 1,
  ).subarray(offset);
  return { type: "hierarchy", codes, dictionary };
}

suite("core/queries/cache/compactBatch", (test) => {
  test("a compacted batch has the same cells, its own buffers and only the strings that its rows contain", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let run = 0; run < 300; run++) {
        const rowCount = random.below(20);
        const batch: Batch = {
          rowCount,
          columns: Array.from({ length: random.below(4) }, () => randomVector(random, rowCount)),
        };
        const kept = compactBatch(batch);
        assert.equal(kept.columns.map(cellsOfColumn), batch.columns.map(cellsOfColumn));
        for (const vector of kept.columns) {
          const array = vector.type === "hierarchy" ? vector.codes : vector.values;
          assert.is(array.buffer.byteLength, array.byteLength);
          if (vector.type === "hierarchy") assert.ok(vector.dictionary.length <= rowCount);
        }
      }
    });
  });

  test("compacting a batch copies a shared buffer, because the owner of the buffer may overwrite it", () => {
    const shared = new Float64Array(new SharedArrayBuffer(32));
    const kept = compactBatch({ rowCount: 4, columns: [{ type: "numeric", values: shared }] });
    shared.fill(9);
    assert.equal(cellsOfColumn(kept.columns[0] as BatchColumn), [0, 0, 0, 0]);
  });

  test("the size of a batch includes its arrays and strings", () => {
    const codes = Int32Array.from([0, 1, -1]);
    const size = sizeOfBatch({
      rowCount: 3,
      columns: [
        { type: "numeric", values: new Float64Array(3) },
        { type: "hierarchy", codes, dictionary: ["ab", ""] },
      ],
    });
    assert.is(size, 24 + 12 + 32 + 4 + 32);
  });
});
