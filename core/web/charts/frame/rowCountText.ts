import type { Beyond, ChartRequest } from "../answer/chartRequest.ts";
import { counted, fillIn } from "../words/templates.ts";
import { wordsOf } from "../words/wordsOf.ts";

/** Returns how many rows an answer has, and of how many, in the reader's language. */
export function rowCountText(
  { rows, leftOut, folded }: Pick<ChartRequest, "rows"> & Beyond,
  localeId: string,
): string {
  const { rows: ofRows, rowsOf, moreThan } = wordsOf(localeId);
  const { format } = new Intl.NumberFormat(localeId);
  const shown = format(rows.length);
  if (!leftOut) return counted(ofRows, rows.length, localeId);
  // With a combined legend, categories are left out, and nobody has counted their rows.
  const all = leftOut.all && !folded ? rows.length + leftOut.all.count : undefined;
  const count = all === undefined ? fillIn(moreThan, { count: shown }) : format(all);
  return fillIn(rowsOf, { shown, count });
}
