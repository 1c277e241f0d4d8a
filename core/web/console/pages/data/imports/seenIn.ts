import { readerLanguage, writeNumber } from "../../../language/index.ts";
import { columnTypeOf } from "./columnType.ts";
import type { PreviewColumn } from "./preview.ts";
import { storedText } from "./storedText.ts";
import { words } from "./words.ts";

/** Returns what the host saw in a column in words: "9,812 dates as day/month/year, 3 empty". */
export function seenIn({ type, subtype, seen }: PreviewColumn): string {
  const { values, nulls, minimum, maximum, form, misfit_count: misfits } = seen;
  const parts: string[] = [];
  if (typeof values === "number") {
    // The host names the form of values in the plural and in English, such as "dates as day/month/year".
    const fitting = values - (typeof misfits === "number" ? misfits : 0);
    const isNamed =
      readerLanguage === "en" &&
      typeof form === "string" &&
      /^(?:numbers|dates) /.test(form) &&
      fitting > 1;
    if (values === 0) parts.push(words.noValues);
    else if (isNamed) parts.push(`${writeNumber(fitting)} ${form}`);
    else parts.push(words.seen[columnTypeOf(type, subtype)](values));
  }
  const [least, most] = [storedText(minimum, type), storedText(maximum, type)];
  if (least !== most) parts.push(words.range(least, most));
  if (typeof nulls === "number" && nulls > 0) parts.push(words.empties(nulls));
  return parts.join(", ");
}
