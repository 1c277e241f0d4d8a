import { closeDecodeMemory } from "./decode/decodeMemory.ts";

/**
 * Loads and warms the encoders of files and their libraries, so that the first file does not have to wait. Takes about
 * 100 ms and 6 MB per thread.
 */
export async function warmIngest(): Promise<void> {
  await import("./parquet/encodeParquet.ts");
  await import("./arrow/encodeArrow.ts");
  const { warmDecoding } = await import("./warmDecoding.ts");
  warmDecoding();
  await closeDecodeMemory("last");
}
