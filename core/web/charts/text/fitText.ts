import type { Weight } from "../scene.ts";
import { measureText } from "./measureText.ts";

const characters = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * Tolerance for rounding, because a sum of widths depends on the order of its terms. Text must always fit into the
 * width that was measured for it.
 */
export const rounding = 0.001;

/** Shortens text to a width in pixels, with an ellipsis. Empty if not even one character fits. */
export function fitText(shown: string, width: number, size: number, weight: Weight = 400): string {
  if (measureText(shown, size, weight) <= width + rounding) return shown;
  const room = width - measureText("…", size, weight);
  let kept = "";
  let used = 0;
  for (const { segment } of characters.segment(shown)) {
    used += measureText(segment, size, weight);
    if (used > room) break;
    kept += segment;
  }
  return kept === "" ? "" : `${kept.trimEnd()}…`;
}
