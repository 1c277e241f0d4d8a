// Writes core/web/charts/text/advances.ts from the shipped font: node --conditions=manifold-source <this file>.
import { writeFileSync } from "node:fs";
import { advancesOfFont } from "./advancesOfFont.ts";

writeFileSync(
  new URL("../../../../core/web/charts/text/advances.ts", import.meta.url),
  `/**
 * Advance widths of IBM Plex Sans by weight, in thousandths of the size: runs of code points, each the first one and
 * the widths, in base 36. Written by test/core/web/charts/writeAdvances.ts.
 */
export const advances = {
  400: ${JSON.stringify(advancesOfFont(400))},
  600: ${JSON.stringify(advancesOfFont(600))},
} as const;
`,
);
