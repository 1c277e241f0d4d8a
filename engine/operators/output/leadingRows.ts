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
  return outputs.reduce<Numbered>(
    (found, output) => numberPairs(found.numbers, columns[output], rowCount),
    { numbers: new Uint32Array(rowCount), numberCount: 1 },
  );
}

export interface Numbered {
  readonly numbers: Uint32Array;
  readonly numberCount: number;
}

const bits = new Float64Array(1);
const halves = new Uint32Array(bits.buffer);

/** Numbers the distinct pairs of a number and a value in order of occurrence. NaN means null, and equals itself. */
function numberPairs(numbers: Uint32Array, values: Float64Array, rowCount: number): Numbered {
  let capacity = 1024;
  let places = new Int32Array(capacity).fill(-1);
  const found = new Uint32Array(rowCount);
  /** The first row with each pair. */
  let firstRows = new Uint32Array(capacity);
  let numberCount = 0;
  const isSame = (row: number, other: number): boolean => {
    const [value, known] = [values[row], values[other]];
    const isEqual = value === known || (value !== value && known !== known);
    return isEqual && numbers[row] === numbers[other];
  };
  const placeOf = (row: number): number => {
    // Adding 0 turns -0 into 0, which equals it.
    const value = values[row] + 0;
    bits[0] = value === value ? value : NaN;
    let hash = Math.imul(halves[0] ^ Math.imul(numbers[row], 0x9e3779b1), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 15) ^ halves[1], 0xc2b2ae35);
    let place = (hash ^ (hash >>> 16)) & (capacity - 1);
    while (places[place] >= 0 && !isSame(row, firstRows[places[place]]))
      place = (place + 1) & (capacity - 1);
    return place;
  };
  const grow = (): void => {
    capacity *= 2;
    const grown = new Uint32Array(capacity);
    grown.set(firstRows);
    firstRows = grown;
    places = new Int32Array(capacity).fill(-1);
    for (let number = 0; number < numberCount; number++)
      places[placeOf(firstRows[number])] = number;
  };
  inSteps(rowCount, (from, to) => {
    for (let row = from; row < to; row++) {
      let place = placeOf(row);
      if (places[place] < 0) {
        if (numberCount * 2 >= capacity) {
          grow();
          place = placeOf(row);
        }
        firstRows[numberCount] = row;
        places[place] = numberCount++;
      }
      found[row] = places[place];
    }
  });
  return { numbers: found, numberCount };
}
