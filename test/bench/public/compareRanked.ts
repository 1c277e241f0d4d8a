import type { Cell } from "../strata/benchQuery.ts";
import type { PublicQuestion } from "./publicPart.ts";

const defaultTolerance = 1e-9;

/**
 * Compares two answers. The columns by which a question sorts must agree row by row. If the question is cut, rows that
 * tie with its first or last row may be any of the tied rows; all other rows must agree as a set. A cut question
 * without an order may return any rows. Returns the first difference, or undefined.
 */
export function compareRanked(
  expected: readonly (readonly Cell[])[],
  actual: readonly (readonly Cell[])[],
  question: PublicQuestion,
): string | undefined {
  const { keys, isRaw, limit, tolerance = defaultTolerance } = question;
  // A limit for each key sorts only the rows of that key.
  const order = limit?.per === undefined ? (question.order ?? []) : [];
  if (expected.length !== actual.length)
    return `${actual.length} rows instead of ${expected.length}`;
  const isCut = limit !== undefined && limit.per === undefined;
  if (isCut && order.length === 0) return undefined;
  const agree = (one: Cell, other: Cell) =>
    typeof one === "number" && typeof other === "number"
      ? Math.abs(one - other) <= tolerance * Math.max(Math.abs(one), Math.abs(other))
      : one === other;
  for (const [index, row] of actual.entries())
    for (const { output } of order)
      if (!agree(expected[index]![output]!, row[output]!))
        return `row ${index}, column ${output}: ${row[output]} instead of ${expected[index]![output]}`;
  const ends = isCut ? [...(limit.offset > 0 ? [expected[0]] : []), expected.at(-1)] : [];
  const isTied = (row: readonly Cell[]) =>
    ends.some((end) => end && order.every(({ output }) => agree(end[output]!, row[output]!)));
  const keyCount = isRaw ? (expected[0]?.length ?? 0) : keys.length;
  const sorted = (rows: readonly (readonly Cell[])[]) =>
    rows
      .filter((row) => !isTied(row))
      .map((row) => ({ row, key: JSON.stringify(row.slice(0, keyCount)) }))
      .toSorted((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0));
  const [wanted, found] = [sorted(expected), sorted(actual)];
  if (wanted.length !== found.length) return `${found.length} untied rows, not ${wanted.length}`;
  for (const [index, { row }] of found.entries())
    for (const [column, cell] of row.entries())
      if (!agree(wanted[index]!.row[column]!, cell))
        return `${found[index]!.key}, column ${column}: ${cell} instead of ${wanted[index]!.row[column]} for ${wanted[index]!.key}`;
  return undefined;
}
