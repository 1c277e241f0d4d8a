const lineFeed = 0x0a;
const quote = 0x22;

/**
 * Returns where the last complete record of the start of a text file ends, in bytes. Prefers a line end outside of
 * quotes; if there is none in the second half, uses the last line end. Returns the length if there is no line end.
 * O(bytes).
 */
export function sampleEnd(bytes: Uint8Array): number {
  let isQuoted = false;
  let lastLine = -1;
  let lastRecord = -1;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === quote) isQuoted = !isQuoted;
    else if (byte === lineFeed) {
      lastLine = index;
      if (!isQuoted) lastRecord = index;
    }
  }
  const end = lastRecord >= bytes.length / 2 ? lastRecord : lastLine;
  if (end < 0) return bytes.length;
  // In UTF-16 with the low byte first, a line feed has a second byte.
  const isWide = bytes[end + 1] === 0 && end % 2 === 0;
  return end + (isWide ? 2 : 1);
}
