import { drawGauge } from "./drawGauge.ts";
import type { FamilyKinds } from "./drawKind.ts";
import { drawSlices } from "./drawSlices.ts";

/** Kinds drawn with arcs. A page loads these kinds together. */
export const arcKinds: FamilyKinds<"arcs"> = { gauge: drawGauge, slices: drawSlices };
