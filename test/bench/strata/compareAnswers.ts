import type { Cell, BenchQuery } from "./benchQuery.ts";

const defaultTolerance = 1e-9;

/**
 * Compares two answers cell by cell. Numbers may differ by a relative 1e-9 or by the query's tolerance, and all other
 * cells must be equal. Rows are matched by position if the query is ordered, otherwise by their key columns. Returns
 * the first difference, or undefined.
 */
export function compareAnswers(
  expected: readonly (readonly Cell[])[],
  actual: readonly (readonly Cell[])[],
  { types, keyCount, isOrdered, tolerances = {} }: BenchQuery,
): string | undefined {
  if (expected.length !== actual.length)
    return `${actual.length} rows instead of ${expected.length}`;
  const byKey = new Map(expected.map((row) => [keyOf(row, keyCount), row]));
  if (!isOrdered && new Set(actual.map((row) => keyOf(row, keyCount))).size < byKey.size)
    return "a row occurs twice";
  for (const [index, row] of actual.entries()) {
    const other = isOrdered ? expected[index] : byKey.get(keyOf(row, keyCount));
    if (!other) return `unexpected row ${JSON.stringify(row)}`;
    for (const [column, cell] of row.entries()) {
      const wanted = other[column] ?? null;
      const isNumber = types[column] === "number";
      if (!agree(wanted, cell, isNumber ? (tolerances[column] ?? defaultTolerance) : 0))
        return `row ${index}, column ${column}: ${String(cell)} instead of ${String(wanted)}`;
    }
  }
  return undefined;
}

/**
 * Compares an answer that may contain any `limit` rows of a larger answer. Returns the first difference, or undefined.
 */
export function compareChoice(
  all: readonly (readonly Cell[])[],
  actual: readonly (readonly Cell[])[],
  { keyCount, plan }: BenchQuery,
): string | undefined {
  const wanted = Math.min(all.length, plan.limit?.count ?? Infinity);
  if (actual.length !== wanted) return `${actual.length} rows instead of ${wanted}`;
  const left = new Map<string, number>();
  for (const row of all) {
    const key = keyOf(row, keyCount);
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  for (const row of actual) {
    const key = keyOf(row, keyCount);
    const count = left.get(key) ?? 0;
    if (count === 0) return `unexpected row ${key}`;
    left.set(key, count - 1);
  }
  return undefined;
}

function keyOf(row: readonly Cell[], keyCount: number): string {
  return JSON.stringify(row.slice(0, keyCount));
}

function agree(one: Cell, other: Cell, tolerance: number): boolean {
  if (typeof one !== "number" || typeof other !== "number") return one === other;
  return Math.abs(one - other) <= tolerance * Math.max(Math.abs(one), Math.abs(other));
}
