import { rgb } from "d3-color";
import { interpolateLab } from "d3-interpolate";
import { contrast } from "./contrast.ts";

/** The contrast that texts have at least, as WCAG 2 demands it. */
export const textContrast = 4.5;

/** Returns a colour for texts on a ground: the wanted one, or one towards `text` that is read there. */
export function readableText(wanted: string, ground: string, text: string): string {
  if (contrast(wanted, ground) >= textContrast) return wanted;
  const towards = interpolateLab(wanted, text);
  const shares = [0.2, 0.4, 0.6, 0.8].map((share) => rgb(towards(share)).formatHex());
  return shares.find((each) => contrast(each, ground) >= textContrast) ?? text;
}
