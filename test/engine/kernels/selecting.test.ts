import assert from "node:assert/strict";
import { suite } from "../../support/suite.ts";
import { openScratch, padded, rowCounts } from "./scratch.ts";

suite("engine/kernels/selecting", (test) => {
  const scratch = openScratch();
  const { kernels, random } = scratch;

  test("select lists the rows whose byte is 1, at every density and in runs", () => {
    for (const rowCount of rowCounts) {
      for (const share of [0, 0.01, 0.1, 0.3, 0.5, 0.9, 0.99, 1, "runs"] as const) {
        scratch.reset();
        let inRun = 0;
        const bytes = Uint8Array.from({ length: padded(rowCount) }, (_, row) => {
          if (row >= rowCount) return random.below(2);
          if (share !== "runs") return Number(random.chance(share));
          if (random.chance(0.03)) inRun = 1 - inRun;
          return inRun;
        });
        const mask = scratch.place(bytes);
        const selection = scratch.output(2 * padded(rowCount));
        const count = scratch.run(() => kernels.select(mask, rowCount, selection));
        const rows = [...Array(rowCount).keys()].filter((row) => bytes[row] === 1);
        assert.equal(count, rows.length);
        assert.deepEqual(scratch.halves(selection, count), rows);
      }
    }
  });
});
