import { rgb } from "d3-color";
import { interpolateLab } from "d3-interpolate";
import { contrast } from "./contrast.ts";

/** Minimum contrast of text, as WCAG 2 requires. */
export const textContrast = 4.5;

/**
 * Returns a text colour that is readable on a background: the wanted colour if possible, otherwise a colour between it
 * and `text`.
 */
export function readableText(wanted: string, ground: string, text: string): string {
  if (contrast(wanted, ground) >= textContrast) return wanted;
  const towards = interpolateLab(wanted, text);
  const shares = [0.2, 0.4, 0.6, 0.8].map((share) => rgb(towards(share)).formatHex());
  return shares.find((each) => contrast(each, ground) >= textContrast) ?? text;
}
