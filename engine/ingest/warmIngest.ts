import { closeDecodeMemory } from "./decode/decodeMemory.ts";

/**
 * Loads what encodes files, with its libraries, and warms it: some 100 ms of a thread, and 6 MB, which the first file
 * would wait for.
 */
export async function warmIngest(): Promise<void> {
  await import("./parquet/encodeParquet.ts");
  await import("./arrow/encodeArrow.ts");
  const { warmDecoding } = await import("./warmDecoding.ts");
  warmDecoding();
  await closeDecodeMemory("last");
}
