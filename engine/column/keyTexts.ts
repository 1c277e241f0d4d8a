import { startOf, type TextBytesView } from "./compareBytes.ts";

/** Places from `start` to below `end` that are to be put in order; the first `offset` bytes of their texts are the same. */
export interface TextRun {
  readonly start: number;
  readonly end: number;
  readonly offset: number;
}

/** Codes of texts, a key for each, and room for as many again. */
export interface TextKeys {
  readonly codes: Int32Array;
  readonly keys: Int32Array;
  readonly spareCodes: Int32Array;
  readonly spareKeys: Int32Array;
}

/** Bytes that a key looks at in runs of many texts, and of fewer, where tables cost more than another round. */
export const manyBytes = 6;
const fewerBytes = 2;
export const manyTexts = 1000;
/** Keys for each text: of evenly spread texts, one in so many meets another. */
const keysPerText = 64;
const largestKeyCount = 2 ** 31;
const byteValues = 256;

const shares = new Int32Array(manyBytes * byteValues);
const valueCounts = new Int32Array(manyBytes);

/**
 * Gives each text of a run the number that its next bytes make, in the order of the texts: a byte's digit is its place among those
 * that occur there, 0 where a text has ended. So ten different digits are worth 3.5 bits, not 8. Returns how many bytes were
 * taken, at least 1, and how many bits the keys have. Distinct texts with the same key have all these bytes.
 */
export function keyTexts(
  { bytes, ends }: TextBytesView,
  { codes, keys }: TextKeys,
  { start, end, offset }: TextRun,
): { readonly byteCount: number; readonly bitCount: number } {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const digits = shares;
  const width = end - start < manyTexts ? fewerBytes : manyBytes;
  digits.fill(0, 0, width * byteValues);
  for (let index = start; index < end; index++) {
    const code = codes[index];
    const at = startOf(ends, code) + offset;
    const length = Math.min(width, ends[code] - at);
    if (length === manyBytes) {
      const four = words.getInt32(at);
      const two = words.getUint16(at + 4);
      digits[four >>> 24] = 1;
      digits[256 | ((four >>> 16) & 255)] = 1;
      digits[512 | ((four >>> 8) & 255)] = 1;
      digits[768 | (four & 255)] = 1;
      digits[1024 | (two >>> 8)] = 1;
      digits[1280 | (two & 255)] = 1;
    } else
      for (let place = 0; place < length; place++) digits[(place << 8) | bytes[at + place]] = 1;
  }
  const { byteCount, keyCount } = share(width, (end - start) * keysPerText);
  for (let index = start; index < end; index++) {
    const code = codes[index];
    const at = startOf(ends, code) + offset;
    const length = Math.min(width, ends[code] - at);
    let key = 0;
    if (length === manyBytes) {
      const four = words.getInt32(at);
      const two = words.getUint16(at + 4);
      key =
        digits[four >>> 24] +
        digits[256 | ((four >>> 16) & 255)] +
        digits[512 | ((four >>> 8) & 255)] +
        digits[768 | (four & 255)] +
        digits[1024 | (two >>> 8)] +
        digits[1280 | (two & 255)];
    } else
      for (let place = 0; place < length; place++) key += digits[(place << 8) | bytes[at + place]];
    keys[index] = key;
  }
  return { byteCount, bitCount: 32 - Math.clz32(keyCount - 1) };
}

/** Turns marks of the bytes that occur into what each adds to a key; takes bytes until there are as many keys as wanted. */
function share(
  width: number,
  wantedCount: number,
): { readonly byteCount: number; readonly keyCount: number } {
  let byteCount = 0;
  let keyCount = 1;
  while (byteCount < width && keyCount < wantedCount) {
    let valueCount = 1;
    for (let value = 0; value < byteValues; value++)
      valueCount += shares[byteCount * byteValues + value];
    if (keyCount * valueCount > largestKeyCount) break;
    keyCount *= valueCount;
    valueCounts[byteCount++] = valueCount;
  }
  for (let place = byteCount - 1, weight = 1; place >= 0; place--) {
    let total = 0;
    for (let value = 0; value < byteValues; value++) {
      const index = place * byteValues + value;
      if (shares[index] === 0) continue;
      total += weight;
      shares[index] = total;
    }
    weight *= valueCounts[place];
  }
  shares.fill(0, byteCount * byteValues, width * byteValues);
  return { byteCount, keyCount };
}
