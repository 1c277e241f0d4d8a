import assert from "node:assert/strict";
import { scalarFunctions } from "../../../engine/expressions/scalarFunctions.ts";
import { suite } from "../../support/suite.ts";
import { openScratch, padded, randomDoubles, rowCounts } from "./scratch.ts";

/** The kernels of two operands, with the plain function that each of them applies to numbers. NaN is null. */
const combinations = {
  add: (left: number, right: number) => left + right,
  subtract: (left: number, right: number) => left - right,
  multiply: (left: number, right: number) => left * right,
  divide: (left: number, right: number) => left / right,
  coalesce: (left: number, right: number) => (Number.isNaN(left) ? right : left),
  nullIf: (left: number, right: number) => (left === right ? NaN : left),
  least: (left: number, right: number) => (right < left || Number.isNaN(right) ? right : left),
  greatest: (left: number, right: number) => (right > left || Number.isNaN(right) ? right : left),
} as const;
const mappings = { abs: Math.abs, floor: Math.floor, ceil: Math.ceil } as const;
const extremes = [
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  Number.MIN_VALUE,
  1e200,
  -1e200,
  1e-200,
  0.5,
  -0.5,
  -0.3,
  1.005,
  -2.5,
  2 ** 53,
  0,
  -0,
];

suite("engine/kernels/arithmetic", (test) => {
  const scratch = openScratch();
  const { kernels, random } = scratch;
  const finite = (value: number) => (Number.isFinite(value) ? value : NaN);
  const makeValues = (rowCount: number) =>
    randomDoubles(random, rowCount).map((value) =>
      random.chance(0.3) ? random.pick(extremes) : value,
    );
  /** Places a vector, or a constant instead of it. */
  const makeOperand = (rowCount: number) => {
    const values = makeValues(rowCount);
    if (random.chance(0.6))
      return { values, address: scratch.place(Float64Array.from(values)), step: 16 };
    const constant = random.pick([NaN, ...extremes]);
    const address = scratch.place(Float64Array.of(constant, constant));
    return { values: values.map(() => constant), address, step: 0 };
  };
  /** Asserts that a vector has the expected values, with zeros of the expected sign. */
  const check = (vector: number, expected: readonly number[]) =>
    assert.deepEqual(scratch.doubles(vector, expected.length), expected);

  test("a kernel of two operands applies its function to each row, and results that are not finite are NaN", () => {
    for (const [name, plain] of Object.entries(combinations))
      for (const rowCount of rowCounts) {
        scratch.reset();
        const [left, right] = [makeOperand(rowCount), makeOperand(rowCount)];
        const vector = scratch.output(8 * padded(rowCount));
        const kernel = kernels[name as keyof typeof combinations];
        scratch.run(() =>
          kernel(left.address, left.step, right.address, right.step, rowCount, vector),
        );
        check(
          vector,
          left.values.map((value, row) => finite(plain(value, right.values[row]))),
        );
      }
  });

  test("the result of a kernel of two operands can replace its left operand", () => {
    for (const name of ["add", "least"] as const) {
      scratch.reset();
      const values = makeValues(100);
      const right = makeOperand(100);
      const vector = scratch.output(8 * padded(100), Float64Array.from(values));
      scratch.run(() => kernels[name](vector, 16, right.address, right.step, 100, vector));
      check(
        vector,
        values.map((value, row) => finite(combinations[name](value, right.values[row]))),
      );
    }
  });

  test("a kernel of one operand applies its function to each row", () => {
    for (const [name, plain] of Object.entries(mappings))
      for (const rowCount of rowCounts) {
        scratch.reset();
        const values = makeValues(rowCount);
        const from = scratch.place(Float64Array.from(values));
        const vector = scratch.output(8 * padded(rowCount));
        scratch.run(() => kernels[name as keyof typeof mappings](from, rowCount, vector));
        check(vector, values.map(plain));
      }
  });

  test("cutDecimals rounds halves away from zero, or truncates", () => {
    for (const [name, least] of [
      ["round", 0.5],
      ["trunc", Infinity],
    ] as const) {
      const plain = scalarFunctions[name].bind([]) as (value: number, digits: number) => number;
      for (const digits of [0, 1, 2, 5, 22])
        for (const rowCount of rowCounts) {
          scratch.reset();
          const values = makeValues(rowCount);
          const from = scratch.place(Float64Array.from(values));
          const vector = scratch.output(8 * padded(rowCount));
          scratch.run(() => kernels.cutDecimals(from, rowCount, 10 ** digits, least, vector));
          check(
            vector,
            values.map((value) => finite(plain(value, digits))),
          );
        }
    }
  });

  test("choose takes one operand where the mask is 1, and the other elsewhere", () => {
    for (const rowCount of rowCounts) {
      scratch.reset();
      const mask = Uint8Array.from({ length: padded(rowCount) }, () => random.below(2));
      const at = scratch.place(mask);
      const [then, otherwise] = [makeOperand(rowCount), makeOperand(rowCount)];
      const vector = scratch.output(8 * padded(rowCount));
      scratch.run(() =>
        kernels.choose(
          at,
          then.address,
          then.step,
          otherwise.address,
          otherwise.step,
          rowCount,
          vector,
        ),
      );
      check(
        vector,
        then.values.map((value, row) => (mask[row] === 1 ? value : otherwise.values[row])),
      );
    }
  });

  test("chooseCodes takes one operand where the mask is 1, and the other elsewhere", () => {
    const makeCodes = (rowCount: number) => {
      const codes = Array.from({ length: rowCount }, () => random.below(2 ** 30) * 4 + 3);
      if (random.chance(0.6))
        return { codes, address: scratch.place(Uint32Array.from(codes)), step: 16 };
      const code = random.below(2 ** 30);
      const address = scratch.place(new Uint32Array(4).fill(code));
      return { codes: codes.map(() => code), address, step: 0 };
    };
    for (const rowCount of rowCounts) {
      scratch.reset();
      const mask = Uint8Array.from({ length: padded(rowCount) }, () => random.below(2));
      const at = scratch.place(mask);
      const [then, otherwise] = [makeCodes(rowCount), makeCodes(rowCount)];
      const codes = scratch.output(4 * padded(rowCount));
      scratch.run(() =>
        kernels.chooseCodes(
          at,
          then.address,
          then.step,
          otherwise.address,
          otherwise.step,
          rowCount,
          codes,
        ),
      );
      assert.deepEqual(
        scratch.words(codes, rowCount),
        then.codes.map((code, row) => (mask[row] === 1 ? code : otherwise.codes[row])),
      );
    }
  });
});
