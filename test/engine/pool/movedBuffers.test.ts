import * as assert from "uvu/assert";
import { movedBuffers } from "../../../engine/pool/movedBuffers.ts";
import type { CutTask } from "../../../engine/pool/messages.ts";
import { suite } from "../../support/suite.ts";

const control = new Int32Array(new SharedArrayBuffer(8));
const ranks = new Float64Array(10_000);

/** Returns a task over columns. Its plan refers to an array that other tasks also read. */
const cut = (...columns: Float64Array[]): CutTask =>
  ({ kind: "cut", control, plan: { ranks }, columns }) as unknown as CutTask;

suite("engine/pool/movedBuffers", (test) => {
  test("large arrays that only one task reads are transferred to its thread", () => {
    const [one, other] = [new Float64Array(10_000), new Float64Array(10_000)];
    const [moved] = movedBuffers([cut(one, other, one.subarray(5))]);
    assert.is(moved?.length, 2);
    assert.ok(moved?.includes(one.buffer) && moved.includes(other.buffer));
  });

  test("shared memory, small arrays and arrays that two tasks read are not transferred", () => {
    const [common, small] = [new Float64Array(10_000), new Float64Array(10)];
    const shared = new Float64Array(new SharedArrayBuffer(80_000));
    const own = new Float64Array(10_000);
    const moved = movedBuffers([cut(common.subarray(0, 5000), small, shared), cut(common, own)]);
    assert.equal(
      moved.map((buffers) => buffers.length),
      [0, 1],
    );
    assert.is(moved[1]?.[0], own.buffer);
  });
});
