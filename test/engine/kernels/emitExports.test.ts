import assert from "node:assert/strict";
import { emitExports } from "../../../engine/kernels/emitExports.ts";
import { byFloat, single } from "../../../engine/kernels/table/kernelEntry.ts";
import { suite } from "../../support/suite.ts";

const sources = new Map([
  [
    "sums",
    `export function sum<T>(values: usize, rowCount: i32): f64 {
  return 0;
}
export function clear4(
  values: usize,
  rowCount: i32,
): void {}
export function clear<T>(values: usize): void {}
`,
  ],
]);
const warm = "none";

suite("engine/kernels/emitExports", (test) => {
  test("a kernel of two widths is exported as one call of its generic function per width", () => {
    assert.equal(
      emitExports([{ sum: byFloat({ warm }) }], sources),
      `import * as sums from "./sums";
export * from "./constants";
export function sum4(values: usize, rowCount: i32): f64 { return sums.sum<f32>(values, rowCount); }
export function sum8(values: usize, rowCount: i32): f64 { return sums.sum<f64>(values, rowCount); }
`,
    );
  });

  test("a width with its own source function is exported directly", () => {
    const lines = emitExports([{ clear: byFloat({ warm }) }], sources).split("\n");
    assert.ok(lines.includes('export { clear4 } from "./sums";'));
    assert.ok(
      lines.includes("export function clear8(values: usize): void { sums.clear<f64>(values); }"),
    );
  });

  test("kernels that share a generic function call it with their own types", () => {
    const lines = emitExports(
      [{ sumBytes: single({ generic: "sum", types: ["u8"], warm }) }],
      sources,
    );
    assert.ok(lines.includes("sumBytes(values: usize, rowCount: i32): f64 { return sums.sum<u8>("));
  });

  test("a kernel without a source is refused, and the error says what to add", () => {
    assert.throws(() => emitExports([{ least: byFloat({ warm }) }], sources), {
      message:
        "kernelTable.ts declares least4, but assembly/ exports neither least4 nor least<T>: add one of them",
    });
    assert.throws(() => emitExports([{ sum: single({ warm }) }], sources));
  });
});
