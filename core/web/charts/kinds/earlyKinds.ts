import { drawBars } from "./drawBars.ts";
import { drawFilter } from "./drawFilter.ts";
import type { FamilyKinds } from "./drawKind.ts";
import { drawCombination, drawLines } from "./drawLines.ts";
import { drawNumber } from "./drawNumber.ts";
import { drawText } from "./drawText.ts";

/** The kinds that most dashboards use. They are part of the first script. Tables of pages are elements instead. */
export const earlyKinds: FamilyKinds<"early"> = {
  bars: drawBars,
  lines: drawLines,
  combination: drawCombination,
  number: drawNumber,
  filter: drawFilter,
  text: drawText,
  empty: () => {},
};
