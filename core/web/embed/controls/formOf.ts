import type { ChartItem } from "../../charts/index.ts";

/** The kinds of controls that filter items can have. */
export type Form = "list" | "choice" | "search" | "dates" | "range";

const forms: Readonly<Record<string, Form>> = {
  "slicer-filter": "list",
  "dropdown-filter": "choice",
  "search-filter": "search",
  "date-filter": "dates",
  "date-comparison-filter": "dates",
  "slider-filter": "range",
};

/** Returns the form of the control of a filter item. */
export function formOf({ type }: ChartItem): Form {
  return Object.hasOwn(forms, type) ? (forms[type] ?? "list") : "list";
}
