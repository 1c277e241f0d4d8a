import { contrast } from "./contrast.ts";
import { mixColors } from "./mixColors.ts";

/** Minimum contrast of text, as WCAG 2 requires. */
export const textContrast = 4.5;

/**
 * Returns a text colour that is readable on a background: the wanted colour if possible, otherwise a colour between it
 * and `text`.
 */
export function readableText(wanted: string, ground: string, text: string): string {
  if (contrast(wanted, ground) >= textContrast) return wanted;
  const shares = [0.2, 0.4, 0.6, 0.8].map((share) => mixColors(wanted, text, share));
  return shares.find((each) => contrast(each, ground) >= textContrast) ?? text;
}
