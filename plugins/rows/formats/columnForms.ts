import type { ValueForms } from "../readValue.ts";
import type { FileColumn } from "./fileTable.ts";
import type { Settings } from "./settings.ts";

/**
 * Returns the forms of a column's values: its declared forms, the forms that were detected in its file, and the forms
 * of all columns. The values of a column of dates are never shifted by a time zone.
 */
export function columnForms(
  { id, subtype, forms: detected }: FileColumn,
  { forms, types }: Pick<Settings, "forms" | "types">,
): ValueForms {
  const declared = types.get(id);
  const { timeZone, ...rest } = forms;
  const isDate = (declared?.subtype ?? subtype) === "date";
  return {
    ...rest,
    ...(timeZone !== undefined && !isDate && { timeZone }),
    ...detected,
    ...declared?.forms,
  };
}
