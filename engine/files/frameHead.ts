/**
 * The kind of a frame's payload: a complete change, a part of the change that a later frame completes, or a part with
 * sealed rows. Parts are marked by flags in the length of the head, so engines that do not support parts reject the
 * file.
 */
export type HeadKind = "change" | "part" | "sealed part";

const partFlag = 0x80000000;
const sealedFlag = 0x40000000;
const lengthBytes = 4;

/** The number and size of strings whose end offsets and bytes follow the head. */
export interface TextsHead {
  readonly textCount: number;
  readonly sizeBytes: number;
  readonly hasLoneSurrogates: boolean;
}

/** Encodes a head as pieces: its length, then JSON. The total length is a multiple of `alignBytes`. */
export function writeHead(head: unknown, kind: HeadKind, alignBytes = 1): readonly Uint8Array[] {
  const text = JSON.stringify(head);
  const rest = (lengthBytes + Buffer.byteLength(text)) % alignBytes;
  const bytes = Buffer.from(rest === 0 ? text : text + " ".repeat(alignBytes - rest));
  const length = Buffer.alloc(lengthBytes);
  const flags = (kind === "change" ? 0 : partFlag) + (kind === "sealed part" ? sealedFlag : 0);
  length.writeUInt32LE(bytes.length + flags);
  return [length, bytes];
}

export function headKind(payload: Uint8Array): HeadKind {
  const flags = payload[lengthBytes - 1];
  if (flags < 0x80) return "change";
  return flags < 0xc0 ? "part" : "sealed part";
}

/** Decodes a head and returns it with its end offset. */
export function readHead(payload: Uint8Array): {
  readonly head: unknown;
  readonly headEnd: number;
} {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  const headEnd = lengthBytes + (bytes.readUInt32LE(0) % sealedFlag);
  return { head: JSON.parse(bytes.toString("utf8", lengthBytes, headEnd)), headEnd };
}
