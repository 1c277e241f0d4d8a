import type { Segment } from "../../column/segment/segment.ts";

/**
 * How a list of numbers is tested: each number is compared with the values; or a table has an entry for each number
 * that may be stored; or each value is searched in the list.
 */
export type ListWay = "compared" | "tabulated" | "searched";

/** Maximum length of a list whose numbers are always compared. */
export const longestAlwaysCompared = 8;
/** Maximum length of a list whose numbers are compared with the values of a column. */
export const longestCompared = 24;
/** Maximum width of stored numbers, in bytes, for which each row group gets a table. */
const widestTable = 2;

/** Number of entries of a table. */
export const tableLength = 2 ** (8 * widestTable);

/** Returns how a list is tested in a row group. `segment` is absent for values that are not those of a column. */
export function wayOfList(length: number, segment: Segment | undefined): ListWay {
  if (length <= longestAlwaysCompared) return "compared";
  if (segment?.form === "whole" && segment.values.width <= widestTable) return "tabulated";
  return segment && length <= longestCompared ? "compared" : "searched";
}
