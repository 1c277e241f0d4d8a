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

/** Returns the form of the control of a filter item. A slider over dates is a control of dates. */
export function formOf({ type, fields: [field] }: Pick<ChartItem, "type" | "fields">): Form {
  const form = Object.hasOwn(forms, type) ? (forms[type] ?? "list") : "list";
  return form === "range" && field?.type === "datetime" ? "dates" : form;
}
