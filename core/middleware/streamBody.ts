import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { WrittenAnswer } from "../writtenAnswer.ts";

/**
 * Makes a body of chunks that are written as the client reads them: one that is slow holds back the writing, one that goes ends it. An answer
 * of one chunk is whole at once. Between chunks other requests have their turn.
 * @throws what writing the first two chunks throws
 */
export function streamBody({ chunks }: WrittenAnswer): Buffer | string | Readable {
  const writing = chunks[Symbol.iterator]();
  const first = writing.next();
  if (first.done) return "";
  const second = writing.next();
  if (second.done) return bytesOf(first.value);
  return Readable.from(inTurns([first.value, second.value], writing), {
    objectMode: false,
    highWaterMark: 1,
  });
}

async function* inTurns(
  written: readonly (string | Uint8Array)[],
  writing: Iterator<string | Uint8Array>,
): AsyncGenerator<Buffer> {
  try {
    for (const chunk of written) yield bytesOf(chunk);
    for (let next = writing.next(); !next.done; next = writing.next()) {
      yield bytesOf(next.value);
      await setImmediate();
    }
  } finally {
    writing.return?.();
  }
}

function bytesOf(chunk: string | Uint8Array): Buffer {
  return typeof chunk === "string"
    ? Buffer.from(chunk)
    : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
