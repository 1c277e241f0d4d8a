import { columnTypeOf } from "./columnType.ts";
import type { PreviewColumn } from "./preview.ts";
import { words } from "./words.ts";

/** Returns what the host saw in a column in words: "9,812 dates, 3 empty". */
export function seenIn({ type, subtype, seen }: PreviewColumn): string {
  const { values, nulls } = seen;
  const parts: string[] = [];
  if (typeof values === "number")
    parts.push(values === 0 ? words.noValues : words.seen(values, columnTypeOf(type, subtype)));
  if (typeof nulls === "number" && nulls > 0) parts.push(words.empties(nulls));
  return parts.join(", ");
}
