/** A cell of an answer: a number, a string, null, or an object with `id`. */
export type Cell = number | string | null | { readonly id: string };

function shown(cell: Cell): string {
  if (cell === null) return "–";
  if (typeof cell === "object") return cell.id;
  if (typeof cell === "number")
    return cell.toLocaleString("en", { maximumFractionDigits: Number.isInteger(cell) ? 0 : 2 });
  return cell.replace(/T00:00:00\.000Z$/, "");
}

/** Formats rows under a header for a terminal. Numbers are aligned to the right, and strings to the left. */
export function table(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const texts = rows.map((row) => row.map(shown));
  const widths = header.map((name, column) =>
    Math.max(name.length, ...texts.map((row) => row[column]?.length ?? 0)),
  );
  const isNumber = header.map((_, column) => rows.every((row) => typeof row[column] === "number"));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        isNumber[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join("   ")
      .trimEnd();
  return [line(header), line(widths.map((width) => "─".repeat(width))), ...texts.map(line)]
    .map((each) => `  ${each}`)
    .join("\n");
}
