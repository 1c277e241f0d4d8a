import { crc32 } from "node:zlib";

/** Version of every file that this engine writes and reads. Lower versions were used before release 0.1.0. */
export const formatVersion = 4;
const magic = Buffer.from("STRATA\r\n", "latin1");

/** Maximum bytes of a payload, because its length is a 32-bit number. */
export const largestFrameBytes = 2 ** 31;

/** Bytes of the header of a file: magic number, format version, and a checksum of both. */
export const fileHeaderBytes = 16;
/** Bytes of the header of a frame: the payload's length, its checksum, and a checksum of both. */
export const frameHeaderBytes = 12;

/** Creates the first bytes of a file. */
export function createFileHeader(): Uint8Array {
  const header = Buffer.alloc(fileHeaderBytes);
  magic.copy(header);
  header.writeUInt32LE(formatVersion, 8);
  header.writeUInt32LE(crc32(header.subarray(0, 12)), 12);
  return header;
}

/** Adds the header of a frame to a payload, which may consist of several pieces. Returns the pieces of the frame. */
export function createFrame(payload: readonly Uint8Array[]): readonly Uint8Array[] {
  const checksum = payload.reduce((sum, piece) => crc32(piece, sum), 0);
  return [createFrameHeader(sizeOf(payload), checksum), ...payload];
}

/** Offset at which a frame must start in its buffer, so that the payload starts at a multiple of 8 bytes. */
const gapBytes = 16 - frameHeaderBytes;

/** Returns the buffer size that `joinFrame` needs. */
export function joinedFrameBytes(payload: readonly Uint8Array[]): number {
  return gapBytes + frameHeaderBytes + sizeOf(payload);
}

/** Writes a frame in one piece near the start of a buffer, so that the payload starts at a multiple of 8 bytes. */
export function joinFrame<Buffer extends ArrayBufferLike>(
  payload: readonly Uint8Array[],
  buffer: Buffer,
): Uint8Array<Buffer> {
  const frame = new Uint8Array(buffer, gapBytes, frameHeaderBytes + sizeOf(payload));
  let end = frameHeaderBytes;
  for (const piece of payload) {
    frame.set(piece, end);
    end += piece.length;
  }
  frame.set(createFrameHeader(end - frameHeaderBytes, crc32(frame.subarray(frameHeaderBytes))));
  return frame;
}

/** Returns the number of bytes that a frame occupies in its file. */
export function frameBytes(payload: Uint8Array): number {
  return frameHeaderBytes + payload.length;
}

/** Returns the total size of all pieces in bytes. */
export function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** Returns the fault in the first bytes of a file; undefined if these bytes are valid. */
export function checkFileHeader(
  file: Buffer,
): { readonly damage: string; readonly version?: number } | undefined {
  if (file.length < fileHeaderBytes) return { damage: "its header is missing" };
  if (!file.subarray(0, 8).equals(magic) || file.readUInt32LE(12) !== crc32(file.subarray(0, 12)))
    return { damage: "its header does not match its checksum" };
  const version = file.readUInt32LE(8);
  if (version === formatVersion) return undefined;
  return {
    damage: `it has format version ${version}; this engine reads ${formatVersion}`,
    version,
  };
}

function createFrameHeader(payloadBytes: number, checksum: number): Uint8Array {
  const header = Buffer.alloc(frameHeaderBytes);
  header.writeUInt32LE(payloadBytes, 0);
  header.writeUInt32LE(checksum, 4);
  header.writeUInt32LE(crc32(header.subarray(0, 8)), 8);
  return header;
}

/**
 * The frames of a file. `goodBytes` is the end offset of the last complete frame; the bytes after it were never
 * acknowledged.
 */
export interface FrameReading {
  readonly frames: readonly Uint8Array[];
  readonly goodBytes: number;
  readonly damage?: string;
  readonly version?: number;
}

/**
 * Reads the frames of a file. Reading stops at an incomplete frame at the end of the file, or at a tail of zeros: both
 * are torn writes. A wrong checksum is damage, even in the last frame, because that frame may have been acknowledged.
 */
export function readFrames(bytes: Uint8Array): FrameReading {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const damaged = (damage: string): FrameReading => ({ frames: [], goodBytes: 0, damage });
  const wrong = checkFileHeader(file);
  if (wrong) return { ...damaged(wrong.damage), ...wrong };
  const frames: Uint8Array[] = [];
  let position = fileHeaderBytes;
  while (position < file.length) {
    const rest = file.subarray(position);
    if (rest.length < frameHeaderBytes || isZero(rest)) break;
    if (rest.readUInt32LE(8) !== crc32(rest.subarray(0, 8)))
      return damaged(`the frame at byte ${position} has a damaged header`);
    const end = frameHeaderBytes + rest.readUInt32LE(0);
    if (rest.length < end) break;
    const payload = rest.subarray(frameHeaderBytes, end);
    if (rest.readUInt32LE(4) !== crc32(payload))
      return damaged(`the frame at byte ${position} does not match its checksum`);
    frames.push(payload);
    position += end;
  }
  return { frames, goodBytes: position };
}

function isZero(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte !== 0) return false;
  return true;
}
