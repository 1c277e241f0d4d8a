import type { GroupsCheck } from "../queryPlan.ts";
import {
  PluginError,
  type Batch,
  type BatchColumn,
  type OperatorWith,
} from "../../../plugins/protocol/index.ts";
import { isPeriodStart } from "../plan/decidingLevel.ts";

/**
 * Returns whether groups can be the answer to their query. If they cannot, the host fetches plain rows instead. Groups
 * are implausible in these cases: a group appears twice; an instant is not the start of its period or is too early; a
 * sum or an extreme is null for a group with values, or not null for a group without values; a minimum exceeds its
 * maximum; a row is outside a range. O(cells).
 * @throws {PluginError} PLUGIN_BAD_ANSWER for counts that are not integers, and for groups with more values than rows
 */
export function isPlausible(groups: Batch, check: GroupsCheck): boolean {
  const rowCounts = countsAt(groups, check.rowCount);
  for (const { vector, level, fromMs = -Infinity } of check.periods)
    for (const at of numbersAt(groups, vector))
      if (!Number.isNaN(at) && (at < fromMs || !isPeriodStart(at, level))) return false;
  const least = new Map<number, Float64Array>();
  for (const { vector, valueCount, part } of check.folds) {
    const folded = numbersAt(groups, vector);
    const counts = countsAt(groups, valueCount);
    for (let row = 0; row < groups.rowCount; row++) {
      const [count = 0, rowCount = 0] = [counts[row], rowCounts[row]];
      if (count > rowCount) throw bad(`${count} values in a group of ${rowCount} rows`);
      if (count > 0 === Number.isNaN(folded[row])) return false;
    }
    if (part === "min") least.set(valueCount, folded);
  }
  for (const { vector, valueCount, part } of check.folds) {
    const lows = part === "max" ? least.get(valueCount) : undefined;
    const highs = numbersAt(groups, vector);
    if (lows?.some((low, row) => low > (highs[row] ?? low))) return false;
  }
  return (
    check.ranges.every((range) => isWithin(groups, range, rowCounts)) && !hasDuplicates(groups)
  );
}

/**
 * Returns whether all rows of a group are within a range. Null is outside every range, so every row must have a value.
 */
function isWithin(
  groups: Batch,
  { filter, least, greatest, valueCount }: GroupsCheck["ranges"][number],
  rowCounts: Float64Array,
): boolean {
  const [bound = null] = filter.value ?? [];
  const limit = typeof bound === "string" ? Date.parse(bound) : bound;
  if (limit === null) return rowCounts.every((count) => count === 0);
  const counts = numbersAt(groups, valueCount);
  return [least, greatest].every((vector) =>
    numbersAt(groups, vector).every(
      (value, row) =>
        rowCounts[row] === 0 ||
        (counts[row] === rowCounts[row] && comparisons[filter.expression](value, limit)),
    ),
  );
}

const comparisons: Readonly<
  Record<OperatorWith<"tests", "order">, (value: number, limit: number) => boolean>
> = {
  "<": (value, limit) => value < limit,
  "<=": (value, limit) => value <= limit,
  ">": (value, limit) => value > limit,
  ">=": (value, limit) => value >= limit,
};

/** Returns whether two rows of a batch are equal. Expected O(cells). */
function hasDuplicates({ rowCount, columns }: Batch): boolean {
  const cells = columns.map(bitsOf);
  // The hash table uses open addressing. A slot contains the index of a row plus one, or 0 if it is empty.
  const slotCount = 2 ** Math.ceil(Math.log2(rowCount * 2 + 2));
  const slots = new Int32Array(slotCount);
  for (let row = 0; row < rowCount; row++) {
    let hash = 0;
    for (const { bits, width } of cells)
      for (let place = row * width; place < (row + 1) * width; place++)
        hash = Math.imul(hash ^ (hash >>> 15) ^ (bits[place] ?? 0), 0x85ebca6b);
    let slot = (hash ^ (hash >>> 13) ^ (hash >>> 22)) & (slotCount - 1);
    for (; slots[slot] !== 0; slot = (slot + 1) & (slotCount - 1))
      if (isSameRow(cells, row, (slots[slot] ?? 0) - 1)) return true;
    slots[slot] = row + 1;
  }
  return false;
}

interface Bits {
  readonly bits: Int32Array;
  /** Number of entries of `bits` per row. */
  readonly width: number;
}

function isSameRow(cells: readonly Bits[], one: number, other: number): boolean {
  return cells.every(({ bits, width }) => {
    for (let place = 0; place < width; place++)
      if (bits[one * width + place] !== bits[other * width + place]) return false;
    return true;
  });
}

function bitsOf(vector: BatchColumn): Bits {
  if (vector.type === "hierarchy") return { bits: vector.codes, width: 1 };
  const { buffer, byteOffset, length } = vector.values;
  return { bits: new Int32Array(buffer, byteOffset, length * 2), width: 2 };
}

function countsAt(groups: Batch, index: number): Float64Array {
  const counts = numbersAt(groups, index);
  for (const count of counts)
    if (!Number.isSafeInteger(count) || count < 0)
      throw bad(`${Number.isNaN(count) ? "null" : count} as a count`);
  return counts;
}

function numbersAt({ columns }: Batch, index: number): Float64Array {
  const vector = columns[index];
  if (vector && vector.type !== "hierarchy") return vector.values;
  throw bad(`column ${index + 1} of its answer must contain numbers`);
}

function bad(detail: string): PluginError {
  return new PluginError("PLUGIN_BAD_ANSWER", [detail]);
}
