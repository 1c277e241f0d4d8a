import type { ChartCell } from "./chartRequest.ts";

/** Parses the ends of a bin from a cell such as `[ 100 - 150 [`; undefined for any other cell. */
export function binRange(
  cell: ChartCell | undefined,
): readonly [from: number, to: number] | undefined {
  if (typeof cell !== "string") return undefined;
  const found = /^\[ (-?[\d.e+-]+?) - (-?[\d.e+-]+) [[\]]$/i.exec(cell);
  if (!found) return undefined;
  const [from, to] = [Number(found[1]), Number(found[2])];
  return Number.isFinite(from) && Number.isFinite(to) ? [from, to] : undefined;
}
