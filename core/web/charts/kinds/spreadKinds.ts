import { drawBoxes } from "./drawBoxes.ts";
import { drawBullets } from "./drawBullets.ts";
import { drawPoints } from "./drawPoints.ts";

/** Kinds that spread values along axes; a page loads them together. */
export const spreadKinds = { boxes: drawBoxes, bullet: drawBullets, points: drawPoints };
