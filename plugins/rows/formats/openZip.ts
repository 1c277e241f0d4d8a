import { Readable } from "node:stream";
import { fromRandomAccessReaderPromise, RandomAccessReader, type Entry, type ZipFile } from "yauzl";
import { PluginError } from "../../protocol/index.ts";
import type { ByteSource } from "./byteSource.ts";
import type { ReadOptions } from "./fileTable.ts";

/** The files in a zip archive. */
export interface Zip {
  has(path: string): boolean;
  /** Reads a file of the archive as decompressed chunks. */
  stream(path: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
}

const mostEntries = 10_000;
/** Maximum decompressed size of one file in bytes. */
const mostFileBytes = 2 ** 31;
/** Maximum compression ratio of a file that is larger than `suspectBytes`. Real workbooks stay below this ratio. */
const mostRatio = 200;
const suspectBytes = 2 ** 24;

/**
 * Opens a zip archive by reading its directory. Files are decompressed only when they are read.
 * @throws {PluginError} PLUGIN_UNREADABLE for bytes that are not an archive, and for files that exceed the limits when
 * they are decompressed
 */
export async function openZip({
  source,
  signal,
  budget,
}: Pick<ReadOptions, "source" | "signal" | "budget">): Promise<Zip> {
  const archive = await readable(() =>
    fromRandomAccessReaderPromise(new SourceReader(source, signal), source.sizeBytes, {
      lazyEntries: true,
      autoClose: false,
      validateEntrySizes: true,
    }),
  );
  const entries = new Map<string, Entry>();
  if (archive.entryCount > mostEntries) throw failed(`it has more than ${mostEntries} files`);
  await readable(async () => {
    for await (const entry of entriesOf(archive)) entries.set(entry.fileName.toLowerCase(), entry);
  });
  return {
    has: (path) => entries.has(path.toLowerCase()),
    async *stream(path, until) {
      const entry = entries.get(path.toLowerCase());
      if (!entry) throw failed(`it has no part ${path}`);
      refuseBomb(entry);
      const stream = await readable(() => archive.openReadStreamPromise(entry));
      try {
        const parts: AsyncIterable<Uint8Array> = stream;
        for await (const part of parts) {
          until.throwIfAborted();
          budget.take(part.length);
          yield part;
        }
      } catch (cause) {
        throw cause instanceof PluginError
          ? cause
          : failed("it is damaged or truncated", { cause });
      } finally {
        stream.destroy();
      }
    },
  };
}

async function* entriesOf(archive: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const entry = await new Promise<Entry | undefined>((resolve, reject) => {
      const settle = (run: () => void) => {
        archive.removeAllListeners();
        run();
      };
      archive.once("entry", (found: Entry) => settle(() => resolve(found)));
      archive.once("end", () => settle(() => resolve(undefined)));
      archive.once("error", (failure: Error) => settle(() => reject(failure)));
      archive.readEntry();
    });
    if (!entry) return;
    yield entry;
  }
}

function refuseBomb({ uncompressedSize, compressedSize, fileName }: Entry): void {
  const isGrown = uncompressedSize > suspectBytes && uncompressedSize > mostRatio * compressedSize;
  if (!isGrown && uncompressedSize <= mostFileBytes) return;
  throw failed(
    `its part ${JSON.stringify(fileName.slice(0, 100))} unpacks from ${compressedSize} to ${uncompressedSize} bytes, like a zip bomb`,
  );
}

/** Maximum bytes of a single read, such as a part of the directory. Larger ranges are streamed instead. */
const smallBytes = 2 ** 17;

/** Adapts a byte source to yauzl. */
class SourceReader extends RandomAccessReader {
  private readonly source: ByteSource;
  private readonly signal: AbortSignal;

  constructor(source: ByteSource, signal: AbortSignal) {
    super();
    this.source = source;
    this.signal = signal;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const { source, signal } = this;
    if (end - start > smallBytes) return Readable.from(source.stream(signal, start, end));
    return Readable.from(
      (async function* () {
        yield await source.read(start, end, signal);
      })(),
    );
  }
}

async function readable<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    if (cause instanceof PluginError) throw cause;
    const message = cause instanceof Error ? cause.message.slice(0, 200) : "";
    const reason = /end of central directory/i.test(message)
      ? "it is another kind of file, or it is truncated"
      : message;
    throw failed(`it cannot be read as a workbook: ${reason}`, { cause });
  }
}

function failed(detail: string, options?: ErrorOptions): PluginError {
  return new PluginError("PLUGIN_UNREADABLE", [detail], options);
}
