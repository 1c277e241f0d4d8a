import type { Frame } from "../frame/frame.ts";
import { fillIn } from "../words/templates.ts";
import type { LeftOutReason } from "./words/kindWords.ts";
import { kindWordsOf } from "./words/kindWordsOf.ts";

/** How many names a note lists. */
const namedCount = 3;

/**
 * Adds a note about rows that a picture leaves out: why, how many, and the first of their names, such as "without a
 * place on the map: 4 (Atlantis, Mu, Thule, …)". Adds nothing for a count of 0.
 */
export function noteLeftOut(
  { notes, request, words }: Frame,
  reason: LeftOutReason,
  count: number,
  names: readonly string[] = [],
): void {
  if (count === 0) return;
  const { localeId } = request;
  const { reasons, leftOut, leftOutNamed } = kindWordsOf(localeId);
  const different = [...new Set(names)];
  const listed = different.slice(0, namedCount);
  if (different.length > namedCount) listed.push("…");
  notes.push(
    fillIn(listed.length > 0 ? leftOutNamed : leftOut, {
      reason: reasons[reason],
      count: new Intl.NumberFormat(localeId).format(count),
      names: listed.join(words.comma),
    }),
  );
}
