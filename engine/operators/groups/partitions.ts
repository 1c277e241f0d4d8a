import type { Arena } from "../task/arena.ts";

/** Number of rows in a chunk. Kernels depend on it. */
export const chunkRows = 256;

/** The shape of a block of memory in which tasks partition rows by the hash of their keys. */
export interface PartitionShape {
  /** Binary logarithm of the number of parts. */
  readonly partBits: number;
  /**
   * Number of spans of rows that are folded separately, because their states depend on the order of rows; 1 if no state
   * does.
   */
  readonly spanCount: number;
  readonly chunkCount: number;
  /** Bytes per value of each column: 4 for numbers, 8 for doubles. */
  readonly widths: readonly (4 | 8)[];
}

/** A block of partitioned rows. All tasks of a query use the same block. */
export interface Partitions extends PartitionShape {
  /** The arena and the address of the block. */
  readonly arena: number;
  readonly address: number;
}

/** Addresses in a block of partitioned rows. */
interface PartitionPlaces {
  /** Number of chunks that were taken. It is larger than `chunkCount` if rows are missing. */
  readonly takenCount: number;
  /** Number of parts that tasks have begun to finish. */
  readonly begunCount: number;
  /** For each chunk, part * spanCount + span. */
  readonly owners: number;
  /** For each chunk, its number of rows; 0 for a full chunk. */
  readonly sizes: number;
  /** The values of each column, chunk by chunk. */
  readonly columns: readonly number[];
}

/** Rows per part. With fewer rows, the hash table and the states of a part stay in the second-level cache. */
const rowsPerPart = 2 ** 15;
/** Rows are written to the parts in turns, and more than 2^8 places of writing would not stay in the first cache. */
const mostPartBits = 8;

/** Returns the binary logarithm of the number of parts for a number of rows. */
export function rowPartBits(rowCount: number): number {
  const bits = Math.ceil(Math.log2(Math.max(1, rowCount / rowsPerPart)));
  return Math.min(mostPartBits, bits);
}

/** Returns the size of a block in bytes. */
export function partitionBytes(shape: PartitionShape): number {
  return layOut(shape, 0).end;
}

/** Returns the addresses in a block. */
export function partitionPlaces(partitions: Partitions): PartitionPlaces {
  return layOut(partitions, partitions.address);
}

const headBytes = 64;

function layOut({ chunkCount, widths }: PartitionShape, address: number) {
  let end = address + headBytes;
  const reserve = (sizeBytes: number): number => {
    const from = end;
    end = Math.ceil((from + sizeBytes) / 64) * 64;
    return from;
  };
  const owners = reserve(chunkCount * 4);
  const sizes = reserve(chunkCount * 4);
  const columns = widths.map((width) => reserve(chunkCount * chunkRows * width));
  return { takenCount: address, begunCount: address + 4, owners, sizes, columns, end };
}

/** Makes a block empty. Call it once, before any task. */
export function clearPartitions(partitions: Partitions, { u32 }: Arena): void {
  const { address } = partitions;
  const { sizes, columns } = partitionPlaces(partitions);
  u32.fill(0, address / 4, (address + headBytes) / 4);
  u32.fill(0, sizes / 4, columns[0] / 4);
}

/** Returns whether the block was too small, so that rows are missing. */
export function isOverfull(partitions: Partitions, { u32 }: Arena): boolean {
  return u32[partitions.address / 4] > partitions.chunkCount;
}

/** The chunks of a block by owner: those of owner `owner` are from `starts[owner]` to before `starts[owner + 1]`. */
export interface ChunkList {
  readonly starts: Uint32Array;
  readonly chunks: Uint32Array;
}

/** Lists the chunks part by part and, within a part, span by span. The chunks of an owner are in the order of rows. */
export function listChunks(partitions: Partitions, { u32 }: Arena): ChunkList {
  const { partBits, spanCount, address } = partitions;
  const owners = partitionPlaces(partitions).owners / 4;
  const count = u32[address / 4];
  const starts = new Uint32Array(2 ** partBits * spanCount + 1);
  for (let chunk = 0; chunk < count; chunk++) starts[u32[owners + chunk] + 1]++;
  for (let owner = 1; owner < starts.length; owner++) starts[owner] += starts[owner - 1];
  const next = starts.slice();
  const chunks = new Uint32Array(count);
  for (let chunk = 0; chunk < count; chunk++) chunks[next[u32[owners + chunk]]++] = chunk;
  return { starts, chunks };
}
