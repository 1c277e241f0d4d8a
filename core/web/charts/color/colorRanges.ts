import { listOf, objectOf } from "../item/readItem.ts";
import { readColor } from "./readColor.ts";

/** A colour for numbers from a lower bound up to the next range. The lowest range starts at -Infinity. */
export interface ColorRange {
  readonly from: number;
  readonly color: string;
}

/** Maximum number of ranges. */
const mostRanges = 100;

/** Reads ranges of numbers with their colours, in ascending order. Invalid entries have no effect. */
export function colorRanges(stored: unknown, ground: string): readonly ColorRange[] {
  return listOf(stored)
    .slice(0, mostRanges)
    .map((each) => objectOf<"color" | "isNegativeInfinityRange" | "val">(each))
    .flatMap((range) => {
      const color = readColor(range.color, ground);
      const from = range.isNegativeInfinityRange === true ? -Infinity : range.val;
      const isRange = color !== undefined && typeof from === "number" && !Number.isNaN(from);
      return isRange ? [{ from, color }] : [];
    })
    .toSorted((one, other) => (one.from < other.from ? -1 : Number(one.from > other.from)));
}

/** Returns the colour of a number; undefined if it is in no range. */
export function colorIn(ranges: readonly ColorRange[], value: number | null): string | undefined {
  return value === null ? undefined : ranges.findLast(({ from }) => from <= value)?.color;
}
