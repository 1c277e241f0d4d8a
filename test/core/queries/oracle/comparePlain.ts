import type { OracleAnswer } from "./finishAnswer.ts";

/** Describes the first difference between the host's answer and the oracle's answer. Undefined if they are equal. */
export function comparePlain(
  data: readonly (readonly unknown[])[],
  { rows, tolerances }: OracleAnswer,
): string | undefined {
  if (data.length !== rows.length) return `${data.length} rows, the oracle has ${rows.length}`;
  for (const [index, row] of rows.entries()) {
    const answered = data[index] ?? [];
    if (answered.length !== row.length)
      return `row ${index} has ${answered.length} cells, the oracle's ${row.length}`;
    for (const [place, wanted] of row.entries()) {
      const found = plainCell(answered[place]);
      if (found === wanted) continue;
      const tolerance = tolerances[index]?.[place] ?? 0;
      const isNear =
        typeof found === "number" &&
        typeof wanted === "number" &&
        Math.abs(found - wanted) <= tolerance;
      if (!isNear)
        return `row ${index}, cell ${place}: ${JSON.stringify(found)}, the oracle has ${JSON.stringify(wanted)} (± ${tolerance})`;
    }
  }
  return undefined;
}

function plainCell(cell: unknown): unknown {
  if (typeof cell !== "object" || cell === null) return cell;
  const { id, name, ...more } = cell as { id: unknown; name: { en: unknown } };
  const isText = Object.keys(more).length === 0 && name.en === id && typeof id === "string";
  return isText ? id : cell;
}
