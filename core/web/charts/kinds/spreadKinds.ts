import { drawBoxes } from "./drawBoxes.ts";
import { drawBullets } from "./drawBullets.ts";
import { drawCandles } from "./drawCandles.ts";
import { drawCoordinates } from "./drawCoordinates.ts";
import type { FamilyKinds } from "./drawKind.ts";
import { drawPoints } from "./drawPoints.ts";

/** Kinds that show how values are distributed along axes. A page loads these kinds together. */
export const spreadKinds: FamilyKinds<"spreads"> = {
  boxes: drawBoxes,
  bullet: drawBullets,
  candles: drawCandles,
  coordinates: drawCoordinates,
  points: drawPoints,
};
