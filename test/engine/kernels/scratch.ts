import assert from "node:assert/strict";
import type { Decoders } from "../../../engine/kernels/decoders.ts";
import type { Kernels } from "../../../engine/kernels/kernels.ts";
import { openDecoders, openKernels } from "../../../engine/kernels/openKernels.ts";
import { createRandom, type Random } from "../../support/random.ts";

/** Row counts around every block size, and around the length of a vector. */
export const rowCounts: readonly number[] = [...Array(41).keys(), 4095, 4096];

export const widths = [1, 2, 3, 4] as const;

/** An arena for consecutive kernel calls. Detects any byte that a call writes outside the outputs. */
export interface Scratch {
  readonly kernels: Kernels;
  readonly decoders: Decoders;
  readonly memory: WebAssembly.Memory;
  readonly random: Random;
  /** Drops all blocks. */
  reset(): void;
  /** Places stored whole numbers, followed by random bytes. Numbers of 1 to 3 bytes may be placed at any address. */
  stored(values: readonly number[], width: number): number;
  /** Places the elements of an array at a multiple of 64 bytes. */
  place(values: ArrayBufferView): number;
  /** Returns the address of a block to which the next calls may write. The block contains `before`, or random bytes. */
  output(sizeBytes: number, before?: ArrayBufferView): number;
  /** Runs a call and asserts that no byte outside the outputs changes. */
  run<Result>(call: () => Result): Result;
  /** Asserts that the elements at an address equal an array. Comparing many equal elements is fast. */
  check(address: number, expected: Uint32Array): void;
  bytes(address: number, count: number): number[];
  halves(address: number, count: number): number[];
  words(address: number, count: number): number[];
  longs(address: number, count: number): bigint[];
  doubles(address: number, count: number): number[];
}

/**
 * Random bytes that are repeated to fill an arena. The length is a prime, so that two vectors of a call never contain
 * the same noise.
 */
const noiseBytes = 65_521;

/** Opens a scratch arena. The seed is fixed, so that failures can be repeated. */
export function openScratch(seed = 26): Scratch {
  const memory = new WebAssembly.Memory({ initial: 128, maximum: 128, shared: true });
  const kernels = openKernels(memory);
  const random = createRandom(seed);
  const all = new Uint8Array(memory.buffer);
  const noise = Uint8Array.from({ length: noiseBytes }, () => random.below(256));
  const buffer = Buffer.from(memory.buffer);
  /** A copy of the arena's content before a call. */
  const kept = Buffer.alloc(all.length);
  const start = 1024;
  let end = start;
  let outputs: { from: number; to: number }[] = [];
  let noisyTo = 0;
  /** Fills the arena with noise up to the end of the blocks. The rest of the arena is never used. */
  const fill = () => {
    for (; noisyTo < Math.min(end + noiseBytes, all.length); noisyTo += noiseBytes)
      all.set(noise.subarray(0, all.length - noisyTo), noisyTo);
  };
  fill();

  const take = (sizeBytes: number, shift = 0) => {
    const address = Math.ceil(end / 64) * 64 + 64 + shift;
    end = address + sizeBytes + 128;
    assert.ok(end < all.length, "the scratch arena is too small for this test");
    fill();
    return address;
  };
  const asBytes = (values: ArrayBufferView) =>
    new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

  return {
    kernels,
    decoders: openDecoders(memory),
    memory,
    random,
    reset() {
      end = start;
      outputs = [];
    },
    stored(values, width) {
      const address = take(values.length * width, width < 4 ? random.below(64) : 0);
      values.forEach((value, index) => buffer.writeUIntLE(value, address + index * width, width));
      return address;
    },
    place(values) {
      const address = take(values.byteLength);
      all.set(asBytes(values), address);
      return address;
    },
    output(sizeBytes, before) {
      const address = take(sizeBytes);
      if (before) all.set(asBytes(before), address);
      outputs.push({ from: address, to: address + sizeBytes });
      return address;
    },
    run(call) {
      kept.set(all.subarray(0, end));
      const result = call();
      let from = 0;
      for (const output of [...outputs, { from: end, to: end }]) {
        assert.equal(
          buffer.compare(kept, from, output.from, from, output.from),
          0,
          `bytes between ${from} and ${output.from} changed, outside the outputs`,
        );
        from = output.to;
      }
      return result;
    },
    check(address, expected) {
      const found = new Uint32Array(memory.buffer, address, expected.length);
      if (Buffer.compare(asBytes(found.slice()), asBytes(expected)) === 0) return;
      assert.deepEqual([...found], [...expected]);
    },
    bytes: (address, count) => [...new Uint8Array(memory.buffer, address, count)],
    halves: (address, count) => [...new Uint16Array(memory.buffer, address, count)],
    words: (address, count) => [...new Uint32Array(memory.buffer, address, count)],
    longs: (address, count) => [...new BigUint64Array(memory.buffer, address, count)],
    doubles: (address, count) => [...new Float64Array(memory.buffer, address, count)],
  };
}

/** Rounds a row count up to a multiple of 16, because outputs have space for whole blocks. */
export function padded(rowCount: number): number {
  return Math.ceil(rowCount / 16) * 16;
}

/**
 * Returns random stored whole numbers, including nulls (0), the greatest number of the width, and runs of small
 * numbers.
 */
export function randomStored(random: Random, rowCount: number, width: number): number[] {
  const bound = 2 ** (8 * width);
  return Array.from({ length: rowCount }, () =>
    random.pick([0, bound - 1, 1 + random.below(5), random.below(bound), random.below(bound)]),
  );
}

/** Returns random doubles, including NaN, zeros of both signs, and values whose sums must be rounded. */
export function randomDoubles(random: Random, rowCount: number): number[] {
  return Array.from({ length: rowCount }, () =>
    random.pick([NaN, 0, -0, random.below(1000), random.below(2 ** 31) / 997 - 1e6]),
  );
}

/** Returns random ascending positions below 4,096. */
export function randomSelection(random: Random, rowCount: number): number[] {
  const rows: number[] = [];
  for (let row = 0; row < 4096; row++)
    if (random.below(4096 - row) < rowCount - rows.length) rows.push(row);
  return rows;
}
