import { availableParallelism } from "node:os";
import {
  packedHierarchy,
  PluginError,
  type AppendRows,
  type Batch,
  type Call,
  type Column,
  type QueryCall,
} from "../../protocol/index.ts";
import { credentialsKey } from "../../sql/index.ts";
import { joinBatches } from "./joinBatches.ts";
import { openReader, openReaderPool, unreadable, type Reader } from "../readers/index.ts";
import type { ByteSource, FoundData } from "./byteSource.ts";
import type {
  DescribedSheet,
  FileItem,
  FileNeed,
  FilePlace,
  FileRequest,
  FileSupply,
} from "./fileMessages.ts";
import type { SentBatch } from "./sentBatch.ts";
import { readSettings } from "./settings.ts";

export interface FileReadersOptions {
  /** Maximum resident memory of a reader process in bytes. A process that exceeds it is stopped. */
  readonly memoryBytes?: number;
  /**
   * Maximum time in milliseconds to wait for a free reader process. The same limit applies, separately, to describing a
   * file.
   */
  readonly timeoutMs: number;
}

export interface FileReading {
  readonly file: FoundData;
  readonly call: QueryCall;
  /** Name of the sheet in a workbook. */
  readonly sheet?: string;
  readonly known: readonly Column[];
  /** Maximum size of the answer, in bytes. */
  readonly sizeBytes: number;
  /** Receives rows in parts before the answer is complete. The answer then contains only the remaining rows. */
  readonly append?: AppendRows;
}

/** Reads files of rows in separate processes. All untrusted files are parsed behind this interface. */
export interface FileReaders {
  /**
   * Describes the tables of a file.
   * @throws {PluginError} PLUGIN_UNREADABLE for a damaged file, or a file that exceeds the limits of memory, time or
   * decompressed bytes; PLUGIN_BUSY if no reader process became free
   */
  describe(file: FoundData, call: Call): Promise<readonly DescribedSheet[]>;
  /**
   * Reads the columns that a query needs.
   * @throws {PluginError} the errors of `describe` and `readTable`
   */
  read(reading: FileReading): Promise<Batch>;
  /** Returns the ids of the running processes. */
  pids(): readonly number[];
  close(): Promise<void>;
}

type FileReader = Reader<FileRequest, FileItem, FileNeed, FileSupply>;

const usualMemoryBytes = 2 ** 30;
/** Maximum milliseconds to describe a file. Reading the rows of a file is limited only by the deadline of the call. */
const describeMs = 60_000;
/** Maximum number of reader processes. Parsing uses a whole processor, and the host also needs a processor. */
const mostReaders = Math.max(4, Math.min(8, availableParallelism()));

/** Opens file readers. A process starts with the first call, and later calls of the same organization reuse it. */
export function openFileReaders({
  memoryBytes = usualMemoryBytes,
  timeoutMs,
}: FileReadersOptions): FileReaders {
  const pool = openReaderPool<FileReader>({
    source: "files",
    open: () => openReader({ module: new URL("./fileReader", import.meta.url), memoryBytes }),
    most: mostReaders,
    idleMs: 30_000,
    waitMs: timeoutMs / 2,
  });
  const items = async ({ file, call, signal, requestOf, take }: ReaderCall): Promise<void> => {
    const owner = call.tenant?.organization ?? credentialsKey(call.credentials);
    try {
      await pool.use(owner, signal, async (reader) => {
        const place = await openAsPlace(file, signal);
        try {
          const request = requestOf(place.place);
          for await (const item of reader.call(request, { signal, ...place }))
            await take(item, () => reader.release(item));
        } finally {
          await place.close();
        }
      });
    } catch (thrown) {
      throw unreadable(thrown);
    }
  };
  return {
    async describe(file, call) {
      const limitMs = Math.min(describeMs, timeoutMs);
      const late = AbortSignal.timeout(limitMs);
      const found: DescribedSheet[] = [];
      const { format, sampleBytes } = file;
      const settings = readSettings({ properties: file.settings ?? call.credentials.properties });
      try {
        await items({
          file,
          call,
          signal: AbortSignal.any([call.signal, late]),
          requestOf: (place) => ({
            kind: "describe",
            file: { format, sampleBytes, place },
            settings,
          }),
          async take(item) {
            if (item.kind === "tables") found.push(...item.tables);
          },
        });
      } catch (thrown) {
        if (!late.aborted || call.signal.aborted) throw thrown;
        throw new PluginError("PLUGIN_UNREADABLE", [
          `describing it took longer than ${limitMs / 1000} s`,
        ]);
      }
      return found;
    },
    async read({ file, call, sheet, known, sizeBytes, append }) {
      const { query, dataset, signal } = call;
      const { format, sampleBytes } = file;
      const settings = readSettings({ properties: file.settings ?? call.credentials.properties });
      const kept: Batch[] = [];
      let last: { readonly rows: Batch; readonly share: number | undefined } | undefined;
      await items({
        file,
        call,
        signal,
        requestOf: (place) => ({
          kind: "read",
          file: { format, sampleBytes, place },
          settings,
          ...(sheet !== undefined && { sheet }),
          known,
          query,
          ...(dataset && { dataset }),
          sizeBytes,
        }),
        async take(item, release) {
          if (item.kind !== "rows") return;
          if (last && append) await append(last.rows, last.share);
          else if (last) kept.push(last.rows);
          last = { rows: { ...received(item.rows), release }, share: item.share };
        },
      });
      if (!last) throw new PluginError("PLUGIN_BUG", ["a file reader ended without an answer"]);
      return joinBatches([...kept, last.rows]);
    },
    pids: pool.pids,
    close: pool.close,
  };
}

/** Converts rows from a reader to the form of the protocol. Creates no strings. */
function received({ rowCount, columns }: SentBatch): Batch {
  return {
    rowCount,
    columns: columns.map((column) =>
      column.type === "hierarchy" ? packedHierarchy(column.codes, column.utf8) : column,
    ),
  };
}

/** A request about a file, and a receiver for the answer. */
interface ReaderCall {
  readonly file: FoundData;
  readonly call: Call;
  readonly signal: AbortSignal;
  requestOf(place: FilePlace): FileRequest;
  /** `release` makes the memory of the item's arrays available to later items. */
  take(item: FileItem, release: () => void): Promise<void>;
}

interface OpenPlace {
  readonly place: FilePlace;
  readonly supply?: (need: FileNeed, signal: AbortSignal) => Promise<FileSupply>;
  close(): Promise<void>;
}

/**
 * Returns the form in which a file is passed to a reader. The reader opens files on disk itself. The host supplies the
 * bytes of other files, because only the host has the credentials.
 */
async function openAsPlace(file: FoundData, signal: AbortSignal): Promise<OpenPlace> {
  if (file.place.kind === "local") return { place: file.place, close: async () => {} };
  const source = await file.place.open(signal);
  const streams = new Map<number, AsyncIterator<Uint8Array>>();
  return {
    place: { kind: "remote", sizeBytes: source.sizeBytes },
    supply: (need, until) => supply(need, source, streams, until),
    async close() {
      for (const stream of streams.values()) await stream.return?.();
      await source.close();
    },
  };
}

async function supply(
  need: FileNeed,
  source: ByteSource,
  streams: Map<number, AsyncIterator<Uint8Array>>,
  signal: AbortSignal,
): Promise<FileSupply> {
  switch (need.kind) {
    case "part":
      return { bytes: await source.read(need.from, need.to, signal) };
    case "open":
      streams.set(need.streamId, source.stream(signal, need.from, need.to)[Symbol.asyncIterator]());
      return {};
    case "next": {
      const next = await streams.get(need.streamId)?.next();
      return next && !next.done ? { bytes: next.value } : {};
    }
    case "close":
      await streams.get(need.streamId)?.return?.();
      streams.delete(need.streamId);
      return {};
  }
}
