import assert from "node:assert/strict";
import type { Decoders } from "../../../engine/kernels/decoders.ts";
import { createRandom, type Random } from "../../support/random.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { openScratch } from "./scratch.ts";

const seed = Number(process.env["SEED"] ?? 20261129);

type Name = Exclude<
  keyof { [Each in keyof Decoders as Each extends `read${string}` ? Each : never]: true },
  "readDecimal128"
>;

interface Kind {
  readonly store: (
    values: readonly bigint[],
    random: Random,
  ) => ArrayBufferView & ArrayLike<number | bigint>;
  /** Returns the expected double for a stored value; undefined if the kernel must reject the value. */
  readonly cell: (stored: number | bigint) => number | undefined;
}

const limit = 2n ** 53n;
const latest = 8_640_000_000_000_000n;
const exact = (value: number | bigint) =>
  BigInt(value) < limit && BigInt(value) > -limit ? Number(value) : undefined;
const floorDivide = (value: bigint, by: bigint) => value / by - (value % by < 0n ? 1n : 0n);
const instant = (divisor: bigint, factor: bigint) => (stored: number | bigint) => {
  const ms = floorDivide(BigInt(stored), divisor) * factor;
  return ms <= latest && ms >= -latest ? Number(ms) : undefined;
};
const longs = (values: readonly bigint[]) => BigInt64Array.from(values);
const floats =
  (Floats: Float64ArrayConstructor | Float32ArrayConstructor) =>
  (values: readonly bigint[], random: Random) =>
    Floats.from(
      values.map((value) =>
        random.chance(0.01)
          ? random.pick([NaN, Infinity, -Infinity])
          : random.pick([-0, Number(value % 1000n) / 8, Number(value)]),
      ),
    );
const finite = (stored: number | bigint) =>
  Number.isFinite(Number(stored)) ? Number(stored) + 0 : undefined;
const integers = (
  make: (values: readonly number[]) => ArrayBufferView & ArrayLike<number>,
): Kind => ({
  store: (values) => make(values.map((value) => Number(BigInt.asIntN(32, value)))),
  cell: Number,
});

const kinds: Readonly<Record<Name, Kind>> = {
  readFloat32: { store: floats(Float32Array), cell: finite },
  readFloat64: { store: floats(Float64Array), cell: finite },
  readInt8: integers((values) => Int8Array.from(values)),
  readInt16: integers((values) => Int16Array.from(values)),
  readInt32: integers((values) => Int32Array.from(values)),
  readUint8: integers((values) => Uint8Array.from(values)),
  readUint16: integers((values) => Uint16Array.from(values)),
  readUint32: integers((values) => Uint32Array.from(values)),
  readInt64: { store: longs, cell: exact },
  readUint64: { store: (values) => BigUint64Array.from(values), cell: exact },
  readSeconds: { store: longs, cell: instant(1n, 1000n) },
  readMilliseconds: { store: longs, cell: instant(1n, 1n) },
  readMicroseconds: { store: longs, cell: instant(1000n, 1n) },
  readNanoseconds: { store: longs, cell: instant(1_000_000n, 1n) },
  readDecimal32: {
    ...integers((values) => Int32Array.from(values)),
    cell: (stored) => decimal(stored),
  },
  readDecimal64: { store: longs, cell: (stored) => decimal(stored) },
  readDays: {
    store: (values) => Int32Array.from(values, (value) => Number(value % 150_000_000n)),
    cell: (stored) => (Math.abs(Number(stored)) <= 1e8 ? Number(stored) * 86_400_000 : undefined),
  },
};

const power = 1000;
const decimal = (stored: number | bigint) =>
  BigInt(stored) < limit && BigInt(stored) > -limit ? Number(stored) / power : undefined;

/** Returns whole numbers of all sizes, including numbers close to the limits. */
function randomWhole(random: Random): bigint {
  const near = random.pick([0n, limit, latest, latest / 1000n, latest * 1000n, 2n ** 63n - 9n]);
  const size = random.chance(0.02)
    ? near
    : BigInt(random.below(2 ** 31)) * BigInt(1 + random.below(9e5));
  const value = size + BigInt(random.below(5)) - 2n;
  return random.chance(0.5) ? value : -value;
}

suite("engine/kernels/readingNumbers", (test) => {
  const scratch = openScratch();

  for (const [name, { store, cell }] of Object.entries(kinds) as [Name, Kind][])
    test(`${name} reads values up to the first value that it rejects, with NaN for null`, () => {
      let refused = 0;
      for (let index = 0; index < rounds({ quick: 140, deep: 400 }); index++) {
        const random = createRandom(seed + index);
        const count = random.below(70);
        const stored = store(
          Array.from({ length: count }, () => randomWhole(random)),
          random,
        );
        const levels = random.chance(0.5)
          ? Uint8Array.from({ length: count }, () => Number(random.chance(0.7)))
          : undefined;
        const cells = Array.from<number | bigint, number | undefined>(stored, (value, row) =>
          levels?.[row] === 0 ? NaN : cell(value),
        );
        const bad = cells.indexOf(undefined);
        const done = bad < 0 ? count : bad;
        if (bad >= 0) refused++;
        scratch.reset();
        const levelsAt = levels ? scratch.place(levels) : 0;
        // Values of 64 bits may be converted in place.
        const isInPlace = stored.byteLength === count * 8 && random.chance(0.3);
        const to = scratch.output(count * 8, isInPlace ? stored : undefined);
        const from = isInPlace ? to : scratch.place(stored);
        const found = scratch.run(() => scratch.decoders[name](from, levelsAt, count, to, power));
        assert.equal(found, done, `SEED=${seed + index}`);
        // Distinguishes 0 from -0, which the kernel must not return.
        assert.deepEqual(scratch.doubles(to, done), cells.slice(0, done), `SEED=${seed + index}`);
      }
      // Integers of at most 32 bits, and 64-bit nanoseconds, are never rejected.
      if (/Int(8|16|32)|Uint(8|16|32)|Nano|Decimal32/.test(name)) assert.equal(refused, 0);
      else assert.ok(refused > rounds({ quick: 5, deep: 20 }), `${refused} refused`);
    });

  test("readDecimal128 reads values up to the first value with more than 53 bits, with NaN for null", () => {
    for (let index = 0; index < rounds({ quick: 140, deep: 400 }); index++) {
      const random = createRandom(seed + index);
      const values = Array.from({ length: random.below(70) }, () => {
        const value = randomWhole(random);
        return random.chance(0.01) ? value + random.pick([1n, -1n, 2n ** 40n]) * 2n ** 64n : value;
      });
      const levels = Uint8Array.from(values, () => Number(random.chance(0.7)));
      const cells = values.map((value, row) => (levels[row] === 0 ? NaN : decimal(value)));
      const bad = cells.indexOf(undefined);
      const done = bad < 0 ? values.length : bad;
      scratch.reset();
      const words = values.flatMap((value) => [value, value >> 64n]);
      const from = scratch.place(BigInt64Array.from(words));
      const levelsAt = scratch.place(levels);
      const to = scratch.output(values.length * 8);
      const found = scratch.run(() =>
        scratch.decoders.readDecimal128(from, levelsAt, values.length, to, power),
      );
      assert.equal(found, done, `SEED=${seed + index}`);
      assert.deepEqual(scratch.doubles(to, done), cells.slice(0, done), `SEED=${seed + index}`);
    }
  });
});
