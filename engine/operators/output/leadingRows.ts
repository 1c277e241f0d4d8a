import type { GroupLimit } from "../../types.ts";
import { inSteps } from "../task/inSteps.ts";

/**
 * Returns the rows that a group limit keeps, in ascending order. `columns` are sorted: of the rows that are equal in
 * the outputs of the limit, it skips the first `offset` and keeps at most `count`. O(rows * outputs).
 */
export function leadingRows(
  columns: readonly Float64Array[],
  { outputs, count, offset }: GroupLimit,
  rowCount: number,
): Int32Array {
  const { numbers, numberCount } = numberRows(columns, outputs, rowCount);
  const seen = new Uint32Array(numberCount);
  const kept = new Int32Array(rowCount);
  const end = offset + count;
  let keptCount = 0;
  inSteps(rowCount, (from, to) => {
    for (let row = from; row < to; row++) {
      const place = seen[numbers[row]]++;
      if (place >= offset && place < end) kept[keptCount++] = row;
    }
  });
  return kept.subarray(0, keptCount);
}

/** Numbers the rows by the combination of their values in some outputs, in order of occurrence. O(rows * outputs). */
export function numberRows(
  columns: readonly Float64Array[],
  outputs: readonly number[],
  rowCount: number,
): Numbered {
  const numbering = createNumbers(outputs.length);
  const numbers = numbering.add(
    outputs.map((output) => columns[output]),
    rowCount,
  );
  return { numbers, numberCount: numbering.count };
}

export interface Numbered {
  readonly numbers: Uint32Array;
  readonly numberCount: number;
}

/** The numbers of the combinations of values that have occurred so far. */
export interface RowNumbers {
  readonly count: number;
  /** Returns the numbers of further rows, in an array that the next call may overwrite. */
  add(columns: readonly Float64Array[], rowCount: number): Uint32Array;
}

/** Creates the numbers of the combinations of values of some columns. Without columns, all rows have the number 0. */
export function createNumbers(columnCount: number): RowNumbers {
  const pairs = Array.from({ length: columnCount }, createPairs);
  return {
    get count() {
      return pairs.at(-1)?.count() ?? 1;
    },
    add: (columns, rowCount) =>
      columns.reduce<Uint32Array>(
        (numbers, values, index) =>
          pairs[index].add(index > 0 ? numbers : undefined, values, rowCount),
        new Uint32Array(columnCount === 0 ? rowCount : 0),
      ),
  };
}

const bits = new Float64Array(1);
const halves = new Uint32Array(bits.buffer);

/** Whole numbers from 0 that are below this limit are looked up in an array instead of being hashed. */
const directLimit = 2 ** 20;

/**
 * Numbers the distinct pairs of a number and a value in order of occurrence. NaN means null, and equals itself. Without
 * `numbers`, numbers the distinct values.
 */
function createPairs() {
  let count = 0;
  /** Without `numbers`: the number of each whole number below the limit, plus one; 0 if it has not occurred. */
  let direct = new Uint32Array(0);
  let capacity = 1024;
  /** Of each place of the hash table, the index of a pair; -1 for none. */
  let places = new Int32Array(capacity).fill(-1);
  /** The value, the number and the own number of each hashed pair. */
  let pairValues = new Float64Array(capacity);
  let pairNumbers = new Uint32Array(capacity);
  let ownNumbers = new Uint32Array(capacity);
  let hashedCount = 0;
  let found = new Uint32Array(0);
  const placeOf = (number: number, value: number): number => {
    // Adding 0 turns -0 into 0, which equals it.
    bits[0] = value === value ? value + 0 : NaN;
    let hash = Math.imul(halves[0] ^ Math.imul(number, 0x9e3779b1), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 15) ^ halves[1], 0xc2b2ae35);
    let place = (hash ^ (hash >>> 16)) & (capacity - 1);
    for (;;) {
      const pair = places[place];
      if (pair < 0) return place;
      const known = pairValues[pair];
      const isEqual = value === known || (value !== value && known !== known);
      if (isEqual && number === pairNumbers[pair]) return place;
      place = (place + 1) & (capacity - 1);
    }
  };
  const grow = (): void => {
    capacity *= 2;
    const values = new Float64Array(capacity);
    values.set(pairValues);
    pairValues = values;
    [pairNumbers, ownNumbers] = [pairNumbers, ownNumbers].map((numbers) => {
      const grown = new Uint32Array(capacity);
      grown.set(numbers);
      return grown;
    });
    places = new Int32Array(capacity).fill(-1);
    for (let pair = 0; pair < hashedCount; pair++)
      places[placeOf(pairNumbers[pair], pairValues[pair])] = pair;
  };
  const numberOf = (number: number, value: number): number => {
    let place = placeOf(number, value);
    if (places[place] < 0) {
      if (hashedCount * 2 >= capacity) {
        grow();
        place = placeOf(number, value);
      }
      pairValues[hashedCount] = value;
      pairNumbers[hashedCount] = number;
      ownNumbers[hashedCount] = count++;
      places[place] = hashedCount++;
    }
    return ownNumbers[places[place]];
  };
  const growDirect = (least: number): void => {
    const grown = new Uint32Array(Math.min(directLimit, Math.max(1024, least * 2)));
    grown.set(direct);
    direct = grown;
  };
  const addRows = (values: Float64Array, from: number, to: number): void => {
    const numbers = found;
    let known = direct;
    for (let row = from; row < to; row++) {
      const value = values[row];
      const whole = value | 0;
      if (whole !== value || whole < 0 || whole >= directLimit) {
        numbers[row] = numberOf(0, value);
        continue;
      }
      if (whole >= known.length) {
        growDirect(whole + 1);
        known = direct;
      }
      let number = known[whole];
      if (number === 0) {
        number = ++count;
        known[whole] = number;
      }
      numbers[row] = number - 1;
    }
  };
  const addPairs = (numbers: Uint32Array, values: Float64Array, from: number, to: number): void => {
    for (let row = from; row < to; row++) found[row] = numberOf(numbers[row], values[row]);
  };
  return {
    count: () => count,
    add(numbers: Uint32Array | undefined, values: Float64Array, rowCount: number): Uint32Array {
      if (found.length < rowCount) found = new Uint32Array(rowCount);
      inSteps(rowCount, (from, to) => {
        if (numbers) addPairs(numbers, values, from, to);
        else addRows(values, from, to);
      });
      return found;
    },
  };
}
