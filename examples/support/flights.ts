import { fileURLToPath } from "node:url";
import { zstdDecompressSync } from "node:zlib";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";

/** The number of flights in vega-datasets. */
export const allFlights = 3_000_000;

/** The Parquet file with the flights. */
export const flightsPath = fileURLToPath(
  new URL("../data/flights-3m.parquet", import.meta.resolve("vega-datasets")),
);

/**
 * The number of flights to read. By default, these are all flights in vega-datasets. Tests set the environment variable
 * to read fewer flights.
 */
export const flightCount = Number(process.env["MANIFOLD_DEMO_FLIGHTS"] ?? allFlights);

export const header = ["date", "hour", "delay", "distance", "origin", "destination"];

interface Flight {
  readonly date: Date;
  readonly delay: bigint;
  readonly distance: bigint;
  readonly origin: string;
  readonly destination: string;
}

const compressors = {
  ZSTD: (packed: Uint8Array, sizeBytes: number) =>
    new Uint8Array(zstdDecompressSync(packed, { maxOutputLength: Math.max(sizeBytes, 1) })),
};

/**
 * Reads the flights of 2001 in batches of `count` rows, beginning with row `start`. The cells of a row are in the order
 * of `header`.
 */
export async function* readFlights(start: number, count: number): AsyncGenerator<unknown[][]> {
  const file = await asyncBufferFromFile(flightsPath);
  const metadata = await parquetMetadataAsync(file);
  const total = Math.min(Number(metadata.num_rows), flightCount);
  let pending: unknown[][] = [];
  let read = start;
  for (const group of rowGroups(metadata.row_groups.map(({ num_rows }) => Number(num_rows)))) {
    if (group.end <= start || group.start >= total) continue;
    const rowStart = Math.max(start, group.start);
    const flights = (await parquetReadObjects({
      file,
      metadata,
      rowStart,
      rowEnd: Math.min(group.end, total),
      compressors,
    })) as unknown as Flight[];
    for (const { date, delay, distance, origin, destination } of flights) {
      pending.push([
        date.toISOString(),
        date.getUTCHours(),
        Number(delay),
        Number(distance),
        origin,
        destination,
      ]);
      if (pending.length < count) continue;
      read += pending.length;
      yield pending;
      pending = [];
    }
  }
  if (read + pending.length !== total)
    throw new Error(`expected ${total} flights, but read ${read + pending.length}`);
  if (pending.length > 0) yield pending;
}

function* rowGroups(sizes: readonly number[]): Generator<{ start: number; end: number }> {
  let start = 0;
  for (const size of sizes) {
    yield { start, end: start + size };
    start += size;
  }
}
