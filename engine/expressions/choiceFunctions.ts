import { compareText } from "../column/texts/compareText.ts";
import type { Cell, ScalarFunction } from "./scalarFunction.ts";

/** Functions whose arguments all have the same type, which can be any type. */
export const choiceFunctions = {
  /** Returns the first value that is not null. */
  coalesce: {
    parameters: ["T"],
    repeated: "T",
    result: "T",
    seesNulls: true,
    bind:
      () =>
      (...cells: Cell[]) =>
        cells.find((cell) => !isNull(cell)) ?? cells[0],
  },
  /** Returns null if both values are equal, otherwise the first value. */
  nullIf: {
    parameters: ["T", "T"],
    result: "T",
    seesNulls: true,
    bind: () => (left: Cell, right: Cell) =>
      left !== right ? left : typeof left === "number" ? NaN : null,
  },
  /** Returns the value that sorts first; null if any value is null. */
  least: {
    parameters: ["T", "T"],
    repeated: "T",
    result: "T",
    bind:
      () =>
      (...cells: Cell[]) =>
        cells.reduce((least, cell) => (compareCells(cell, least) < 0 ? cell : least)),
  },
  /** Returns the value that sorts last; null if any value is null. */
  greatest: {
    parameters: ["T", "T"],
    repeated: "T",
    result: "T",
    bind:
      () =>
      (...cells: Cell[]) =>
        cells.reduce((most, cell) => (compareCells(cell, most) > 0 ? cell : most)),
  },
  /** Returns -1, 0 or 1 if the first value sorts before, equals or sorts after the second value. */
  compare: {
    parameters: ["T", "T"],
    result: "number",
    bind: () => (left: Cell, right: Cell) => Math.sign(compareCells(left, right)),
  },
} as const satisfies Readonly<Record<string, ScalarFunction>>;

export function isNull(cell: Cell): boolean {
  return cell === null || cell !== cell;
}

/**
 * Compares two values of one type, neither of them null. Returns a negative number, 0 or a positive number. Strings are
 * compared by code point.
 */
export function compareCells(left: Cell, right: Cell): number {
  if (typeof left === "string") return compareText(left, String(right));
  const [a, b] = [Number(left), Number(right)];
  return a < b ? -1 : a > b ? 1 : 0;
}
