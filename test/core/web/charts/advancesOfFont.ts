import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { create, type Font } from "fontkit";
import { fontScripts } from "../../../../core/exports/pictures/fontScripts.ts";

const replacements = 0xff_fd;

/**
 * Returns the advance widths of the shipped font, in thousandths of its size, as runs of consecutive code points. Each
 * run consists of its first code point and the widths, all in base 36.
 */
export function advancesOfFont(weight: 400 | 600): string {
  const widths = new Map<number, number>();
  for (const script of fontScripts) {
    const url = import.meta.resolve(
      `@fontsource/ibm-plex-sans/files/ibm-plex-sans-${script}-${weight}-normal.woff`,
    );
    const font = create(readFileSync(fileURLToPath(url))) as Font;
    const scale = 1000 / font.unitsPerEm;
    for (const codePoint of font.characterSet)
      if (!widths.has(codePoint) && codePoint >= 32 && codePoint !== replacements)
        widths.set(codePoint, Math.round(font.glyphForCodePoint(codePoint).advanceWidth * scale));
  }
  const runs: string[] = [];
  let next = -1;
  for (const [codePoint, width] of [...widths].toSorted(([one], [other]) => one - other)) {
    if (codePoint !== next) runs.push(codePoint.toString(36));
    runs[runs.length - 1] += `,${width.toString(36)}`;
    next = codePoint + 1;
  }
  return runs.join(";");
}
