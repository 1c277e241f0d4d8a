import { Readable } from "node:stream";
import type { WrittenAnswer } from "../contracts/index.ts";

/**
 * Makes a body of chunks that are written as the client reads them: one that is slow holds back the writing, one that
 * goes ends it. An answer of one chunk is whole at once.
 * @throws what writing the first two chunks throws
 */
export async function streamBody({ chunks }: WrittenAnswer): Promise<Buffer | string | Readable> {
  const writing = chunks[Symbol.asyncIterator]();
  const first = await writing.next();
  if (first.done) return "";
  const second = await writing.next();
  if (second.done) return bytesOf(first.value);
  return Readable.from(follow([first.value, second.value], writing), {
    objectMode: false,
    highWaterMark: 1,
  });
}

async function* follow(
  written: readonly (string | Uint8Array)[],
  writing: AsyncIterator<string | Uint8Array>,
): AsyncGenerator<Buffer> {
  try {
    for (const chunk of written) yield bytesOf(chunk);
    for (let next = await writing.next(); !next.done; next = await writing.next())
      yield bytesOf(next.value);
  } finally {
    await writing.return?.();
  }
}

function bytesOf(chunk: string | Uint8Array): Buffer {
  return typeof chunk === "string"
    ? Buffer.from(chunk)
    : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
