import type { FamilyKinds } from "./drawKind.ts";
import { drawSankey } from "./drawSankey.ts";

/** Kinds that show how amounts flow. A page loads these kinds together. */
export const flowKinds: FamilyKinds<"flows"> = { sankey: drawSankey };
