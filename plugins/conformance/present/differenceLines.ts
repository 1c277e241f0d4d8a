import type { Cell } from "../../protocol/index.ts";
import type { Difference, Finding } from "../report.ts";
import { shortenCell } from "./shortenCell.ts";

/** Maximum number of cells of a row that a report shows. */
const mostCells = 8;
/** Maximum width of the column of expected rows. Longer rows shift the rows of the plugin's answer to the right. */
const mostWidth = 60;
const noRow = "(no row)";

/**
 * Describes the first difference between the expected answer and the plugin's answer: both row counts, and the rows
 * around the difference, side by side. Empty for a finding that is not about rows.
 */
export function differenceLines({ difference, expected }: Finding): readonly string[] {
  if (!difference)
    return expected
      ? ["the expected answer begins with", ...expected.map((row) => `  ${rowText(row, [])}`)]
      : [];
  const { expectedCount, answeredCount, columns, row, firstShown, isSorted } = difference;
  const shown = shownColumns(difference);
  const pick = (cells: readonly Cell[] = []) => shown.map((at) => cells[at] ?? null);
  const rows = difference.rows.map(({ isDifferent, ...pair }, at) => ({
    number: String(firstShown + at + 1),
    mark: isDifferent ? ">" : " ",
    expected: pair.expected ? rowText(pick(pair.expected), pick(pair.answered)) : noRow,
    answered: pair.answered ? rowText(pick(pair.answered), pick(pair.expected)) : noRow,
  }));
  const width = Math.min(mostWidth, Math.max(8, ...rows.map((each) => each.expected.length)));
  const numberWidth = Math.max(3, ...rows.map(({ number }) => number.length));
  const hidden = columns.length - shown.length;
  const names = shown.map((at) => columns[at]).join(", ");
  const sorted = isSorted ? ", after sorting both, because the query sets no order" : "";
  return [
    `expected ${rowsOf(expectedCount)}, answered ${rowsOf(answeredCount)}; they first differ in row ${row + 1}${sorted}`,
    `columns: ${names}${hidden > 0 ? `, and ${hidden} more` : ""}`,
    `  ${"row".padStart(numberWidth)}  ${"expected".padEnd(width)}  answered`,
    ...rows.map(
      (each) =>
        `${each.mark} ${each.number.padStart(numberWidth)}  ${each.expected.padEnd(width)}  ${each.answered}`,
    ),
  ];
}

const rowsOf = (count: number) => (count === 1 ? "1 row" : `${count} rows`);

function rowText(row: readonly Cell[], other: readonly Cell[]): string {
  const cells = row.slice(0, mostCells).map((cell, at) => shortenCell(cell, other[at]));
  return `[${cells.join(", ")}${row.length > mostCells ? ", …" : ""}]`;
}

/** Returns the indexes of the columns to show. If there are too many columns, columns that differ take precedence. */
function shownColumns({ columns, rows }: Difference): readonly number[] {
  const every = columns.map((_, at) => at);
  if (every.length <= mostCells) return every;
  const { expected = [], answered = [] } = rows.find(({ isDifferent }) => isDifferent) ?? {};
  const differing = every.filter((at) => expected[at] !== answered[at]);
  const chosen = [...new Set([...differing.slice(0, mostCells), ...every])].slice(0, mostCells);
  return chosen.toSorted((one, other) => one - other);
}
