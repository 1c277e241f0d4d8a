import assert from "node:assert/strict";
import { findRows, indexRows } from "../../../engine/joins/rowIndex.ts";
import { suite } from "../../support/suite.ts";
import {
  openScratch,
  padded,
  randomDoubles,
  randomSelection,
  randomStored,
  rowCounts,
  widths,
} from "./scratch.ts";

/** Returns how many numbers of an ascending list are at most `value`. */
function countUpTo(ascending: readonly number[], value: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

suite("engine/kernels/numbering", (test) => {
  const scratch = openScratch();
  const { kernels, random } = scratch;
  const strides = [1, 3, 4097, 2 ** 31 + 1];

  /** Places numbers that an earlier key may have written, and returns their address. */
  const before = (rowCount: number) => {
    const numbers = Uint32Array.from({ length: padded(rowCount) }, () => random.below(1000));
    return { numbers, at: scratch.output(numbers.byteLength, numbers) };
  };
  /** Computes (isFirst ? 0 : before) + stride * key, in 32 bits. */
  const twin = (numbers: Uint32Array, isFirst: number, stride: number, keys: readonly number[]) =>
    keys.map((key, row) => ((isFirst ? 0 : numbers[row]) + Math.imul(stride, key)) >>> 0);

  test("`number` and `numberSelected` add stride * (stored + offset), and add nothing for null", () => {
    for (const width of widths) {
      const stored = randomStored(random, 4096, width);
      for (const rowCount of rowCounts) {
        scratch.reset();
        const offset = random.pick([0, -1, -17, 5]);
        const stride = random.pick(strides);
        const isFirst = random.below(2);
        const key = (value: number) => (value === 0 ? 0 : value + offset);

        const whole = before(rowCount);
        const values = scratch.stored(stored.slice(0, rowCount), width);
        scratch.run(() =>
          kernels.number[width](values, rowCount, offset, stride, whole.at, isFirst),
        );
        assert.deepEqual(
          scratch.words(whole.at, rowCount),
          twin(whole.numbers, isFirst, stride, stored.slice(0, rowCount).map(key)),
        );

        const selected = before(rowCount);
        const positions = randomSelection(random, rowCount);
        const all = scratch.stored(stored, width);
        const selection = scratch.place(new Uint16Array(positions));
        scratch.run(() =>
          kernels.numberSelected[width](
            all,
            selection,
            rowCount,
            offset,
            stride,
            selected.at,
            isFirst,
          ),
        );
        assert.deepEqual(
          scratch.words(selected.at, rowCount),
          twin(
            selected.numbers,
            isFirst,
            stride,
            positions.map((row) => key(stored[row])),
          ),
        );
      }
    }
  });

  test.deep(
    "numberLookup and numberLookupSelected add stride * table[stored] to each row's number",
    () => {
      for (const width of widths) {
        const tableSize = Math.min(2 ** (8 * width), 70_000);
        const table = Uint32Array.from({ length: tableSize }, () => random.below(1e6));
        const stored = Array.from({ length: 4096 }, () =>
          random.pick([0, random.below(tableSize)]),
        );
        for (const rowCount of rowCounts) {
          scratch.reset();
          const stride = random.pick(strides);
          const isFirst = random.below(2);
          const tableAt = scratch.place(table);

          const whole = before(rowCount);
          const values = scratch.stored(stored.slice(0, rowCount), width);
          scratch.run(() =>
            kernels.numberLookup[width](values, rowCount, tableAt, stride, whole.at, isFirst),
          );
          assert.deepEqual(
            scratch.words(whole.at, rowCount),
            twin(
              whole.numbers,
              isFirst,
              stride,
              stored.slice(0, rowCount).map((value) => table[value]),
            ),
          );

          const selected = before(rowCount);
          const positions = randomSelection(random, rowCount);
          const all = scratch.stored(stored, width);
          const selection = scratch.place(new Uint16Array(positions));
          scratch.run(() =>
            kernels.numberLookupSelected[width](
              all,
              selection,
              rowCount,
              tableAt,
              stride,
              selected.at,
              isFirst,
            ),
          );
          assert.deepEqual(
            scratch.words(selected.at, rowCount),
            twin(
              selected.numbers,
              isFirst,
              stride,
              positions.map((row) => table[stored[row]]),
            ),
          );
        }
      }
    },
  );

  const thresholdLists: Record<string, number[]> = {
    none: [],
    one: [5],
    two: [-3, 900],
    equal: [7, 7, 7],
    even: Array.from({ length: 64 }, (_, index) => index * 16 - 100),
    months: Array.from({ length: 120 }, (_, index) => Date.UTC(2010, index, 1)),
    uneven: Array.from({ length: 40 }, (_, index) => 1.7 ** index - 3),
    repeated: [0, 0, 1, 1, 1, 50, 50, 999, 999],
    infinite: [-Infinity, 0, 12, Infinity],
    "two positions off": Array.from({ length: 40 }, (_, index) => index ** 1.15),
    "four positions off": Array.from({ length: 40 }, (_, index) => index ** 1.3),
    "nearly two positions ahead": Array.from({ length: 40 }, (_, index) => index ** 0.87),
    "many equal": Array.from({ length: 20 }, () => 7),
    "many between infinities": [-Infinity, ...Array(18).keys(), Infinity],
    "evenly spaced except for one": Array.from({ length: 30 }, (_, index) =>
      index === 17 ? 1900 : index * 100,
    ).sort((left, right) => left - right),
    "more thresholds than rows": Array.from({ length: 9000 }, (_, index) => index / 4),
  };
  for (const [name, thresholds] of Object.entries(thresholdLists)) {
    test(`numberThresholds counts the thresholds that do not exceed the value: ${name}`, () => {
      for (const rowCount of rowCounts) {
        scratch.reset();
        const first = random.pick([0, 1, 9]);
        const stride = random.pick(strides);
        const isFirst = random.below(2);
        const doubles = randomDoubles(random, rowCount).map((value) => {
          const near = thresholds[random.below(thresholds.length)] ?? value;
          return random.pick([
            value,
            near,
            near + 1,
            near - 1e-3,
            near + random.below(2 ** 31),
            -Infinity,
            Infinity,
          ]);
        });
        const { numbers, at } = before(rowCount);
        const vector = scratch.place(new Float64Array(doubles));
        const table = scratch.place(new Float64Array(thresholds));
        scratch.run(() =>
          kernels.numberThresholds(
            vector,
            rowCount,
            table,
            thresholds.length,
            first,
            stride,
            at,
            isFirst,
          ),
        );
        assert.deepEqual(
          scratch.words(at, rowCount),
          twin(
            numbers,
            isFirst,
            stride,
            doubles.map((value) =>
              Number.isNaN(value) ? 0 : first + countUpTo(thresholds, value),
            ),
          ),
        );
      }
    });
  }

  test("numberWhole adds stride * (value - base + 1), and adds nothing for NaN", () => {
    for (const rowCount of rowCounts) {
      scratch.reset();
      const base = random.pick([0, -5, 1_600_000_000_000, -(2 ** 52)]);
      const stride = random.pick(strides);
      const isFirst = random.below(2);
      const doubles = Array.from({ length: padded(rowCount) }, () =>
        random.pick([NaN, base, base + 1, base + random.below(2 ** 31), base + 2 ** 32 - 2]),
      );
      const { numbers, at } = before(rowCount);
      const vector = scratch.place(new Float64Array(doubles));
      scratch.run(() => kernels.numberWhole(vector, rowCount, base, stride, at, isFirst));
      assert.deepEqual(
        scratch.words(at, rowCount),
        twin(
          numbers,
          isFirst,
          stride,
          doubles.slice(0, rowCount).map((value) => (Number.isNaN(value) ? 0 : value - base + 1)),
        ),
      );
    }
  });

  test("numberDayTime adds one to a row's day number for each of the two change times that the row's time has reached", () => {
    const dayCount = 500;
    const never = 2 ** 32 - 1;
    for (const rowCount of rowCounts) {
      scratch.reset();
      const stride = random.pick(strides);
      const isFirst = random.below(2);
      const table = Uint32Array.from({ length: 3 * dayCount }, (_, index) =>
        index % 3 === 0
          ? random.below(1000)
          : random.pick([never, random.below(86_400_000), 3_600_000]),
      );
      const days = Array.from({ length: rowCount }, () => random.pick([0, random.below(dayCount)]));
      const times = days.map(() =>
        random.pick([0, 3_600_000, 3_599_999, random.below(86_400_000)]),
      );
      const { numbers, at } = before(rowCount);
      const daysAt = scratch.place(new Uint32Array(days));
      const timesAt = scratch.place(new Uint32Array(times));
      const tableAt = scratch.place(table);
      scratch.run(() =>
        kernels.numberDayTime(daysAt, timesAt, rowCount, tableAt, stride, at, isFirst),
      );
      assert.deepEqual(
        scratch.words(at, rowCount),
        twin(
          numbers,
          isFirst,
          stride,
          days.map((day, row) =>
            day === 0
              ? 0
              : table[3 * day] +
                Number(times[row] >= table[3 * day + 1]) +
                Number(times[row] >= table[3 * day + 2]),
          ),
        ),
      );
    }
  });

  test("place returns stored * scale + offset if that is below the limit, and 0 for null", () => {
    for (const width of widths) {
      const stored = randomStored(random, 4096, width);
      for (const rowCount of rowCounts) {
        scratch.reset();
        const scale = random.pick([1, 1, 10, 3]);
        const offset = random.pick([0, 1, -1, -5, 7, -300, 2 ** 31 - 9]);
        const limit = random.pick([1, 2, 300, 2 ** 20, 2 ** 31 - 1]);
        const values = scratch.stored(stored.slice(0, rowCount), width);
        const places = scratch.output(padded(rowCount) * 4);
        scratch.run(() => kernels.place[width](values, rowCount, scale, offset, limit, places));
        const twinOf = (value: number) => {
          const place = (Math.imul(value, scale) + offset) >>> 0;
          return value > 0 && place < limit ? place : 0;
        };
        assert.deepEqual(scratch.words(places, rowCount), stored.slice(0, rowCount).map(twinOf));
      }
    }
  });

  test("placeDoubles returns value - base + 1 for whole values within the limit, otherwise 0", () => {
    for (const rowCount of rowCounts) {
      scratch.reset();
      const base = random.pick([0, 1, -7, 20_000_101, -(2 ** 40)]);
      const limit = random.pick([1, 2, 300, 2 ** 31]);
      const doubles = Array.from({ length: padded(rowCount) }, () =>
        random.pick([
          NaN,
          -0,
          base - 1,
          base,
          base + limit - 2,
          base + limit - 1,
          base + random.below(300),
          base + random.below(300) + 0.5,
          1e308,
          -1e308,
        ]),
      );
      const vector = scratch.place(new Float64Array(doubles));
      const places = scratch.output(padded(rowCount) * 4);
      scratch.run(() => kernels.placeDoubles(vector, rowCount, base, limit, places));
      assert.deepEqual(
        scratch.words(places, rowCount),
        doubles.slice(0, rowCount).map((value) => {
          const place = value - base + 1;
          return Number.isInteger(value) && place >= 1 && place < limit ? place : 0;
        }),
      );
    }
  });

  test("findRows returns the places that plain code finds in a hash index", () => {
    for (const rowCount of rowCounts) {
      scratch.reset();
      const keys = new Set(
        Array.from(
          { length: random.below(200) },
          () => random.pick([0.5, 0.125, 2 ** 40, -(2 ** 30) - 0.25]) * random.below(500) + 0,
        ),
      );
      const index = indexRows(Float64Array.from([...keys, 0.3, 2 ** 50 + 1]), {
        table: "people",
        name: "id",
        type: "number",
      });
      assert.equal(index.kind, "hash");
      if (index.kind !== "hash") return;
      const doubles = Float64Array.from({ length: padded(rowCount) }, () =>
        random.pick([NaN, -0, Infinity, 1e300, ...keys]),
      );
      const expected = new Uint32Array(rowCount);
      findRows(index, doubles.subarray(0, rowCount), expected);
      const [vector, keysAt, placesAt] = [doubles, index.keys, index.places].map((values) =>
        scratch.place(values),
      );
      const found = scratch.output(padded(rowCount) * 4);
      scratch.run(() =>
        kernels.findRows(vector, rowCount, keysAt, placesAt, index.keys.length - 1, found),
      );
      assert.deepEqual(scratch.words(found, rowCount), [...expected]);
    }
  });
});
