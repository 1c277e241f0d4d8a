import { Readable } from "node:stream";
import type { WrittenAnswer } from "../../base/index.ts";

/**
 * Creates a response body from chunks, which are written as the client reads them. A slow client slows the writer down,
 * and a disconnect cancels it. A response with a single chunk is completed at once. Strings are passed to the socket,
 * which encodes them.
 * @throws the errors of writing the first two chunks
 */
export async function streamBody({ chunks }: WrittenAnswer): Promise<Buffer | string | Readable> {
  const writing = chunks[Symbol.asyncIterator]();
  const first = await writing.next();
  if (first.done) return "";
  const second = await writing.next();
  if (second.done) return typeof first.value === "string" ? first.value : bufferOf(first.value);
  return Readable.from(follow([first.value, second.value], writing), { highWaterMark: 1 });
}

async function* follow(
  written: readonly (string | Uint8Array)[],
  writing: AsyncIterator<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  try {
    yield* written;
    for (let next = await writing.next(); !next.done; next = await writing.next()) yield next.value;
  } finally {
    await writing.return?.();
  }
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
