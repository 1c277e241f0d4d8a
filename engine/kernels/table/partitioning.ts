import { single, warmRowCount } from "./kernelEntry.ts";

type HashRows = (values: number, rowCount: number, hashes: number, isFirst: 0 | 1) => void;
type PlaceRows = (
  hashes: number,
  rowCount: number,
  shift: number,
  cursors: number,
  takenCount: number,
  chunkCount: number,
  spanCount: number,
  span: number,
  owners: number,
  places: number,
) => number;
type Scatter = (values: number, places: number, rowCount: number, column: number) => void;

/** Partitions rows by the hash of their keys. Parts consist of chunks of 256 rows, which tasks take as needed. */
export const partitioning = {
  /**
   * hashes = hash(number), or hash(number, hash) unless `isFirst` is 1, from 32-bit numbers. Hashes have 32 bits.
   */
  hashNumbers: single<HashRows>({
    warm: (hash, { zeros, out }) => hash(zeros, warmRowCount, out, 0),
  }),
  /** The same for doubles. -0 and 0 have the same hash, as have all NaNs. */
  hashValues: single<HashRows>({
    warm: (hash, { zeros, out }) => hash(zeros, warmRowCount, out, 0),
  }),
  /**
   * places = the next free row of each row's part, hash >> shift. `cursors` contains that row for each part. If it is a
   * multiple of 256, a chunk is taken first: `takenCount` is the address of the number of chunks taken by all tasks.
   * The owner of the chunk, part * spanCount + span, is written to `owners`. Stops before a row that needs more than
   * `chunkCount` chunks. Returns the number of rows done.
   */
  placeRows: single<PlaceRows>({
    warm: (place, { zeros, count, slots, out, clear }) => {
      clear(count, 64);
      clear(slots, 64);
      place(zeros, warmRowCount, 32, count + 32, count, 16, 1, 0, slots, out);
    },
  }),
  /** column[place] = number, with 32 bits. */
  scatterNumbers: single<Scatter>({
    generic: "scatter",
    types: ["u32"],
    warm: (scatter, { zeros, out }) => scatter(zeros, zeros, warmRowCount, out),
  }),
  /** column[place] = double. */
  scatterValues: single<Scatter>({
    generic: "scatter",
    types: ["f64"],
    warm: (scatter, { zeros, out }) => scatter(zeros, zeros, warmRowCount, out),
  }),
};
