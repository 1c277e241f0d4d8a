import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { openKernels } from "../../../engine/kernels/openKernels.ts";
import { warmKernels, warmSizeBytes } from "../../../engine/kernels/warmKernels.ts";
import { suite } from "../../support/suite.ts";

/** Returns the kernels of a tree, each with its path. */
const pathsOf = (tree: object, path: string): [string, unknown][] =>
  Object.entries(tree).flatMap(([name, kernel]): [string, unknown][] =>
    kernel !== null && typeof kernel === "object"
      ? pathsOf(kernel, `${path}.${name}`)
      : [[`${path}.${name}`, kernel]],
  );

suite("engine/kernels/warmKernels", (test) => {
  const memory = new WebAssembly.Memory({ initial: 4, maximum: 65_536, shared: true });
  const kernels = openKernels(memory);
  const scratch = 65_536;

  test("after the warm-up, V8 has optimized every kernel that contains a loop", async () => {
    setFlagsFromString("--allow-natives-syntax");
    const isOptimized: unknown = new Function("kernel", "return %IsTurboFanFunction(kernel)");
    setFlagsFromString("--no-allow-natives-syntax");
    assert.ok(typeof isOptimized === "function");
    warmKernels(memory, scratch);
    const waiting = () =>
      pathsOf(kernels, "kernels")
        .filter(([path, kernel]) => kernel !== undefined && path !== "kernels.decodeFloat.8")
        .filter(([, kernel]) => !isOptimized(kernel))
        .map(([path]) => path);
    for (let round = 0; round < 500 && waiting().length > 0; round++) await setTimeout(20);
    assert.deepEqual(waiting(), []);
  });

  test("the warm-up writes only to its scratch block, whatever the block contained", () => {
    const bytes = new Uint8Array(memory.buffer);
    bytes.fill(0xa5);
    warmKernels(memory, scratch);
    assert.ok(bytes.subarray(0, scratch).every((byte) => byte === 0xa5));
    assert.ok(bytes.subarray(scratch + warmSizeBytes).every((byte) => byte === 0xa5));
  });
});
