import { columnTypeOf } from "./columnType.ts";
import type { PreviewColumn } from "./preview.ts";
import { storedText } from "./storedText.ts";
import { words } from "./words.ts";

/** Returns what the host saw in a column in words: "9,812 dates, 2024-01-05 to 2024-12-31, 3 empty". */
export function seenIn({ type, subtype, seen }: PreviewColumn): string {
  const { values, nulls, minimum, maximum } = seen;
  const parts: string[] = [];
  if (typeof values === "number")
    parts.push(values === 0 ? words.noValues : words.seen[columnTypeOf(type, subtype)](values));
  const [least, most] = [storedText(minimum, type), storedText(maximum, type)];
  if (least !== most) parts.push(words.range(least, most));
  if (typeof nulls === "number" && nulls > 0) parts.push(words.empties(nulls));
  return parts.join(", ");
}
