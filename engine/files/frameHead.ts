/**
 * The kind of a frame's payload: a complete change, a complete change that deletes rows, a part of the change that a
 * later frame completes, or a part with sealed rows. Parts and deletions are marked by flags in the length of the head.
 * Engines that do not support them reject the file: the head of a deletion starts with a word that is not JSON.
 */
export type HeadKind = "change" | "deletion" | "part" | "sealed part";

const deletionWord = "delete ";
/** The flags of each kind, as the highest bits of the length. */
const flagsOf = { change: 0, deletion: 1, part: 2, "sealed part": 3 } as const;
const kinds = ["change", "deletion", "part", "sealed part"] as const;

const flagUnit = 0x40000000;
const lengthBytes = 4;

/** The number and size of strings whose end offsets and bytes follow the head. */
export interface TextsHead {
  readonly textCount: number;
  readonly sizeBytes: number;
  readonly hasLoneSurrogates: boolean;
}

/** Encodes a head as pieces: its length, then JSON. The total length is a multiple of `alignBytes`. */
export function writeHead(head: unknown, kind: HeadKind, alignBytes = 1): readonly Uint8Array[] {
  const text = (kind === "deletion" ? deletionWord : "") + JSON.stringify(head);
  const rest = (lengthBytes + Buffer.byteLength(text)) % alignBytes;
  const bytes = Buffer.from(rest === 0 ? text : text + " ".repeat(alignBytes - rest));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(bytes.length + flagsOf[kind] * flagUnit);
  return [length, bytes];
}

export function headKind(payload: Uint8Array): HeadKind {
  return kinds[payload[lengthBytes - 1] >> 6];
}

/** Decodes a head and returns it with its end offset. */
export function readHead(payload: Uint8Array): {
  readonly head: unknown;
  readonly headEnd: number;
} {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  const headEnd = lengthBytes + (bytes.readUInt32LE(0) % flagUnit);
  const from = lengthBytes + (headKind(payload) === "deletion" ? deletionWord.length : 0);
  return { head: JSON.parse(bytes.toString("utf8", from, headEnd)), headEnd };
}
