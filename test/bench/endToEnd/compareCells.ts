/** Formats a cell for comparison: numbers with ten digits, datetimes as their day, and strings unchanged. */
function shown(cell: unknown): string {
  if (cell !== null && typeof cell === "object" && "id" in cell) return String(cell.id);
  if (typeof cell === "number") return cell.toPrecision(10);
  const text = String(cell);
  return /^\d{4}-\d{2}-\d{2}/.test(text) ? text.slice(0, 10) : text;
}

/**
 * Compares the answers of two servers to the query `title`, cell by cell.
 * @throws {Error} if the answers differ; the message contains the first rows of both
 */
export function compareCells(
  title: string,
  ours: readonly (readonly unknown[])[],
  theirs: readonly (readonly unknown[])[],
  isUnordered: boolean,
): void {
  const [one, other] = [ours, theirs].map((rows) => {
    const texts = rows.map((cells) => cells.map(shown).join("|"));
    return isUnordered ? texts.toSorted() : texts;
  });
  if (one?.join("\n") === other?.join("\n")) return;
  const at = one?.findIndex((text, index) => text !== other?.[index]) ?? 0;
  throw new Error(
    `the answers to "${title}" differ at row ${at}: ${one?.length} rows, ${one?.[at]}, and ${other?.length} rows, ${other?.[at]}`,
  );
}
