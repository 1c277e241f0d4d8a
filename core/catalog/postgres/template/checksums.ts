const castagnoli = 0x82f6_3b78;

const table = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ castagnoli : value >>> 1;
  return value;
});

/** Returns the CRC-32C of bytes, with which PostgreSQL protects its control file. */
export function crc32c(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 255] ?? 0);
  return ~crc >>> 0;
}

export const pageBytes = 8_192;

/** Place of the checksum in a page. */
const checksumAt = 8;
const prime = 16_777_619;
/** `checksumBaseOffsets` of PostgreSQL's `storage/checksum_impl.h`. */
const offsets = [
  0x5b1f36e9, 0xb8525960, 0x02ab50aa, 0x1de66d2a, 0x79ff467a, 0x9bb9f8a3, 0x217e7cd2, 0x83e13d2c,
  0xf8d4474f, 0xe39eb970, 0x42c6ae16, 0x993216fa, 0x7b093b5d, 0x98daff3c, 0xf718902a, 0x0b1c9cdb,
  0xe58f764b, 0x187636bc, 0x5d7b3bb1, 0xe73de7de, 0x92bec979, 0xcca6c0b2, 0x304a0979, 0x85aa43d4,
  0x783125bb, 0x6ca8eaa2, 0xe407eac6, 0x4b5cfc3e, 0x9fbf8c76, 0x15ca20be, 0xf2ca9fd3, 0x959bd756,
];

/** Returns the checksum that PostgreSQL expects in a page of a table (`pg_checksum_page`). */
export function pageChecksum(page: Buffer, pageNumber: number): number {
  const sums = Int32Array.from(offsets);
  const add = (lane: number, value: number) => {
    const mixed = (sums[lane] ?? 0) ^ value;
    sums[lane] = Math.imul(mixed, prime) ^ (mixed >>> 17);
  };
  for (let at = 0; at < pageBytes; at += 4) {
    const value = page.readInt32LE(at);
    // The checksum itself counts as zero.
    add((at / 4) % offsets.length, at === checksumAt ? value & ~0xffff : value);
  }
  for (let round = 0; round < 2; round++) for (const lane of offsets.keys()) add(lane, 0);
  const folded = sums.reduce((all, sum) => all ^ sum, 0) ^ pageNumber;
  return ((folded >>> 0) % 65_535) + 1;
}

/** Returns the checksum that a page contains. */
export const readChecksum = (page: Buffer): number => page.readUInt16LE(checksumAt);

/** Writes the right checksum into a page. */
export function sealPage(page: Buffer, pageNumber: number): void {
  page.writeUInt16LE(pageChecksum(page, pageNumber), checksumAt);
}
