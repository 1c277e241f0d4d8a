import type { DateRange } from "./dateRange.ts";

/** A value of a list: `null` for rows without a value. */
export type ListCell = string | number | null;

/**
 * What a control of dates compares its range with: nothing, the period before it, the same period a year earlier, or as
 * many days from an earlier day on.
 */
export type Comparison = NamedComparison | DayComparison;
export type NamedComparison = "none" | "period" | "year";

/** As many days as a range between two days has, from the day `from` on, such as `2026-03-01`. */
export interface DayComparison {
  readonly from: string;
}

/**
 * What a reader chose in a control, as JSON. Relative ranges stay relative, and no member depends on the reader's
 * language.
 */
export type ControlValue =
  | { readonly values: readonly ListCell[] }
  | { readonly text: string }
  | { readonly from?: number; readonly to?: number }
  | { readonly range: DateRange; readonly compare?: Comparison };
