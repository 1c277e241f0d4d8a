/**
 * Minimum bytes of a piece to free. Smaller pieces may lie in memory that Node.js shares with other buffers, and are
 * collected soon anyway.
 */
const largeBytes = 2 ** 16;

/**
 * Immediately frees pieces that nobody reads any more. Otherwise V8 would keep them until its next full collection,
 * which starts after 64 MiB of such pieces. Pieces that share their memory with others are not freed.
 */
export function releasePieces(pieces: readonly Uint8Array[]): void {
  for (const piece of pieces) {
    const { buffer, byteLength } = piece;
    const isWhole = byteLength >= largeBytes && byteLength === buffer.byteLength;
    if (isWhole && buffer instanceof ArrayBuffer && !Buffer.isBuffer(piece) && !buffer.detached)
      buffer.transfer(0);
  }
}
