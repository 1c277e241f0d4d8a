import { openSealers } from "../kernels/openSealers.ts";
import type { Sealers } from "../kernels/sealers.ts";
import { rowGroupSize } from "./segment.ts";

const pageBytes = 65_536;
const valuesAt = 1024;
const wordsAt = valuesAt + rowGroupSize * 8;
const timesAt = wordsAt + rowGroupSize * 4;
const sealedAt = timesAt + rowGroupSize * 4;
const endAt = sealedAt + rowGroupSize * 8;
const pageCount = Math.ceil(endAt / pageBytes);

/** Where a thread brings one row group at a time into its narrowest form. Nothing in it outlives a call. */
export interface SealMemory {
  readonly sealers: Sealers;
  /** Addresses: of values, of two lists of words, of what is made of them. */
  readonly valuesAt: number;
  readonly wordsAt: number;
  readonly timesAt: number;
  readonly sealedAt: number;
  /** What sealers return as doubles, and where. */
  readonly results: Float64Array;
  readonly resultsAt: number;
  /** All of it, as values at `valuesAt`, and as bytes. */
  readonly values: Float64Array;
  readonly words: Uint32Array;
  readonly bytes: Uint8Array;
}

let opened: SealMemory | undefined;

/** The memory of this thread. */
export function openSealMemory(): SealMemory {
  opened ??= createSealMemory();
  return opened;
}

function createSealMemory(): SealMemory {
  const memory = new WebAssembly.Memory({ initial: pageCount, maximum: pageCount, shared: true });
  const { buffer } = memory;
  const resultsAt = 64;
  return {
    sealers: openSealers(memory),
    valuesAt,
    wordsAt,
    timesAt,
    sealedAt,
    results: new Float64Array(buffer, resultsAt, 8),
    resultsAt,
    values: new Float64Array(buffer, valuesAt, rowGroupSize),
    words: new Uint32Array(buffer, wordsAt, rowGroupSize),
    bytes: new Uint8Array(buffer),
  };
}
