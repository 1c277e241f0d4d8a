import type { ChartItem, ControlForm } from "../../charts/index.ts";

const forms: Readonly<Record<string, ControlForm>> = {
  "slicer-filter": "list",
  "dropdown-filter": "choice",
  "search-filter": "search",
  "date-filter": "dates",
  "date-comparison-filter": "dates",
  "slider-filter": "range",
};

/** Returns the form of the control of a filter item. A slider over dates is a control of dates. */
export function formOf({ type, fields: [field] }: Pick<ChartItem, "type" | "fields">): ControlForm {
  const form = Object.hasOwn(forms, type) ? (forms[type] ?? "list") : "list";
  return form === "range" && field?.type === "datetime" ? "dates" : form;
}
