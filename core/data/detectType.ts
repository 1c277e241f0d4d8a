import type { DataType } from "../../plugins/protocol/index.ts";
import { isDateOnly, parseInstant } from "../queries/index.ts";

/** What the values of a column are. */
export interface DetectedType {
  readonly type: DataType;
  /** `date` when every value is a date without a time. */
  readonly subtype: "date" | undefined;
}

/**
 * Tells what the cells at `position` of all rows are: only numbers are numeric, only ISO dates and
 * date-times are datetime, everything else is hierarchy, no values at all too. Nulls do not count. O(rows).
 */
export function detectType(rows: readonly (readonly unknown[])[], position: number): DetectedType {
  let numberCount = 0;
  let dateCount = 0;
  let instantCount = 0;
  for (const row of rows) {
    const cell = row[position];
    if (cell === null || cell === undefined) continue;
    if (typeof cell === "number") numberCount++;
    else if (typeof cell !== "string" || Number.isNaN(parseInstant(cell))) return text;
    else if (isDateOnly(cell)) dateCount++;
    else instantCount++;
    if (numberCount > 0 && dateCount + instantCount > 0) return text;
  }
  if (numberCount > 0) return { type: "numeric", subtype: undefined };
  if (dateCount + instantCount === 0) return text;
  return { type: "datetime", subtype: instantCount === 0 ? "date" : undefined };
}

const text: DetectedType = { type: "hierarchy", subtype: undefined };
