import { openSealers } from "../../kernels/openKernels.ts";
import type { Sealers } from "../../kernels/sealers.ts";
import { rowGroupSize } from "../segment/segment.ts";

const pageBytes = 65_536;
const valuesAt = 1024;
const wordsAt = valuesAt + rowGroupSize * 8;
const timesAt = wordsAt + rowGroupSize * 4;
const sealedAt = timesAt + rowGroupSize * 4;
const storedAt = sealedAt + rowGroupSize * 8;
/** Offset of a table. Kernels may read past the stored values, into the gap before the table. */
const tableAt = storedAt + rowGroupSize * 8 + 64;
const pageCount = Math.ceil((tableAt + 64) / pageBytes);
const pageLimit = 65_536;
/** Maximum size of memory that is kept between calls. If a table has made the memory larger, it is released. */
const keptBytes = 2 ** 27;

/** The memory in which a thread seals one row group at a time. Its content is valid during one call. */
export interface SealMemory {
  readonly sealers: Sealers;
  /**
   * Addresses in the memory: of the values, of two lists of words, of the sealed output, and of the stored values to
   * unseal.
   */
  readonly valuesAt: number;
  readonly wordsAt: number;
  readonly timesAt: number;
  readonly sealedAt: number;
  readonly storedAt: number;
  /** View of the doubles that the sealers return, and the address of these doubles. */
  readonly results: Float64Array;
  readonly resultsAt: number;
  /** Views of the memory without tables: values at `valuesAt`, words at `wordsAt`, and all bytes. */
  readonly values: Float64Array;
  readonly words: Int32Array;
  readonly bytes: Uint8Array;
  /** Copies a table of words, of any length, to the space after all buffers, and returns its address. */
  readonly placeTable: (words: Int32Array) => number;
}

let opened: SealMemory | undefined;
let openedBytes = 0;

/** Returns the seal memory of this thread. */
export function openSealMemory(): SealMemory {
  opened ??= createSealMemory();
  return opened;
}

/** Releases the memory if a table made it large. Call it when the content is no longer needed. */
export function trimSealMemory(): void {
  if (openedBytes > keptBytes) opened = undefined;
}

function createSealMemory(): SealMemory {
  const memory = new WebAssembly.Memory({ initial: pageCount, maximum: pageLimit, shared: true });
  const { buffer } = memory;
  openedBytes = buffer.byteLength;
  const resultsAt = 64;
  return {
    sealers: openSealers(memory),
    valuesAt,
    wordsAt,
    timesAt,
    sealedAt,
    storedAt,
    results: new Float64Array(buffer, resultsAt, 8),
    resultsAt,
    values: new Float64Array(buffer, valuesAt, rowGroupSize),
    words: new Int32Array(buffer, wordsAt, rowGroupSize),
    bytes: new Uint8Array(buffer),
    placeTable(words) {
      const lackingBytes = tableAt + words.byteLength - openedBytes;
      if (lackingBytes > 0) memory.grow(Math.ceil(lackingBytes / pageBytes));
      openedBytes = memory.buffer.byteLength;
      new Int32Array(memory.buffer, tableAt, words.length).set(words);
      return tableAt;
    },
  };
}
