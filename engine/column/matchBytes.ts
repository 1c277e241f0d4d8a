import type { TextBytesView } from "./compareBytes.ts";

/** Where a text is looked for in another. */
export type TextMatch = "contains" | "startsWith" | "endsWith";

const upperToLower = 0x20;
/** The characters beyond ASCII whose simple case folding is an ASCII letter, as UTF-8: the Kelvin sign is a k, the long s an s. */
const foldedToLetters = { k: "\u212a", s: "\u017f" } as const;

/**
 * Tests the first `count` texts, as bytes, whether they contain, begin or end with `part`, ignoring case by simple case
 * folding; 1 for each that does, from place 1 on. Undefined when comparing bytes is not enough: a part beyond ASCII, or one with a letter that
 * another character of the texts folds to. About 1 ns a byte.
 */
export function matchBytes(
  { bytes, ends }: TextBytesView,
  count: number,
  match: TextMatch,
  part: string,
): Uint8Array | undefined {
  const isPlain = /^[\0-\x7f]+$/.test(part);
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, count === 0 ? 0 : ends[count - 1]);
  const lower = part.toLowerCase();
  const isFoldedTo = (["k", "s"] as const).some(
    (letter) => lower.includes(letter) && all.includes(foldedToLetters[letter]),
  );
  if (!isPlain || isFoldedTo) return undefined;

  const wanted = Buffer.from(lower);
  // A letter and its other case differ in one bit, which is set in both before they are compared.
  const ignored = Uint8Array.from(lower, (letter) => (/[a-z]/.test(letter) ? upperToLower : 0));
  const { length } = wanted;
  const [first] = wanted;
  const [firstIgnored] = ignored;
  const passes = new Uint8Array(new SharedArrayBuffer(count + 1));
  for (let code = 0, start = 0; code < count; code++) {
    const last = ends[code] - length;
    const from = match === "endsWith" ? Math.max(start, last) : start;
    const until = match === "startsWith" ? Math.min(start, last) : last;
    for (let at = from; at <= until; at++) {
      if ((bytes[at] | firstIgnored) !== first) continue;
      let same = 1;
      while (same < length && (bytes[at + same] | ignored[same]) === wanted[same]) same++;
      if (same < length) continue;
      passes[code + 1] = 1;
      break;
    }
    start = ends[code];
  }
  return passes;
}
