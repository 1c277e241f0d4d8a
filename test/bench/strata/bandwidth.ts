import { spreadOf } from "../spread.ts";
import { openMemoryReader } from "./memoryReader.ts";

const smallestBytes = 2 ** 24;
/** Size of the largest array in bytes, which far exceeds the caches. */
const largestBytes = 2 ** 30;
/** Minimum number of bytes that a run reads between two reads of the clock. */
const leastBytesPerRun = 2 ** 28;
const repeats = 9;

/** The speed of reading an array repeatedly. A small array is read from the caches. */
export interface Bandwidth {
  readonly sizeBytes: number;
  /** Bytes per second of the fastest run, with one and with two threads. */
  readonly one: number;
  readonly two: number;
}

/** Measures how fast one and two threads read shared memory, in arrays of 16 MiB to 1 GiB. */
export async function measureBandwidth(): Promise<readonly Bandwidth[]> {
  const reader = await openMemoryReader(largestBytes);
  const measure = async (sizeBytes: number, threads: 1 | 2) => {
    const times = Math.ceil(leastBytesPerRun / sizeBytes);
    const durations: number[] = [];
    for (let index = 0; index < repeats + 2; index++) {
      const startedAt = performance.now();
      await reader.read({ from: 0, to: sizeBytes, times }, threads);
      if (index >= 2) durations.push(performance.now() - startedAt);
    }
    return ((sizeBytes * times) / spreadOf(durations).min) * 1000;
  };
  try {
    const measured: Bandwidth[] = [];
    for (let sizeBytes = smallestBytes; sizeBytes <= largestBytes; sizeBytes *= 2)
      measured.push({
        sizeBytes,
        one: await measure(sizeBytes, 1),
        two: await measure(sizeBytes, 2),
      });
    return measured;
  } finally {
    await reader.close();
  }
}

/**
 * Returns the minimum time in milliseconds in which two threads can read `bytes` bytes, partly from the caches. Uses
 * the speed measured with the next smaller array, which is higher.
 */
export function warmFloorMsOf(bytes: number, measured: readonly Bandwidth[]): number {
  const found = measured.findLast(({ sizeBytes }) => sizeBytes <= bytes) ?? measured[0];
  if (!found) throw new Error("the bandwidth was not measured");
  return (bytes / found.two) * 1000;
}
