import type { Weight } from "../scene.ts";
import { advances } from "./advances.ts";

/** Widths by code point, in thousandths of the font size. */
const widths = new Map<Weight, ReadonlyMap<number, number>>();

const unknownWidth = 600;
/** The width of spaces that the font lacks, such as the narrow one between groups of digits in French. */
const spaceWidth = 236;

function widthsOf(weight: Weight): ReadonlyMap<number, number> {
  const known = widths.get(weight);
  if (known) return known;
  const read = new Map<number, number>();
  for (const run of advances[weight].split(";")) {
    const [start, ...each] = run.split(",");
    let codePoint = Number.parseInt(start ?? "", 36);
    for (const width of each) read.set(codePoint++, Number.parseInt(width, 36));
  }
  widths.set(weight, read);
  return read;
}

/** Returns whether a code point is an East Asian character or a pictograph, which fonts draw as a square. */
function isWide(codePoint: number): boolean {
  return (
    (codePoint >= 0x11_00 && codePoint <= 0x11_5f) ||
    (codePoint >= 0x2e_80 && codePoint <= 0xa4_cf) ||
    (codePoint >= 0xac_00 && codePoint <= 0xd7_a3) ||
    (codePoint >= 0xf9_00 && codePoint <= 0xfa_ff) ||
    (codePoint >= 0xff_00 && codePoint <= 0xff_60) ||
    codePoint >= 0x1_f3_00
  );
}

const isMark = /[\p{Mn}\p{Default_Ignorable_Code_Point}]/u;
const isSpace = /\p{White_Space}/u;

function unknownWidthOf(character: string, codePoint: number): number {
  if (isWide(codePoint)) return 1000;
  if (isMark.test(character)) return 0;
  return isSpace.test(character) ? spaceWidth : unknownWidth;
}

/**
 * Returns the width of a line of text in pixels, from a table of the shipped font. Browsers and the server get the same
 * result. Kerning is ignored. Characters that the font lacks have an assumed width: a square for wide characters, 0 for
 * combining marks and invisible characters, that of a space for other spaces, and the width of a digit for all others.
 */
export function measureText(shown: string, size: number, weight: Weight = 400): number {
  const known = widthsOf(weight);
  let sum = 0;
  for (const character of shown) {
    const codePoint = character.codePointAt(0) ?? 0;
    sum += known.get(codePoint) ?? unknownWidthOf(character, codePoint);
  }
  return (sum * size) / 1000;
}
