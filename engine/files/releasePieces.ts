/** Smaller pieces may be part of memory that Node.js shares out, and are soon collected anyway. */
const largeBytes = 2 ** 16;

/**
 * Frees pieces that nobody reads any more, at once. Otherwise V8 would keep them until its next full collection, which
 * starts after 64 MiB of them. Pieces that share their memory with others are left alone.
 */
export function releasePieces(pieces: readonly Uint8Array[]): void {
  for (const piece of pieces) {
    const { buffer, byteLength } = piece;
    const isWhole = byteLength >= largeBytes && byteLength === buffer.byteLength;
    if (isWhole && buffer instanceof ArrayBuffer && !Buffer.isBuffer(piece) && !buffer.detached)
      buffer.transfer(0);
  }
}
