import type { AwkwardTable } from "../../support/awkward.ts";
import type { Random } from "../../support/random.ts";

/** Writes separated values. Adds some of the optional quotes at random. */
export function writeDelimited(
  { columns, rows }: AwkwardTable,
  separator: string,
  random: Random,
): string {
  const cell = (value: string | number | null): string => {
    if (value === null) return "";
    const text = String(value);
    const needsQuotes = text === "" || /["\r\n]/.test(text) || text.includes(separator);
    return needsQuotes || random.chance(0.3) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const header = columns.map(({ id }) => cell(`source.${id}`));
  const end = random.pick(["\n", "\r\n"]);
  const lines = [header, ...rows.map((row) => row.map(cell))].map((cells) => cells.join(separator));
  return lines.join(end) + (random.chance(0.5) ? end : "");
}
