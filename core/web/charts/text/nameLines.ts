import type { Weight } from "../scene.ts";
import { fitText } from "./fitText.ts";
import { wrapText } from "./wrapText.ts";

/** Minimum number of characters of a shortened name. A shorter name would not be recognizable. */
const leastCharacters = 4;

/**
 * Returns the lines of a name inside a mark: the whole name, broken between words, if it fits; otherwise a single line
 * with an ellipsis. Returns an empty list if fewer than four characters would remain.
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
