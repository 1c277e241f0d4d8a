import { drawGauge } from "./drawGauge.ts";
import { drawSlices } from "./drawSlices.ts";

/** Kinds of arcs; a page loads them together. */
export const arcKinds = { gauge: drawGauge, slices: drawSlices };
