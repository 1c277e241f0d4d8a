import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { warmSealing } from "../../../engine/ingest/warmSealing.ts";
import { kernelTables } from "../../../engine/kernels/kernelTable.ts";
import { openExports } from "../../../engine/kernels/openKernels.ts";
import { suite } from "../../support/suite.ts";

/**
 * Kernels that the test does not check, because their loops are in functions shared with other kernels, or need more
 * data than the warm-up has.
 */
const notAlone: readonly string[] = ["sealWhole4"];

suite("engine/ingest/warmSealing", (test) => {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 65_536, shared: true });

  test("after the warm-up, V8 has optimized the kernels that seal the rows of most files", async () => {
    setFlagsFromString("--allow-natives-syntax");
    const isOptimized: unknown = new Function("kernel", "return %IsTurboFanFunction(kernel)");
    setFlagsFromString("--no-allow-natives-syntax");
    assert.ok(typeof isOptimized === "function");
    warmSealing();
    const exportsOf = openExports(memory);
    const kernels = Object.entries(kernelTables.sealers).flatMap(([name, { variants, warm }]) =>
      warm === "ingest/warmSealing"
        ? variants.map(({ ending }) => [name + ending, exportsOf(name)<unknown>(ending)] as const)
        : [],
    );
    assert.ok(kernels.length > notAlone.length + 20);
    const waiting = () =>
      kernels.flatMap(([name, kernel]) =>
        isOptimized(kernel) || notAlone.includes(name) ? [] : [name],
      );
    for (let round = 0; round < 500 && waiting().length > 0; round++) await setTimeout(20);
    assert.deepEqual(waiting(), []);
  });
});
