import assert from "node:assert/strict";
import { decoderSlackBytes } from "../../../engine/kernels/decoders.ts";
import { createRandom, type Random } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { openScratch } from "./scratch.ts";

const seed = Number(process.env["SEED"] ?? 20261125);

function putVarint(bytes: number[], value: number): void {
  let rest = value;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  bytes.push(rest);
}

/** Returns values and their encoding as runs and packed groups, as Parquet specifies it. */
function encode(
  random: Random,
  width: number,
): { readonly values: readonly number[]; readonly bytes: Uint8Array } {
  const values: number[] = [];
  const bytes: number[] = [];
  const value = () => (width === 32 ? random.below(2 ** 32) : random.below(2 ** width)) >>> 0;
  for (let part = 0; part < 1 + random.below(5); part++) {
    if (random.chance(0.5)) {
      const count = 1 + random.below(300);
      const repeated = value();
      putVarint(bytes, count << 1);
      for (let shift = 0; shift < width; shift += 8) bytes.push((repeated >>> shift) & 255);
      values.push(...Array.from({ length: count }, () => repeated));
    } else {
      const groups = 1 + random.below(10);
      const packed = Array.from({ length: groups * 8 }, value);
      putVarint(bytes, (groups << 1) | 1);
      const bits = packed.flatMap((item) =>
        Array.from({ length: width }, (_, bit) => (item >>> bit) & 1),
      );
      for (let at = 0; at < bits.length; at += 8)
        bytes.push(bits.slice(at, at + 8).reduce((byte, bit, place) => byte | (bit << place), 0));
      values.push(...packed);
    }
  }
  return { values, bytes: Uint8Array.from(bytes) };
}

const randomLevels = (random: Random, count: number) =>
  Uint8Array.from({ length: count }, () => Number(random.chance(0.7)));

suite("engine/kernels/unpacking", (test) => {
  const scratch = openScratch();
  const { decoders } = scratch;

  test("runs and packed groups of every width are unpacked to indices", () => {
    for (let width = 0; width <= 32; width++)
      for (let index = 0; index < 20; index++) {
        const random = createRandom(seed + width * 100 + index);
        const { values, bytes } = encode(random, width);
        const count = Math.max(0, values.length - random.below(8));
        scratch.reset();
        const from = scratch.place(bytes);
        const to = scratch.output(count * 4 + decoderSlackBytes);
        const isWhole = scratch.run(() =>
          decoders.unpackIndices(from, from + bytes.length, width, count, to),
        );
        assert.equal(isWhole, 1);
        assert.deepEqual(scratch.words(to, count), values.slice(0, count), `SEED=${seed} ${width}`);
      }
  });

  test("levels are unpacked to one byte each, and countLevels counts the levels other than 0", () => {
    for (let index = 0; index < 50; index++) {
      const { values, bytes } = encode(createRandom(seed + index), 1);
      scratch.reset();
      const from = scratch.place(bytes);
      const to = scratch.output(values.length + decoderSlackBytes);
      scratch.run(() => decoders.unpackLevels(from, from + bytes.length, values.length, to));
      assert.deepEqual(scratch.bytes(to, values.length), values);
      const present = values.filter((level) => level !== 0).length;
      assert.equal(decoders.countLevels(to, values.length), present);
    }
  });

  test("input that ends before its last value or has a header of more than 32 bits is rejected", () => {
    const { values, bytes } = encode(createRandom(seed), 7);
    const isWhole = (input: Uint8Array, count: number) => {
      scratch.reset();
      const from = scratch.place(input);
      const to = scratch.output(count * 4 + decoderSlackBytes);
      return scratch.run(() => decoders.unpackIndices(from, from + input.length, 7, count, to));
    };
    for (let length = 0; length < bytes.length; length++)
      assert.equal(isWhole(bytes.subarray(0, length), values.length), 0);
    assert.equal(isWhole(bytes, values.length), 1);
    assert.equal(isWhole(Uint8Array.of(255, 255, 255, 255, 255, 255), 1), 0);
    // Endless runs and packed groups that contain no values.
    assert.equal(isWhole(new Uint8Array(1000), 10), 0);
    assert.equal(isWhole(new Uint8Array(1000).fill(1), 10), 0);
  });

  test("random bytes are unpacked or rejected without any write outside the output", () => {
    let refused = 0;
    for (let index = 0; index < 2_000; index++) {
      const random = createRandom(seed + index);
      const bytes = Uint8Array.from({ length: random.below(60) }, () =>
        random.pick([0, 1, 3, 255, random.below(256)]),
      );
      const count = random.below(500);
      scratch.reset();
      const from = scratch.place(bytes);
      const to = scratch.output(count * 4 + decoderSlackBytes);
      const width = random.below(33);
      const isWhole = scratch.run(() =>
        decoders.unpackIndices(from, from + bytes.length, width, count, to),
      );
      if (isWhole === 0) refused++;
    }
    assert.ok(refused > 200 && refused < 2_000, `${refused} refused`);
  });

  test("bitmaps are expanded correctly from every starting bit", () => {
    for (let index = 0; index < 100; index++) {
      const random = createRandom(seed + index);
      const bits = Uint8Array.from({ length: 40 }, () => random.below(256));
      const firstBit = random.below(8);
      const count = random.below(300);
      scratch.reset();
      const from = scratch.place(bits);
      const to = scratch.output(count);
      scratch.run(() => decoders.expandBits(from, firstBit, count, to));
      assert.deepEqual(
        scratch.bytes(to, count),
        Array.from(
          { length: count },
          (_, row) => (bits[(firstBit + row) >> 3]! >> ((firstBit + row) & 7)) & 1,
        ),
      );
    }
  });

  test("values stored without nulls are spread over all rows", () => {
    for (let index = 0; index < 100; index++) {
      const random = createRandom(seed + index);
      const levels = randomLevels(random, random.below(100));
      const values = levels.filter((level) => level !== 0).map(() => random.below(1000));
      let at = 0;
      const rows = Array.from(levels, (level) => (level === 0 ? undefined : values[at++]!));
      scratch.reset();
      const placed = scratch.place(levels);
      const doubles = scratch.place(Float64Array.from(values));
      const codes = scratch.place(Int32Array.from(values));
      const doublesTo = scratch.output(levels.length * 8);
      const codesTo = scratch.output(levels.length * 4);
      scratch.run(() => {
        decoders.spreadDoubles(doubles, placed, levels.length, doublesTo);
        decoders.spreadCodes(codes, placed, levels.length, codesTo);
      });
      assert.deepEqual(
        scratch.doubles(doublesTo, levels.length),
        rows.map((value) => value ?? NaN),
      );
      assert.deepEqual(
        scratch.words(codesTo, levels.length).map((code) => code | 0),
        rows.map((value) => value ?? -1),
      );
    }
  });

  test("indices are widened to 32 bits, and indices outside every dictionary become the greatest index", () => {
    const cases = [
      ["widenIndices8", Int8Array.of(0, 127, -1, 5), [0, 127, 2 ** 32 - 1, 5]],
      ["widenIndices8u", Uint8Array.of(0, 255, 7), [0, 255, 7]],
      ["widenIndices16", Int16Array.of(0, 32_767, -2), [0, 32_767, 2 ** 32 - 2]],
      ["widenIndices16u", Uint16Array.of(65_535, 1), [65_535, 1]],
      [
        "widenIndices64",
        BigInt64Array.of(0n, 2n ** 31n, 2n ** 32n, 2n ** 40n + 3n, -1n),
        [0, 2 ** 31, 2 ** 32 - 1, 2 ** 32 - 1, 2 ** 32 - 1],
      ],
    ] as const;
    for (const [name, stored, expected] of cases) {
      scratch.reset();
      const from = scratch.place(stored);
      const to = scratch.output(stored.length * 4);
      scratch.run(() => decoders[name](from, stored.length, to));
      assert.deepEqual(scratch.words(to, stored.length), expected, name);
    }
  });

  test("gathering doubles stops at an index without an entry, unless the row is null", () => {
    for (let index = 0; index < 200; index++) {
      const random = createRandom(seed + index);
      const entries = Float64Array.from({ length: 1 + random.below(20) }, () => random.below(99));
      const count = random.below(60);
      const levels = random.chance(0.5) ? randomLevels(random, count) : undefined;
      const indices = Uint32Array.from({ length: count }, () =>
        random.chance(0.01) ? 2 ** 32 - 1 - random.below(9) : random.below(entries.length),
      );
      if (levels && count > 0) [levels[0], indices[0]] = [0, 2 ** 31];
      const bad = indices.findIndex((entry, row) => levels?.[row] !== 0 && entry >= entries.length);
      const done = bad < 0 ? count : bad;
      scratch.reset();
      const entriesAt = scratch.place(entries);
      const indicesAt = scratch.place(indices);
      const levelsAt = levels ? scratch.place(levels) : 0;
      const to = scratch.output(count * 8);
      const found = scratch.run(() =>
        decoders.gatherDoubles(entriesAt, entries.length, indicesAt, levelsAt, count, to),
      );
      assert.equal(found, done, `SEED=${seed + index}`);
      assert.deepEqual(
        scratch.doubles(to, done),
        [...indices.subarray(0, done)].map((entry, row) =>
          levels?.[row] === 0 ? NaN : entries[entry],
        ),
      );
    }
  });
});
