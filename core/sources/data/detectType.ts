import type { Column, DataType } from "../../../plugins/protocol/index.ts";
import { isDateOnly, parseInstant } from "../../queries/index.ts";
import type { DateOrder } from "../../resources/index.ts";
import { splitDate } from "./parseDate.ts";

/** The type that was detected from a column's values. */
export interface DetectedType {
  readonly type: DataType;
  /** `date` if every value is a date without a time. Files also show currencies and durations. */
  readonly subtype: Column["subtype"];
  /** The order of day, month and year, for datetimes that are not all ISO. */
  readonly order?: DateOrder;
  /** Why values that look like dates are stored as strings. */
  readonly doubt?: string;
}

/** The cells of one column, in any form. */
export interface Cells {
  /** Number of rows. */
  readonly count: number;
  /** Returns the cell of a row. Nulls and absent cells have no value. */
  cellAt(row: number): unknown;
}

/**
 * Detects the type of the cells at `position` in all rows. The type is numeric if all cells are numbers, datetime if
 * all are dates or date-times, and otherwise hierarchy. A column without values is a hierarchy too. Non-ISO dates are
 * detected only if exactly one order of day, month and year fits all of them. Nulls are ignored. O(rows).
 */
export function detectType(rows: readonly (readonly unknown[])[], position: number): DetectedType {
  return detectCells({ count: rows.length, cellAt: (row) => rows[row]?.[position] });
}

/** Detects the type of cells that are read one by one, by the rules of `detectType`. */
export function detectCells(cells: Cells): DetectedType {
  let numberCount = 0;
  let dateCount = 0;
  let instantCount = 0;
  for (let row = 0; row < cells.count; row++) {
    const cell = cells.cellAt(row);
    if (cell === null || cell === undefined) continue;
    if (typeof cell === "number") numberCount++;
    else if (typeof cell !== "string") return text;
    else if (Number.isNaN(parseInstant(cell)))
      return splitDate(cell) && numberCount === 0 ? detectDates(cells) : text;
    else if (isDateOnly(cell)) dateCount++;
    else instantCount++;
    if (numberCount > 0 && dateCount + instantCount > 0) return text;
  }
  if (numberCount > 0) return { type: "numeric", subtype: undefined };
  if (dateCount + instantCount === 0) return text;
  return { type: "datetime", subtype: instantCount === 0 ? "date" : undefined };
}

const text: DetectedType = { type: "hierarchy", subtype: undefined };

/** Finds the order of day, month and year, if exactly one order fits all values. Messages number rows from 1. */
function detectDates(cells: Cells): DetectedType {
  let valueCount = 0;
  let dateCount = 0;
  let isTimed = false;
  let isEither = false;
  const firstRow: { none?: number; day?: number; month?: number } = {};
  for (let index = 0; index < cells.count; index++) {
    const cell = cells.cellAt(index);
    if (cell === null || cell === undefined) continue;
    valueCount++;
    const split = typeof cell === "string" ? splitDate(cell) : undefined;
    const isIso = typeof cell === "string" && !Number.isNaN(parseInstant(cell));
    const fits = (order: DateOrder) => split !== undefined && !Number.isNaN(split.at(order));
    const [day, month] = [fits("DMY"), fits("MDY")];
    if (!isIso && !fits("YMD") && !day && !month) firstRow.none ??= index + 1;
    else dateCount++;
    isTimed ||= isIso ? !isDateOnly(cell) : split?.isTimed === true;
    if (day && month) isEither = true;
    else if (day) firstRow.day ??= index + 1;
    else if (month) firstRow.month ??= index + 1;
  }
  const { none, day, month } = firstRow;
  if (none !== undefined)
    return 2 * dateCount > valueCount
      ? { ...text, doubt: `most values are dates, but the value in row ${none} is not` }
      : text;
  if (day !== undefined && month !== undefined)
    return {
      ...text,
      doubt: `row ${day} has the day before the month, but row ${month} has it after the month`,
    };
  if (isEither && day === undefined && month === undefined)
    return { ...text, doubt: "both DD-MM-YYYY and MM-DD-YYYY fit all values" };
  const order = day !== undefined ? "DMY" : month !== undefined ? "MDY" : "YMD";
  return { type: "datetime", subtype: isTimed ? undefined : "date", order };
}
