import type { Weight } from "../scene.ts";
import { fitText } from "./fitText.ts";
import { wrapText } from "./wrapText.ts";

/** Fewer characters of a name than these, before an ellipsis, name nothing. */
const leastCharacters = 4;

/**
 * Returns the lines of a name inside a mark: whole, between words, where it fits; else one line with an ellipsis; none
 * where fewer than four characters would be left.
 */
export function nameLines(
  name: string,
  width: number,
  lineCount: number,
  { size, weight }: { readonly size: number; readonly weight: Weight },
): readonly string[] {
  if (lineCount < 1) return [];
  const lines = wrapText(name, width, lineCount, size, weight);
  const isCut = lines.join(" ") !== name.split(" ").filter(Boolean).join(" ");
  if (!isCut) return lines;
  const cut = fitText(name, width, size, weight);
  return cut.length > leastCharacters ? [cut] : [];
}
