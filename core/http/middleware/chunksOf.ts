import type { Readable } from "node:stream";

/** Bytes that may wait for the consumer. */
const mostWaitingBytes = 2 ** 20;

/**
 * Yields the chunks of a stream of bytes as they arrive, and destroys the stream at the end. Node's own iterator joins
 * chunks that arrive together, which copies them. The bytes before a failure are yielded.
 * @throws the error of the stream
 */
export async function* chunksOf(stream: Readable): AsyncGenerator<Uint8Array, void> {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let ended: { readonly cause?: unknown } | undefined;
  let changed = Promise.withResolvers<void>();
  const end = (how: { readonly cause?: unknown }) => {
    ended ??= how;
    changed.resolve();
  };
  stream.on("data", (chunk: unknown) => {
    if (!(chunk instanceof Uint8Array)) {
      stream.destroy(new TypeError("the stream has text instead of bytes"));
      return;
    }
    waiting.push(chunk);
    waitingBytes += chunk.length;
    if (waitingBytes >= mostWaitingBytes) stream.pause();
    changed.resolve();
  });
  stream.on("end", () => end({}));
  stream.on("error", (cause) => end({ cause }));
  stream.on("close", () => end({ cause: new Error("the stream closed before its end") }));
  if (stream.errored) end({ cause: stream.errored });
  try {
    for (;;) {
      while (waiting.length > 0) {
        const chunks = waiting;
        [waiting, waitingBytes] = [[], 0];
        yield* chunks;
      }
      if (ended && "cause" in ended) throw ended.cause;
      if (ended) return;
      changed = Promise.withResolvers();
      stream.resume();
      await changed.promise;
    }
  } finally {
    stream.destroy();
  }
}
