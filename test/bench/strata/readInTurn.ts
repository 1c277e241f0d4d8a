import { openMemoryReader } from "./memoryReader.ts";

/** How long it took to read `sizeBytes` bytes of memory in one turn. */
export interface Reading {
  readonly sizeBytes: number;
  readonly ms: number;
}

const sizesBytes = [2 ** 20, 2 ** 22, 2 ** 24, 2 ** 25, 2 ** 26, 2 ** 27, 2 ** 28];

/**
 * Opens a reader that takes turns with the systems. Two threads read spans of 1 to 256 MiB once, each from its own
 * memory. When a turn starts, the caches therefore contain only the reader's bytes that the systems have not evicted
 * since its last turn.
 */
export async function openTurnReader() {
  const reader = await openMemoryReader(sizesBytes.reduce((sum, size) => sum + size, 0));
  return async (): Promise<readonly Reading[]> => {
    const readings: Reading[] = [];
    let from = 0;
    for (const sizeBytes of sizesBytes) {
      const startedAt = performance.now();
      await reader.read({ from, to: from + sizeBytes, times: 1 }, 2);
      readings.push({ sizeBytes, ms: performance.now() - startedAt });
      from += sizeBytes;
    }
    return readings;
  };
}

/**
 * Returns the time in milliseconds in which two threads read `bytes` bytes in their turn. It is interpolated between
 * the medians of the two nearest sizes.
 */
export function floorMsOf(bytes: number, readings: readonly Reading[]): number {
  const points = readings.toSorted((one, other) => one.sizeBytes - other.sizeBytes);
  const place = points.findIndex(({ sizeBytes }) => sizeBytes >= bytes);
  const [low, high] =
    place === 0 ? [{ sizeBytes: 0, ms: 0 }, points[0]] : points.slice(place < 0 ? -2 : place - 1);
  if (!low || !high) throw new Error("there are no readings");
  const rate = (high.ms - low.ms) / (high.sizeBytes - low.sizeBytes);
  return low.ms + (bytes - low.sizeBytes) * rate;
}
