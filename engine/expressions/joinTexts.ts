import type { KnownTexts } from "./boundValue.ts";
import { ExtendedTexts } from "./extendedTexts.ts";
import { identityOf, keptByTexts } from "./keptByTexts.ts";
import { makeStrings } from "./makeStrings.ts";
import { keyOf } from "./mapTexts.ts";
import { TextInterner } from "./textInterner.ts";

/**
 * Several dictionaries merged into one, without duplicates. `codes[part][code]` is the merged code that replaces the
 * stored code `code` of a part.
 */
export interface JoinedTexts {
  /** The strings, or an object that creates them on demand. */
  readonly strings: readonly string[] | ExtendedTexts;
  readonly textCount: number;
  /** Undefined for a part whose codes do not change. */
  readonly codes: readonly (Uint32Array | undefined)[];
}

/** Number of strings that can be given new codes in a fraction of a millisecond. */
const textsPerStep = 1_024;
/** Maximum number of strings that are added to a dictionary. */
const mostAdded = 1024;

/**
 * Merges dictionaries into one list of strings, in the order of the parts. Equal parts return the same list object, so
 * results computed from the list can be cached with it. Callers must not change the result.
 */
export function joinTexts(parts: readonly KnownTexts[]): JoinedTexts {
  const extended = extendTexts(parts);
  if (extended) return extended;
  const largest = parts.reduce((most, part) => (part.textCount > most.textCount ? part : most));
  const key = parts.map((part) => `${identityOf(keyOf(part))} ${part.textCount}`).join();
  return keptByTexts(keyOf(largest), largest.textCount, `joined ${key}`, function* () {
    // No limit is needed: the strings of each part are already bounded.
    const interner = new TextInterner("an expression", Infinity);
    const codes: Uint32Array[] = [];
    for (const part of parts) {
      yield* makeStrings(part);
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
    const { texts } = interner;
    return { value: { strings: texts, textCount: texts.length, codes }, sizeBytes };
  });
}

/**
 * Merges a dictionary and a few strings, which takes time only for these strings: codes of the dictionary stay as they
 * are. Returns undefined if there is no dictionary, or if the other parts have many strings.
 */
function extendTexts(parts: readonly KnownTexts[]): JoinedTexts | undefined {
  const { dictionary, textCount } = parts.reduce((most, part) =>
    part.dictionary && (!most.dictionary || part.textCount > most.textCount) ? part : most,
  );
  if (!dictionary) return undefined;
  const isOwn = (part: KnownTexts) =>
    part.dictionary === dictionary && part.textCount === textCount;
  const others = parts.filter((part) => !isOwn(part));
  if (others.reduce((sum, part) => sum + part.textCount, 0) > mostAdded) return undefined;
  const key = others.map((part) => `${identityOf(keyOf(part))} ${part.textCount}`).join();
  const { strings, tables } = keptByTexts(dictionary, textCount, `extended ${key}`, function* () {
    yield* dictionary.makeIndex();
    const added: string[] = [];
    const codes = new Map<string, number>();
    const codeOf = (text: string): number => {
      const known = dictionary.codeOf(text) ?? textCount;
      if (known < textCount) return known + 1;
      const code = codes.get(text) ?? textCount + added.push(text);
      codes.set(text, code);
      return code;
    };
    const made = others.map((part) => {
      const table = new Uint32Array(new SharedArrayBuffer((part.textCount + 1) * 4));
      const texts = (part.dictionary ?? part.texts).slice(0, part.textCount);
      for (const [code, text] of texts.entries()) table[code + 1] = codeOf(text);
      return table;
    });
    const value = { strings: new ExtendedTexts(dictionary, textCount, added), tables: made };
    return { value, sizeBytes: textCount * 8 + added.length * 64 };
  });
  const codes = parts.map((part) => (isOwn(part) ? undefined : tables[others.indexOf(part)]));
  return { strings, textCount: strings.textCount, codes };
}
