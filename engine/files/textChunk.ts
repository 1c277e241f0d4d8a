import { isAscii } from "node:buffer";
import type { PackedTexts } from "../column/texts/packedTexts.ts";
import { packTexts } from "../column/texts/packTexts.ts";
import { hashTexts } from "../column/texts/hashTexts.ts";

/** Strings per chunk. Each chunk is read and verified separately. */
export const chunkTexts = 65_536;

const latin1 = 1;
const utf16 = 2;
const highUnit = /[\u0100-\uFFFF]/;

/**
 * Encodes strings: their count, the encoding, the length of each string in units, then the units of all strings. The
 * result is padded to a multiple of 64 bytes.
 */
export function encodeTexts(texts: readonly string[]): Uint8Array {
  const joined = texts.join("");
  const encoding = highUnit.test(joined) ? utf16 : latin1;
  const headBytes = 8 + texts.length * 4;
  const bytes = Buffer.alloc(Math.ceil((headBytes + joined.length * encoding) / 64) * 64);
  bytes.writeUInt32LE(texts.length, 0);
  bytes.writeUInt32LE(encoding, 4);
  texts.forEach((text, index) => bytes.writeUInt32LE(text.length, 8 + index * 4));
  bytes.write(joined, headBytes, encoding === latin1 ? "latin1" : "utf16le");
  return bytes;
}

/** Encodes strings like `encodeTexts`, from their ASCII bytes. */
export function encodeAscii({
  bytes,
  ends,
}: Pick<PackedTexts, "bytes" | "ends">): Uint8Array<ArrayBuffer> {
  const headBytes = 8 + ends.length * 4;
  const chunk = new Uint8Array(Math.ceil((headBytes + bytes.length) / 64) * 64);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, ends.length, true);
  view.setUint32(4, latin1, true);
  for (let index = 0; index < ends.length; index++)
    view.setUint32(8 + index * 4, ends[index] - (index === 0 ? 0 : ends[index - 1]), true);
  chunk.set(bytes, headBytes);
  return chunk;
}

/**
 * Decodes strings from a verified chunk. Decoding all units first and then slicing is several times as fast as decoding
 * string by string.
 */
export function decodeTexts(chunk: Uint8Array): string[] {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const count = bytes.readUInt32LE(0);
  const encoding = bytes.readUInt32LE(4);
  const joined = bytes.toString(encoding === latin1 ? "latin1" : "utf16le", 8 + count * 4);
  const texts: string[] = [];
  let position = 0;
  for (let index = 0; index < count; index++) {
    const end = position + bytes.readUInt32LE(8 + index * 4);
    texts.push(joined.slice(position, end));
    position = end;
  }
  return texts;
}

/** Packs strings for a dictionary. ASCII bytes are used unchanged and never become JavaScript strings. */
export function packChunk(chunk: Uint8Array): PackedTexts {
  const head = Buffer.from(chunk.buffer, chunk.byteOffset, 8);
  const count = head.readUInt32LE(0);
  const ends = new Int32Array(count);
  const lengths = new DataView(chunk.buffer, chunk.byteOffset + 8, count * 4);
  let end = 0;
  for (let code = 0; code < count; code++) ends[code] = end += lengths.getUint32(code * 4, true);
  const bytes = chunk.subarray(8 + count * 4).subarray(0, end);
  const isPlain = head.readUInt32LE(4) === latin1 && isAscii(bytes);
  const packed = isPlain
    ? { bytes, ends, hasLoneSurrogates: false }
    : packTexts(decodeTexts(chunk));
  return { ...packed, hashes: hashTexts(packed.bytes, packed.ends) };
}
