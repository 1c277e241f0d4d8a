import type { TextBytesView } from "./compareBytes.ts";
import { withTexts } from "./textMemory.ts";

/** The place in a text at which a part must be. */
export type TextMatch = "contains" | "startsWith" | "endsWith";

const upperToLower = 0x20;
/**
 * The characters beyond ASCII whose simple case folding is an ASCII letter, as UTF-8: the Kelvin sign is a k, the long
 * s an s.
 */
const foldedToLetters = { k: "\u212a", s: "\u017f" } as const;

/**
 * Tests whether the first `count` texts contain, begin or end with `part`, ignoring case by simple case folding. Entry
 * code + 1 of the result is 1 when the text does. Undefined when comparing bytes is not enough: a part beyond ASCII, or
 * one with a letter that another character of the texts folds to. A kernel on a copy of the texts: about 0.2 ns a byte.
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

  // Both go on to whole numbers of eight bytes, which are not compared.
  const sizeBytes = Math.ceil(lower.length / 8) * 8;
  const wanted = Buffer.alloc(sizeBytes, 0xff);
  wanted.write(lower);
  // A letter and its other case differ in one bit, which is set in both before they are compared.
  const ignored = Buffer.alloc(sizeBytes, 0xff);
  for (let index = 0; index < lower.length; index++)
    ignored[index] = /[a-z]/.test(lower[index]) ? upperToLower : 0;
  const passes = new Uint8Array(new SharedArrayBuffer(count + 1));
  return withTexts({ bytes, ends }, 0, count, count + 2 * sizeBytes + 64, (placed) => {
    const { kernels, starts, room, buffer } = placed;
    const ignoredAt = room + sizeBytes;
    const passesAt = ignoredAt + sizeBytes;
    const place = new Uint8Array(buffer);
    place.set(wanted, room);
    place.set(ignored, ignoredAt);
    const { length } = lower;
    if (match === "contains")
      kernels.containing(placed.bytes, starts, count, room, ignoredAt, length, passesAt);
    else {
      const isAtEnd = match === "endsWith" ? 1 : 0;
      kernels.adjoining(placed.bytes, starts, count, room, ignoredAt, length, isAtEnd, passesAt);
    }
    passes.set(place.subarray(passesAt, passesAt + count), 1);
    return passes;
  });
}
