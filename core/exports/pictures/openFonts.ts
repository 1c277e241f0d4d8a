import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Font } from "fontkit";
import { fontFamilies } from "./fontFamilies.ts";
import { fontScripts } from "./fontScripts.ts";
import { readRanges, type CodePointRange } from "./readRanges.ts";
import { readWoff } from "./readWoff.ts";

/** A font file, opened for drawing. */
export interface FontFace {
  readonly weight: 400 | 600;
  readonly data: Buffer;
  readonly font: Font;
  /** The code points for which the font has a glyph. */
  readonly characters: ReadonlySet<number>;
}

/** The font faces that the given strings need. */
export interface FoundFaces {
  /** The faces in the order in which a character is looked up. The shipped font comes first. */
  readonly faces: readonly FontFace[];
  /** Characters that no installed font has, without duplicates. Pictures show a box for them. */
  readonly missing: readonly string[];
}

export interface Fonts {
  /**
   * Finds the font faces for strings. The font files of other scripts are read when a string first needs them.
   * O(characters).
   */
  facesOf(texts: Iterable<string>): Promise<FoundFaces>;
}

interface FamilyFile {
  readonly name: string;
  readonly source: string;
  readonly ranges: readonly CodePointRange[];
}

/**
 * Opens a font file.
 * @throws {TypeError} for a file without a font, or with several fonts
 */
async function openFace(source: string, weight: 400 | 600): Promise<FontFace> {
  const data = readWoff(await readFile(source));
  // fontkit is loaded with the first picture, like pdfkit.
  const { create } = await import("fontkit");
  const font = create(data);
  if (!("characterSet" in font)) throw new TypeError("the file contains several fonts");
  return { weight, data, font, characters: new Set(font.characterSet) };
}

/** Characters that need no glyph: spaces, controls, joiners and selectors. */
const withoutInk = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}]/u;

/**
 * Opens the shipped font, IBM Plex Sans, and the installed families of other scripts. Files are read when they are
 * first used, and stay in memory.
 */
export function openFonts(): Fonts {
  let shipped: Promise<readonly FontFace[]> | undefined;
  let families: Promise<readonly FamilyFile[]> | undefined;
  const others = new Map<string, Promise<FontFace>>();

  const openShipped = () =>
    Promise.all(
      ([400, 600] as const).flatMap((weight) =>
        fontScripts.map((script) => {
          const name = `ibm-plex-sans-${script}-${weight}-normal`;
          const source = import.meta.resolve(`@fontsource/ibm-plex-sans/files/${name}.woff`);
          return openFace(fileURLToPath(source), weight);
        }),
      ),
    );

  /**
   * Finds a font face for a character that the shipped font lacks. Undefined if no installed family has the character.
   */
  async function otherFaceOf(codePoint: number): Promise<FontFace | undefined> {
    families ??= installedFiles();
    for (const { name, source, ranges } of await families) {
      if (!ranges.some(([from, to]) => codePoint >= from && codePoint <= to)) continue;
      // Other scripts use a single weight: bold text is rare in these scripts, and a second weight would double the
      // size of their fonts.
      const reading = others.get(name) ?? openFace(source, 400);
      others.set(name, reading);
      const face = await reading;
      if (face.characters.has(codePoint)) return face;
    }
    return undefined;
  }

  return {
    async facesOf(texts) {
      shipped ??= openShipped();
      const base = await shipped;
      const codePoints = new Set<number>();
      for (const text of texts)
        for (const character of text) codePoints.add(character.codePointAt(0) ?? 0);
      const added = new Set<FontFace>();
      const missing: string[] = [];
      for (const codePoint of codePoints) {
        const isKnown = ({ characters }: FontFace) => characters.has(codePoint);
        const character = String.fromCodePoint(codePoint);
        if (base.some(isKnown) || withoutInk.test(character)) continue;
        if ([...added].some(isKnown)) continue;
        const face = await otherFaceOf(codePoint);
        if (face) added.add(face);
        else missing.push(character);
      }
      return { faces: [...base, ...added], missing };
    },
  };
}

/** Lists the files of the installed families, with the ranges of their characters. */
async function installedFiles(): Promise<readonly FamilyFile[]> {
  const files: FamilyFile[] = [];
  for (const { package: name, file } of fontFamilies) {
    const index = resolved(`${name}/unicode.json`);
    if (index === undefined) continue;
    for (const [subset, ranges] of readRanges(await readFile(index, "utf8"))) {
      if (/^(latin|cyrillic|greek|vietnamese)/.test(subset)) continue;
      const fileName = `${file}-${subset}-400-normal`;
      const source = resolved(`${name}/files/${fileName}.woff`);
      if (source !== undefined) files.push({ name: fileName, source, ranges });
    }
  }
  return files;
}

/** Returns the path of a file in a package. Undefined if the package is not installed. */
function resolved(specifier: string): string | undefined {
  try {
    return fileURLToPath(import.meta.resolve(specifier));
  } catch (failure) {
    if (failure instanceof Error && "code" in failure && failure.code === "ERR_MODULE_NOT_FOUND")
      return undefined;
    throw failure;
  }
}
