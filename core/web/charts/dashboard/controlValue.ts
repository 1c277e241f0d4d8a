import type { DateRange } from "./dateRange.ts";

/** A value of a list: `null` for rows without a value. */
export type ListCell = string | number | null;

/**
 * What a control of dates compares its range with: nothing, the period before it, or the same period a year earlier.
 */
export type Comparison = "none" | "period" | "year";

/**
 * What a reader chose in a control, as JSON. Relative ranges stay relative, and no member depends on the reader's
 * language.
 */
export type ControlValue =
  | { readonly values: readonly ListCell[] }
  | { readonly text: string }
  | { readonly from?: number; readonly to?: number }
  | { readonly range: DateRange; readonly compare?: Comparison };
