import type { Weight } from "../scene.ts";
import { fitText, rounding } from "./fitText.ts";
import { measureText } from "./measureText.ts";

/**
 * Breaks text between words into lines that fit a width in pixels. If the text needs more lines than allowed, the last
 * line ends with an ellipsis.
 */
export function wrapText(
  shown: string,
  width: number,
  lineCount: number,
  size: number,
  weight: Weight = 400,
): string[] {
  const words = shown.split(" ").filter((word) => word !== "");
  const lines: string[] = [];
  let current = "";
  for (const [index, word] of words.entries()) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (current === "" || measureText(longer, size, weight) <= width + rounding) {
      current = longer;
      continue;
    }
    if (lines.length === lineCount - 1) {
      lines.push(fitText([current, ...words.slice(index)].join(" "), width, size, weight));
      return lines;
    }
    lines.push(fitText(current, width, size, weight));
    current = word;
  }
  if (current !== "") lines.push(fitText(current, width, size, weight));
  return lines;
}
