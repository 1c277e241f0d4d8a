import type { Bidi } from "bidi-js";
import bidiFactory from "bidi-js/dist/bidi.mjs";
import { baseDirection } from "../../web/charts/index.ts";
import type { FontFace } from "./openFonts.ts";

/** A part of a line of text that is drawn with one face and in one direction. */
export interface TextRun {
  /**
   * The characters in reading order, without invisible ones. The font reverses the letters of scripts that are read
   * from right to left.
   */
  readonly text: string;
  readonly face: FontFace;
}

let bidi: Bidi | undefined;

/**
 * Characters that may change the direction of a part of a line: the blocks of scripts that are written from right to
 * left, such as Hebrew and Arabic, and their presentation forms.
 */
const mayTurn =
  /[\u200f\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Spaces that fonts lack, such as the narrow one between groups of digits in French. */
const unusualSpaces = /[\u2000-\u200a\u202f\u205f]/g;

const ignorable = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Splits a line into runs, which are drawn from left to right. Uses the Unicode bidirectional algorithm for a line in
 * the direction of its first letter, as in SVG. Each character is drawn with the first face of the requested weight
 * that contains it, or else with a face of another weight. If no face contains it, the first face draws a box.
 * O(characters × faces).
 */
export function splitRuns(
  text: string,
  weight: FontFace["weight"],
  faces: readonly FontFace[],
): readonly TextRun[] {
  const line = text.replaceAll(unusualSpaces, "\u00a0");
  // Selectors, joiners and marks of direction have no glyph of their own, so a font that lacks them would draw boxes.
  if (!mayTurn.test(line)) return byFace(line.replaceAll(ignorable, ""), weight, faces);
  bidi ??= bidiFactory();
  const levels = bidi.getEmbeddingLevels(line, baseDirection(line));
  const order = bidi.getReorderedIndices(line, levels);
  const runs: TextRun[] = [];
  for (let at = 0; at < order.length;) {
    const level = levels.levels[order[at]!]!;
    let end = at + 1;
    while (end < order.length && levels.levels[order[end]!] === level) end++;
    const places = order.slice(at, end).toSorted((one, other) => one - other);
    const part = line.slice(places[0], places.at(-1)! + 1).replaceAll(ignorable, "");
    if (level % 2 === 0) runs.push(...fromTheLeft(part, weight, faces));
    else runs.push(...fromTheRight(part, weight, faces, bidi));
    at = end;
  }
  return runs;
}

function byFace(
  text: string,
  weight: FontFace["weight"],
  faces: readonly FontFace[],
): readonly TextRun[] {
  const runs: { face: FontFace; text: string }[] = [];
  for (const character of text) {
    const last = runs.at(-1);
    const face = faceOf(character, weight, faces, last?.face);
    if (!face) continue;
    if (last?.face === face) last.text += character;
    else runs.push({ face, text: character });
  }
  return runs;
}

/** Characters of scripts that are written from right to left, such as the digits of Arabic. */
const turned = /([\u0590-\u08ff])/u;

/**
 * Splits a left-to-right run. Fonts lay a run with Arabic digits from the right, because they see only its script, so
 * each of these digits is a run.
 */
function fromTheLeft(
  text: string,
  weight: FontFace["weight"],
  faces: readonly FontFace[],
): readonly TextRun[] {
  return text.split(turned).flatMap((part) => byFace(part, weight, faces));
}

/**
 * Splits a right-to-left run at spaces and punctuation, reverses the order of the parts, and mirrors
 * the punctuation.
 */
function fromTheRight(
  text: string,
  weight: FontFace["weight"],
  faces: readonly FontFace[],
  { getMirroredCharacter }: Bidi,
): readonly TextRun[] {
  const words = text.match(/[\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]/gu) ?? [];
  return words.toReversed().flatMap((word) => {
    const isSign = !/^[\p{L}\p{M}\p{N}]/u.test(word);
    const shown = (isSign ? getMirroredCharacter(word) : null) ?? word;
    return byFace(shown, weight, faces).toReversed();
  });
}

const isMark = /\p{M}/u;

function faceOf(
  character: string,
  weight: FontFace["weight"],
  faces: readonly FontFace[],
  last: FontFace | undefined,
): FontFace | undefined {
  const codePoint = character.codePointAt(0) ?? 0;
  const has = (face: FontFace) => face.characters.has(codePoint);
  // A combining mark is drawn with the face of its letter.
  if (last && isMark.test(character) && has(last)) return last;
  return (
    faces.find((face) => face.weight === weight && has(face)) ??
    faces.find(has) ??
    faces.find((face) => face.weight === weight)
  );
}
