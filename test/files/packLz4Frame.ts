/** Bytes per block. Small blocks make matches refer to earlier blocks. */
const blockBytes = 64;
/** Minimum number of bytes that a match copies. */
const leastMatch = 4;
/** Literals that end each block: LZ4 allows no match in its last bytes. */
const lastLiterals = 12;

/**
 * Packs bytes into an LZ4 frame whose blocks refer to earlier blocks. The header's checksum is not valid, because it
 * would need another hash, and our reader does not compare it.
 */
export function packLz4Frame(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [Uint8Array.of(0x04, 0x22, 0x4d, 0x18, 0x40, 0x40, 0)];
  for (let from = 0; from < bytes.length; from += blockBytes) {
    const packed = packBlock(bytes, from, Math.min(bytes.length, from + blockBytes));
    const head = new Uint8Array(4);
    new DataView(head.buffer).setUint32(0, packed.length, true);
    parts.push(head, packed);
  }
  parts.push(new Uint8Array(4));
  return new Uint8Array(Buffer.concat(parts));
}

/** Packs bytes into a single LZ4 block. Takes about a microsecond per byte. */
export function packLz4Block(bytes: Uint8Array): Uint8Array {
  return packBlock(bytes, 0, bytes.length);
}

function packBlock(bytes: Uint8Array, from: number, to: number): Uint8Array {
  const packed: number[] = [];
  let literalStart = from;
  const write = (at: number, distance: number, length: number) => {
    const literalCount = at - literalStart;
    const extra = length - leastMatch;
    packed.push((Math.min(15, literalCount) << 4) | (distance === 0 ? 0 : Math.min(15, extra)));
    pushLength(packed, literalCount);
    packed.push(...bytes.subarray(literalStart, at));
    if (distance === 0) return;
    packed.push(distance & 255, distance >> 8);
    pushLength(packed, extra);
    literalStart = at + length;
  };
  for (let at = from; at < to - lastLiterals; at++) {
    const { distance, length } = longestMatch(bytes, at, to - lastLiterals);
    if (length < leastMatch) continue;
    write(at, distance, length);
    at += length - 1;
  }
  write(to, 0, 0);
  return Uint8Array.from(packed);
}

/** Writes the part of a length that does not fit into the four bits of a token. */
function pushLength(packed: number[], length: number): void {
  if (length < 15) return;
  let rest = length - 15;
  for (; rest >= 255; rest -= 255) packed.push(255);
  packed.push(rest);
}

function longestMatch(bytes: Uint8Array, at: number, end: number) {
  let best = { distance: 0, length: 0 };
  for (let distance = 1; distance <= Math.min(at, 300); distance++) {
    let length = 0;
    while (at + length < end && bytes[at + length] === bytes[at + length - distance]) length++;
    if (length > best.length) best = { distance, length };
  }
  return best;
}
