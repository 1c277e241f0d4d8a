import { drawBubbles } from "./drawBubbles.ts";
import { drawFunnel } from "./drawFunnel.ts";
import type { FamilyKinds } from "./drawKind.ts";
import { drawPacks } from "./drawPacks.ts";
import { drawRings } from "./drawRings.ts";
import { drawTreemap } from "./drawTreemap.ts";

/** Kinds that show parts of a whole by area. A page loads these kinds together. */
export const hierarchyKinds: FamilyKinds<"hierarchies"> = {
  bubbles: drawBubbles,
  funnel: drawFunnel,
  packs: drawPacks,
  rings: drawRings,
  treemap: drawTreemap,
};
