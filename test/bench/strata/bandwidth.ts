import { spreadOf } from "../spread.ts";
import { openMemoryReader } from "./memoryReader.ts";

const smallestBytes = 2 ** 24;
/** Far larger than the caches. */
const largestBytes = 2 ** 30;
/** Bytes read between two looks at the clock. */
const leastBytesPerRun = 2 ** 28;
const repeats = 9;

/** The speed of reading an array repeatedly. Small arrays come from the caches. */
export interface Bandwidth {
  readonly sizeBytes: number;
  /** Bytes a second in the fastest run, by the number of threads. */
  readonly one: number;
  readonly two: number;
}

/** Measures how fast one and two threads read shared memory, for arrays of 16 MiB to 1 GiB. */
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
 * Milliseconds that two threads need at least for so many bytes that lie in the caches as far as they fit: at the speed
 * of the next smaller array, which is the faster one.
 */
export function warmFloorMsOf(bytes: number, measured: readonly Bandwidth[]): number {
  const found = measured.findLast(({ sizeBytes }) => sizeBytes <= bytes) ?? measured[0];
  if (!found) throw new Error("no bandwidth was measured");
  return (bytes / found.two) * 1000;
}
