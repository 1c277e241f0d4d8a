import type { KnownTexts } from "./boundValue.ts";
import { identityOf, keptByTexts } from "./keptByTexts.ts";
import { keyOf } from "./mapTexts.ts";
import { TextInterner } from "./textInterner.ts";

/**
 * Several dictionaries merged into one, without duplicates. `codes[part][code]` is the merged code for a part's stored
 * code.
 */
export interface JoinedTexts {
  readonly texts: readonly string[];
  readonly codes: readonly Uint32Array[];
}

/** Number of strings that can be numbered in a fraction of a millisecond. */
const textsPerStep = 1_024;

/**
 * Merges dictionaries into one list of strings, in the order of the parts. Equal parts return the same list object, so
 * results computed from the list can be cached with it. Callers must not change the result.
 */
export function joinTexts(parts: readonly KnownTexts[]): JoinedTexts {
  const largest = parts.reduce((most, part) => (part.textCount > most.textCount ? part : most));
  const key = parts.map((part) => `${identityOf(keyOf(part))} ${part.textCount}`).join();
  return keptByTexts(keyOf(largest), largest.textCount, `joined ${key}`, function* () {
    // No limit is needed: the strings of each part are already bounded.
    const interner = new TextInterner("an expression", Infinity);
    const codes: Uint32Array[] = [];
    for (const part of parts) {
      if (part.dictionary) yield* part.dictionary.makeStrings();
      const { texts, textCount } = part;
      const codesOf = new Uint32Array(new SharedArrayBuffer((textCount + 1) * 4));
      for (let code = 1; code <= textCount; code++) {
        codesOf[code] = interner.codeOf(texts[code - 1]);
        if (code % textsPerStep === 0) yield;
      }
      codes.push(codesOf);
    }
    const codeBytes = codes.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const sizeBytes = codeBytes + interner.units * 2 + interner.texts.length * 64;
    return { value: { texts: interner.texts, codes }, sizeBytes };
  });
}
