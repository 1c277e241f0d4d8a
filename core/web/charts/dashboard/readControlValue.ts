import { isObject, listOf } from "../item/readItem.ts";
import type { ControlValue, ListCell } from "./controlValue.ts";
import { daysBefore, readDateRange } from "./dateRange.ts";

/** The kinds of controls that filter items can have. */
export type ControlForm = "list" | "choice" | "search" | "dates" | "range";

/** Maximum number of values in a list, and of characters in a text. */
const mostValues = 1_000;
const mostCharacters = 1_000;

/** Reads the value of a control from JSON. Undefined for values of another form, and for values that choose nothing. */
export function readControlValue(form: ControlForm, given: unknown): ControlValue | undefined {
  if (!isObject<"values" | "text" | "from" | "to" | "range" | "compare">(given)) return undefined;
  switch (form) {
    case "list":
    case "choice": {
      const all = listOf(given.values);
      const values = all.filter(isListCell);
      const isWhole = values.length === all.length && values.length <= mostValues;
      return isWhole && values.length > 0 ? { values } : undefined;
    }
    case "search": {
      const { text } = given;
      const isText = typeof text === "string" && text.length <= mostCharacters;
      return isText && text.trim() !== "" ? { text } : undefined;
    }
    case "range": {
      const { from, to } = given;
      if (!isEnd(from) || !isEnd(to) || (from === undefined && to === undefined)) return undefined;
      return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    }
    case "dates": {
      const range = readDateRange(given.range);
      const { compare } = given;
      if (!range) return undefined;
      if (compare === "period" || compare === "year") return { range, compare };
      const from = isObject<"from">(compare) ? compare.from : undefined;
      const days = typeof from === "string" ? daysBefore(range, from) : undefined;
      return days !== undefined && typeof from === "string"
        ? { range, compare: { from } }
        : { range };
    }
    default:
      return form satisfies never;
  }
}

/** Reads the value of a control whose form is not known. Its members tell the form. */
export function readAnyValue(given: unknown): ControlValue | undefined {
  if (!isObject<"values" | "text" | "range">(given)) return undefined;
  const { values, text, range } = given;
  if (values !== undefined) return readControlValue("list", given);
  if (text !== undefined) return readControlValue("search", given);
  return readControlValue(range === undefined ? "range" : "dates", given);
}

const isEnd = (value: unknown): value is number | undefined =>
  value === undefined || (typeof value === "number" && Number.isFinite(value));

function isListCell(value: unknown): value is ListCell {
  if (typeof value === "string") return value.length <= mostCharacters;
  return value === null || (typeof value === "number" && Number.isFinite(value));
}
