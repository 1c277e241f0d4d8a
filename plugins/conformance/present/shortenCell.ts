import type { Cell } from "../../protocol/index.ts";

/** Maximum number of characters of a cell that a report shows. */
const mostCharacters = 40;
/** Number of characters to show before the first character that differs. */
const lead = 12;

/**
 * Writes a cell as JSON of at most about 40 characters. Of a long string, only the beginning is shown, or the part
 * around the first difference from `other` if that is further on. `…` marks an omitted part, and the length of the
 * string follows.
 */
export function shortenCell(cell: Cell, other?: Cell): string {
  if (typeof cell !== "string" || cell.length <= mostCharacters) return JSON.stringify(cell);
  const differsAt = typeof other === "string" ? firstDifference(cell, other) : 0;
  const from = differsAt < mostCharacters - lead ? 0 : differsAt - lead;
  const part = cell.slice(from, from + mostCharacters).toWellFormed();
  const isEnd = from + mostCharacters >= cell.length;
  const length = `(${cell.length} characters)`;
  return `${from > 0 ? "…" : ""}${JSON.stringify(part)}${isEnd ? "" : "…"} ${length}`;
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}
