import type { Cell } from "../protocol/index.ts";

/**
 * Tolerance for sums and averages of doubles, whose last bits may differ. It is relative to the greater of two numbers.
 */
const relativeBound = 1e-9;

function isSameCell(one: Cell, other: Cell, rounding = 0): boolean {
  if (typeof one === "number" && typeof other === "number")
    return (
      one === other ||
      Math.abs(one - other) <=
        Math.max(relativeBound * Math.max(Math.abs(one), Math.abs(other)), rounding)
    );
  return one === other;
}

/** Returns whether two rows have the same cells. `rounding` is the tolerance for the numbers of each column. */
export function isSameRow(
  one: readonly Cell[],
  other: readonly Cell[],
  rounding: readonly number[] = [],
): boolean {
  return (
    one.length === other.length &&
    one.every((cell, at) => isSameCell(cell, other[at] ?? null, rounding[at]))
  );
}

/** Returns a key for a row. Rows with nearly equal numbers almost always have the same key. */
function keyOf(row: readonly Cell[]): string {
  return JSON.stringify(
    row.map((cell) => (typeof cell === "number" ? Number(cell.toPrecision(7)) + 0 : cell)),
  );
}

/**
 * Returns whether two answers have the same rows, in the same order if `isOrdered`. `rounding` is the tolerance for the
 * numbers of each column, by column index. O(rows * log rows).
 */
export function isSameAnswer(
  one: readonly (readonly Cell[])[],
  other: readonly (readonly Cell[])[],
  isOrdered: boolean,
  rounding?: readonly number[],
): boolean {
  if (one.length !== other.length) return false;
  // Most answers arrive in the expected order even if the query sets none. Comparing them in order needs no keys.
  const isSameOrder = one.every((row, at) => isSameRow(row, other[at] ?? [], rounding));
  if (isSameOrder || isOrdered) return isSameOrder;
  const { missing, surplus } = differenceOf(one, other, rounding);
  return missing.length === 0 && surplus.length === 0;
}

/**
 * Returns the rows that only one of two answers contains. If a row occurs several times, it must occur equally often in
 * both answers.
 */
export function differenceOf(
  expected: readonly (readonly Cell[])[],
  answered: readonly (readonly Cell[])[],
  rounding?: readonly number[],
): {
  readonly missing: readonly (readonly Cell[])[];
  readonly surplus: readonly (readonly Cell[])[];
} {
  const waiting = new Map<string, (readonly Cell[])[]>();
  for (const row of expected) {
    const key = keyOf(row);
    const rows = waiting.get(key);
    if (rows) rows.push(row);
    else waiting.set(key, [row]);
  }
  const unmatched: (readonly Cell[])[] = [];
  for (const row of answered) {
    const rows = waiting.get(keyOf(row));
    const at = rows?.findIndex((each) => isSameRow(each, row, rounding)) ?? -1;
    if (rows && at >= 0) rows.splice(at, 1);
    else unmatched.push(row);
  }
  // Nearly equal numbers may still round to different keys.
  const missing = [...waiting.values()].flat();
  const surplus = unmatched.filter((row) => {
    const at = missing.findIndex((each) => isSameRow(each, row, rounding));
    if (at >= 0) missing.splice(at, 1);
    return at < 0;
  });
  return { missing, surplus };
}
