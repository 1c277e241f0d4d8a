import type { Cell } from "../protocol/index.ts";

/** Sums and averages of doubles may differ in their last bits: relative to the greater of two numbers. */
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

function isSameRow(
  one: readonly Cell[],
  other: readonly Cell[],
  rounding: readonly number[] = [],
): boolean {
  return (
    one.length === other.length &&
    one.every((cell, at) => isSameCell(cell, other[at] ?? null, rounding[at]))
  );
}

/** A text that rows with close numbers nearly always share. */
function keyOf(row: readonly Cell[]): string {
  return JSON.stringify(
    row.map((cell) => (typeof cell === "number" ? Number(cell.toPrecision(7)) + 0 : cell)),
  );
}

/**
 * Returns whether two answers have the same rows; in the same order where `isOrdered`. `rounding` is a difference that
 * numbers of a column may have, by the index of the column. O(rows * log rows).
 */
export function isSameAnswer(
  one: readonly (readonly Cell[])[],
  other: readonly (readonly Cell[])[],
  isOrdered: boolean,
  rounding?: readonly number[],
): boolean {
  if (one.length !== other.length) return false;
  // Most answers come in the order that is expected, even where none is asked: comparing them needs no keys.
  const isSameOrder = one.every((row, at) => isSameRow(row, other[at] ?? [], rounding));
  if (isSameOrder || isOrdered) return isSameOrder;
  const { missing, surplus } = differenceOf(one, other, rounding);
  return missing.length === 0 && surplus.length === 0;
}

/** The rows that only one of two answers has; a row that occurs twice has to occur twice in the other. */
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
  // Two close numbers may be rounded to different keys.
  const missing = [...waiting.values()].flat();
  const surplus = unmatched.filter((row) => {
    const at = missing.findIndex((each) => isSameRow(each, row, rounding));
    if (at >= 0) missing.splice(at, 1);
    return at < 0;
  });
  return { missing, surplus };
}
