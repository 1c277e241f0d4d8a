import assert from "node:assert/strict";
import { openKernels } from "../../../engine/kernels/openKernels.ts";
import { suite } from "../../support/suite.ts";
import { widths } from "./scratch.ts";

suite("engine/kernels, selected rows", (test) => {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  const kernels = openKernels(memory);
  const selection = 1024;
  const table = 2048;
  const out = 4096;
  const rowCounts = [...Array(34).keys()];
  /**
   * Address of values of `width` bytes at the end of the arena. Reading a value after the last row traps.
   */
  const valuesOf = (width: number) => 65_536 - 64 - 40 * width;
  const select = (rowCount: number) => {
    const positions = new Uint16Array(memory.buffer, selection, 64).fill(65_535);
    for (let row = 0; row < rowCount; row++) positions[row] = row;
  };

  test("kernels never read at a position after the last selected row", () => {
    for (const rowCount of rowCounts) {
      select(rowCount);
      for (const width of widths) {
        const values = valuesOf(width);
        kernels.decodeSelected[width](values, selection, rowCount, 1, 0, out);
        kernels.widenSelected[width](values, selection, rowCount, out);
        kernels.numberSelected[width](values, selection, rowCount, 0, 1, out, 1);
        kernels.numberLookupSelected[width](values, selection, rowCount, table, 1, out, 1);
      }
      for (const width of [4, 8] as const) {
        kernels.decodeFloatSelected[width](valuesOf(width), selection, rowCount, out);
      }
    }
  });

  test("reading after the last row would trap, which proves that the test above can fail", () => {
    select(0);
    for (const width of widths) {
      assert.throws(() => kernels.widenSelected[width](valuesOf(width), selection, 1, out), {
        name: "RuntimeError",
      });
    }
  });
});
