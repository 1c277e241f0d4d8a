import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { closeDecodeMemory, openDecodeMemory } from "../../../engine/ingest/decode/decodeMemory.ts";
import { warmDecoding } from "../../../engine/ingest/warmDecoding.ts";
import { kernelTables } from "../../../engine/kernels/kernelTable.ts";
import { openExports } from "../../../engine/kernels/openKernels.ts";
import { suite } from "../../support/suite.ts";

/**
 * Kernels that the test does not check, because their loops are in functions shared with other kernels, or need more
 * data than the warm-up has.
 */
const notAlone: readonly string[] = [
  "unpackIndices",
  "unpackLevels",
  "readMilliseconds",
  "readMicroseconds",
  "readNanoseconds",
  "sealWhole4",
];

suite("engine/ingest/warmDecoding", (test) => {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 65_536, shared: true });

  test("after the warm-up, V8 has optimized the decoding kernels that most files need", async () => {
    setFlagsFromString("--allow-natives-syntax");
    const isOptimized: unknown = new Function("kernel", "return %IsTurboFanFunction(kernel)");
    setFlagsFromString("--no-allow-natives-syntax");
    assert.ok(typeof isOptimized === "function");
    warmDecoding();
    const exportsOf = openExports(memory);
    const kernels = Object.entries({ ...kernelTables.decoders, ...kernelTables.sealers }).flatMap(
      ([name, { variants, warm }]) =>
        warm === "ingest/warmDecoding"
          ? variants.map(({ ending }) => [name + ending, exportsOf(name)<unknown>(ending)] as const)
          : [],
    );
    assert.ok(kernels.length > notAlone.length + 30);
    const waiting = () =>
      kernels.flatMap(([name, kernel]) =>
        isOptimized(kernel) || notAlone.includes(name) ? [] : [name],
      );
    for (let round = 0; round < 500 && waiting().length > 0; round++) await setTimeout(20);
    assert.deepEqual(waiting(), []);
  });

  test("the warm-up leaves an empty, small decode memory for the first file", async () => {
    // Releases the memory that earlier tests left behind.
    openDecodeMemory().take(2 ** 26);
    await closeDecodeMemory("last");
    warmDecoding();
    const { take, bytes } = openDecodeMemory();
    const first = take(64);
    assert.equal(openDecodeMemory().take(64), first);
    assert.ok(bytes(first, 64).buffer.byteLength < 2 ** 22);
  });
});
