import assert from "node:assert/strict";
import { selectingTable } from "../../../engine/kernels/selectingTable.ts";
import type { Random } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { openScratch, padded, randomSelection, rowCounts } from "./scratch.ts";

const shares = [0, 0.01, 0.1, 0.3, 0.5, 0.9, 0.99, 1, "runs"] as const;

/** Returns a mask with random padding. */
function randomMask(random: Random, rowCount: number, share: (typeof shares)[number]): Uint8Array {
  let inRun = 0;
  return Uint8Array.from({ length: padded(rowCount) }, (_, row) => {
    if (row >= rowCount) return random.below(2);
    if (share !== "runs") return Number(random.chance(share));
    if (random.chance(0.03)) inRun = 1 - inRun;
    return inRun;
  });
}

suite("engine/kernels/selecting", (test) => {
  const scratch = openScratch();
  const { kernels, random } = scratch;

  test("`select` lists the rows whose mask byte is 1, for every density and for runs", () => {
    for (const rowCount of rowCounts) {
      for (const share of shares) {
        scratch.reset();
        const bytes = randomMask(random, rowCount, share);
        const mask = scratch.place(bytes);
        const table = scratch.place(selectingTable);
        const selection = scratch.output(2 * padded(rowCount));
        const count = scratch.run(() => kernels.select(mask, rowCount, table, selection));
        const rows = [...Array(rowCount).keys()].filter((row) => bytes[row] === 1);
        assert.equal(count, rows.length);
        assert.deepEqual(scratch.halves(selection, count), rows);
      }
    }
  });

  test.deep(
    "`narrow` keeps the listed rows whose mask byte is 1, for every density and for runs",
    () => {
      for (const rowCount of rowCounts) {
        for (const share of shares) {
          scratch.reset();
          const listed = randomSelection(random, rowCount);
          const bytes = randomMask(random, rowCount, share);
          const mask = scratch.place(bytes);
          const table = scratch.place(selectingTable);
          const selection = scratch.output(2 * padded(rowCount), new Uint16Array(listed));
          const count = scratch.run(() => kernels.narrow(mask, rowCount, table, selection));
          const rows = listed.filter((_, index) => bytes[index] === 1);
          assert.equal(count, rows.length);
          assert.deepEqual(scratch.halves(selection, count), rows);
        }
      }
    },
  );

  test("countMask counts the mask bytes that are 1 outside the padding", () => {
    for (const rowCount of rowCounts) {
      for (const share of shares) {
        scratch.reset();
        const bytes = randomMask(random, rowCount, share);
        const mask = scratch.place(bytes);
        const count = scratch.run(() => kernels.countMask(mask, rowCount));
        assert.equal(count, bytes.subarray(0, rowCount).filter((byte) => byte === 1).length);
      }
    }
  });
});
