import { comparedRange, type Comparison, type DateRange } from "../../charts/index.ts";
import { rangeText } from "./rangeText.ts";
import { controlWordsOf } from "./words/controlWordsOf.ts";

/** Returns a range of dates and what it is compared with, in words of a language. `text` describes the range. */
export function comparisonText(
  text: string,
  { range, compare = "none" }: { readonly range: DateRange; readonly compare?: Comparison },
  { localeId, timezoneId }: { readonly localeId: string; readonly timezoneId: string },
): string {
  if (compare === "none") return text;
  if (typeof compare === "string")
    return `${text} · ${controlWordsOf(localeId).compareWith[compare]}`;
  if (range.key !== "custom") return text;
  return `${text} · ${rangeText(comparedRange(range, compare.from), localeId, timezoneId)}`;
}
