import { decodeText } from "../column/texts/decodeTexts.ts";
import { packTexts } from "../column/texts/packTexts.ts";
import type { KnownTexts, PackedStrings } from "./boundValue.ts";
import { keptByTexts } from "./keptByTexts.ts";
import { makeStrings } from "./makeStrings.ts";
import { keyOf } from "./mapTexts.ts";

/** Number of strings that can be packed in a fraction of a millisecond. */
const textsPerStep = 1_024;

/** Packs strings for the threads. The result is cached with the strings. */
export function packStrings(of: KnownTexts): PackedStrings {
  const { textCount } = of;
  return keptByTexts(keyOf(of), textCount, "packed", function* () {
    yield* makeStrings(of);
    const { texts } = of;
    const ends = new Uint32Array(new SharedArrayBuffer(textCount * 4));
    const pieces: Uint8Array[] = [];
    let size = 0;
    let hasLoneSurrogates = false;
    for (let from = 0; from < textCount; from += textsPerStep) {
      const piece = packTexts(texts.slice(from, Math.min(textCount, from + textsPerStep)));
      for (let index = 0; index < piece.ends.length; index++)
        ends[from + index] = size + piece.ends[index];
      size += piece.bytes.length;
      pieces.push(piece.bytes);
      hasLoneSurrogates ||= piece.hasLoneSurrogates;
      yield;
    }
    const bytes = new Uint8Array(new SharedArrayBuffer(size));
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
      yield;
    }
    const sizeBytes = size + ends.byteLength;
    return { value: { bytes, ends, hasLoneSurrogates }, sizeBytes };
  });
}

/**
 * Returns a function from stored codes to strings, with null for 0. Each JavaScript string is created when it is first
 * read.
 */
export function stringReader({
  bytes,
  ends,
  hasLoneSurrogates,
}: PackedStrings): (code: number) => string | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const strings: string[] = [];
  return (code) => {
    if (code === 0) return null;
    const known = strings[code];
    if (known !== undefined) return known;
    const start = code === 1 ? 0 : ends[code - 2];
    const end = ends[code - 1];
    return (strings[code] = hasLoneSurrogates
      ? decodeText(buffer.subarray(start, end))
      : buffer.toString("utf8", start, end));
  };
}
