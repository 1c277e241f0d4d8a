import { drawBars } from "./drawBars.ts";
import { drawFilter } from "./drawFilter.ts";
import type { FamilyKinds } from "./drawKind.ts";
import { drawCombination, drawLines } from "./drawLines.ts";
import { drawNumber } from "./drawNumber.ts";
import { drawTable } from "./drawTable.ts";
import { drawText } from "./drawText.ts";

/** The kinds that most dashboards use. They are part of the first script. */
export const earlyKinds: FamilyKinds<"early"> = {
  bars: drawBars,
  lines: drawLines,
  combination: drawCombination,
  number: drawNumber,
  table: drawTable,
  filter: drawFilter,
  text: drawText,
  empty: () => {},
};
