import { Dictionary } from "../column/texts/dictionary.ts";
import type { PackedTexts } from "../column/texts/packedTexts.ts";
import { packTexts } from "../column/texts/packTexts.ts";
import { hashTexts } from "../column/texts/hashTexts.ts";

/** Strings per batch. They are so many that the dictionary grows into shared memory, as when files are stored. */
const textCount = 6000;
const batchCount = 3;
const textsPerStep = 500;

/**
 * Merges batches of strings into a dictionary, as storing a file does. In all batches but the first, half of the
 * strings are already known.
 */
export function mergeTexts(round: number): void {
  const dictionary = new Dictionary();
  for (let batch = 0; batch < batchCount; batch++) {
    const first = (batch * textCount) / 2;
    const texts = shared(
      Array.from({ length: textCount }, (_, index) => `${round} is the file of ${first + index}`),
    );
    const codes = new Int32Array(textCount);
    for (const _ of dictionary.mergeInSteps(texts, codes, textsPerStep));
  }
}

/** Packs strings into shared memory, in the form in which threads send the strings of files. */
function shared(texts: readonly string[]): PackedTexts {
  const { bytes, ends, hasLoneSurrogates } = packTexts(texts);
  const hashes = hashTexts(bytes, ends);
  const buffer = new SharedArrayBuffer(ends.byteLength * 2 + bytes.length + 64);
  const words = new Int32Array(buffer, 0, ends.length * 2);
  words.set(ends);
  words.set(hashes, ends.length);
  const placed = new Uint8Array(buffer, ends.byteLength * 2, bytes.length);
  placed.set(bytes);
  return {
    bytes: placed,
    ends: words.subarray(0, ends.length),
    hashes: words.subarray(ends.length),
    hasLoneSurrogates,
  };
}
