import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { closeDecodeMemory, openDecodeMemory } from "../../../engine/ingest/decode/decodeMemory.ts";
import { warmDecoding } from "../../../engine/ingest/warmDecoding.ts";
import type { Decoders } from "../../../engine/kernels/decoders.ts";
import { openDecoders } from "../../../engine/kernels/openDecoders.ts";
import { openSealers } from "../../../engine/kernels/openSealers.ts";
import { suite } from "../../support/suite.ts";

/** Those that loop over rows themselves, in the forms that files mostly have. */
const decoderNames: readonly (keyof Decoders)[] = [
  "decompressLz4",
  "decompressSnappy",
  "expandBits",
  "countLevels",
  "spreadDoubles",
  "spreadCodes",
  "gatherDoubles",
  "readFloat32",
  "readFloat64",
  "readInt32",
  "readInt64",
  "readDays",
  "splitByteArrays",
  "placeTexts",
  "internTexts",
  "internIndexed",
  "rehashTexts",
];

suite("engine/ingest/warmDecoding", (test) => {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 65_536, shared: true });

  test("after it V8 has what files mostly need from its optimizing compiler", async () => {
    setFlagsFromString("--allow-natives-syntax");
    const isOptimized: unknown = new Function("kernel", "return %IsTurboFanFunction(kernel)");
    setFlagsFromString("--no-allow-natives-syntax");
    assert.ok(typeof isOptimized === "function");
    warmDecoding();
    const decoders = openDecoders(memory);
    const { sealWhole, sealWords, unsealWhole, ...sealers } = openSealers(memory);
    const kernels: readonly (readonly [string, unknown])[] = [
      ...decoderNames.map((name) => [name, decoders[name]] as const),
      ...([1, 2, 3] as const).map((width) => [`sealWhole${width}`, sealWhole[width]] as const),
      ...([1, 2, 3, 4] as const).map((width) => [`sealWords${width}`, sealWords[width]] as const),
      ...([1, 2, 3, 4] as const).map((width) => [`unseal${width}`, unsealWhole[width]] as const),
      ...(["zoneNumbers", "zoneCodes", "sumScaled", "splitDayTime", "shareStep"] as const).map(
        (name) => [name, sealers[name]] as const,
      ),
      ...(["shareStepWords", "divideWords", "nextWords", "translateWords"] as const).map(
        (name) => [name, sealers[name]] as const,
      ),
      ["joinDayTimes", sealers.joinDayTimes],
    ];
    const waiting = () =>
      kernels.filter(([, kernel]) => !isOptimized(kernel)).map(([name]) => name);
    for (let round = 0; round < 500 && waiting().length > 0; round++) await setTimeout(20);
    assert.deepEqual(waiting(), []);
  });

  test("the memory that it leaves to the first file is empty and small", async () => {
    // Of what a test before this one read, nothing is kept.
    openDecodeMemory().take(2 ** 26);
    await closeDecodeMemory("last");
    warmDecoding();
    const { take, bytes } = openDecodeMemory();
    const first = take(64);
    assert.equal(openDecodeMemory().take(64), first);
    assert.ok(bytes(first, 64).buffer.byteLength < 2 ** 22);
  });
});
