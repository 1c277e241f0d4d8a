import { inflateSync } from "node:zlib";

const headerBytes = 44;
const entryBytes = 20;

/**
 * Converts a WOFF 1.0 font to plain OpenType, which rasterizers can read: https://www.w3.org/TR/WOFF/.
 * @throws {TypeError} if the file is not WOFF 1.0
 */
export function readWoff(file: Buffer): Buffer {
  if (file.toString("latin1", 0, 4) !== "wOFF")
    throw new TypeError("the font is not a WOFF 1.0 file");
  const tableCount = file.readUInt16BE(12);
  const tables = Array.from({ length: tableCount }, (_, index) => {
    const entry = file.subarray(headerBytes + index * entryBytes);
    const [offset, compressedBytes, sizeBytes] = [
      entry.readUInt32BE(4),
      entry.readUInt32BE(8),
      entry.readUInt32BE(12),
    ];
    const stored = file.subarray(offset, offset + compressedBytes);
    const data = compressedBytes < sizeBytes ? inflateSync(stored) : stored;
    return { tag: entry.subarray(0, 4), checksum: entry.readUInt32BE(16), data };
  });
  const directory = Buffer.alloc(12 + tableCount * 16);
  const power = 2 ** Math.floor(Math.log2(tableCount));
  directory.writeUInt32BE(file.readUInt32BE(4), 0);
  directory.writeUInt16BE(tableCount, 4);
  directory.writeUInt16BE(power * 16, 6);
  directory.writeUInt16BE(Math.log2(power), 8);
  directory.writeUInt16BE((tableCount - power) * 16, 10);
  const parts: Buffer[] = [directory];
  let end = directory.length;
  for (const [index, { tag, checksum, data }] of tables.entries()) {
    const at = 12 + index * 16;
    tag.copy(directory, at);
    directory.writeUInt32BE(checksum, at + 4);
    directory.writeUInt32BE(end, at + 8);
    directory.writeUInt32BE(data.length, at + 12);
    const padding = -data.length & 3;
    parts.push(data, Buffer.alloc(padding));
    end += data.length + padding;
  }
  return Buffer.concat(parts);
}
