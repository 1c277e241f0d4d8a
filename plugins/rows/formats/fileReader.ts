import { PluginError } from "../../protocol/index.ts";
import { remediesIn } from "../correctableError.ts";
import { columnOf } from "../readTable.ts";
import { serveReader, type ServedCall } from "../serving/index.ts";
import type { ByteSource } from "./byteSource.ts";
import { columnForms } from "./columnForms.ts";
import { ColumnSink } from "./columnSink.ts";
import type { SentBatch } from "./sentBatch.ts";
import { describeTable } from "./describeTable.ts";
import type {
  DescribedSheet,
  FileItem,
  FileNeed,
  FilePlace,
  FileRequest,
  FileSupply,
} from "./fileMessages.ts";
import type { FileTable, OpenTables, ReadOptions } from "./fileTable.ts";
import type { Format } from "./formats.ts";
import { remark } from "./fileNote.ts";
import { openLocalFile } from "./openLocalFile.ts";
import { readAhead } from "./readAhead.ts";
import { createUnpackBudget } from "./unpackBudget.ts";

/* This module runs in a separate process, so a file that crashes its parser does not affect the host. */

/**
 * Maximum bytes to request in one message. Larger parts are streamed, so that the host never has a whole part in
 * memory.
 */
const wholeBytes = 2 ** 20;

type FileCall = ServedCall<FileItem, FileNeed, FileSupply>;

/** Opens files of each format. The module of a format is loaded when its first file is opened. */
const openers: Readonly<Record<Format["kind"], () => Promise<OpenTables>>> = {
  delimited: async () => (await import("./openDelimited.ts")).openDelimited,
  json: async () => (await import("./openJson.ts")).openJson,
  jsonLines: async () => (await import("./openJson.ts")).openJson,
  parquet: async () => (await import("./openParquet.ts")).openParquet,
  arrow: async () => (await import("./openArrow.ts")).openArrow,
  xlsx: async () => (await import("./openXlsx.ts")).openXlsx,
};

async function serve(request: FileRequest, call: FileCall): Promise<void> {
  const { file, settings } = request;
  const opened = await openPlace(file.place, file.format, call);
  let receivedBytes = 0;
  const source: ByteSource = {
    ...opened,
    async *stream(signal, from, to) {
      for await (const part of opened.stream(signal, from, to)) {
        receivedBytes += part.length;
        yield part;
      }
    },
    async read(from, to, signal) {
      const bytes = await opened.read(from, to, signal);
      receivedBytes += bytes.length;
      return bytes;
    },
  };
  // A server may announce any size, so the budget counts only bytes that were received.
  const packedBytes = () => (file.place.kind === "local" ? source.sizeBytes : receivedBytes);
  try {
    const budget = createUnpackBudget(packedBytes);
    const options: ReadOptions = {
      source,
      format: file.format,
      settings,
      sampleBytes: settings.isWholeSample ? Infinity : file.sampleBytes,
      signal: call.signal,
      budget,
      ...(request.kind === "read" && { known: request.known }),
      ...(request.kind === "read" && request.sheet !== undefined && { sheet: request.sheet }),
    };
    const open = await openers[file.format.kind]();
    const tables = await open(options);
    const readShare = () => Math.min(1, receivedBytes / source.sizeBytes);
    if (request.kind === "read") await readRows(request, tables, { ...call, readShare });
    else {
      const described: DescribedSheet[] = [];
      for (const table of tables) {
        const { sheet } = table;
        const before = receivedBytes + budget.takenBytes;
        const readBytes = () => receivedBytes + budget.takenBytes - before;
        const found = await describeTable(table, options, readBytes).catch((failure: unknown) => {
          // A sheet that cannot be read does not hide the other sheets of its workbook.
          const isFatal = tables.length === 1 || budget.isExceeded;
          if (isFatal || !(failure instanceof PluginError)) throw failure;
          return {
            columns: [],
            seen: [],
            notes: [{ ...remark(failure.message), remedies: remediesIn(failure) }],
          };
        });
        described.push({ ...found, ...(sheet !== undefined && { sheet }) });
      }
      await call.send({ kind: "tables", tables: described });
    }
    await source.check();
  } finally {
    await source.close();
  }
}

async function readRows(
  request: FileRequest & { readonly kind: "read" },
  tables: readonly FileTable[],
  { signal, send, readShare }: FileCall & { readonly readShare: () => number },
): Promise<void> {
  const { sheet, known, query, dataset, settings, sizeBytes } = request;
  const found = tables.find((each) => each.sheet === sheet);
  if (!found) throw new PluginError("PLUGIN_UNKNOWN_DATASET", [query.id]);
  const knownById = new Map([...known, ...(dataset?.columns ?? [])].map((each) => [each.id, each]));
  const columns = found.columns.map(({ forms: detected, ...own }) => {
    const { id } = own;
    const type = knownById.get(id)?.type ?? own.type ?? "hierarchy";
    const subtype = knownById.get(id)?.subtype ?? own.subtype;
    const column = { id, type, ...(subtype && { subtype }) };
    return {
      ...column,
      forms: columnForms({ ...column, ...(detected && { forms: detected }) }, settings),
    };
  });
  let sentCount = 0;
  // A format that states the number of rows reads only some bytes of its file, or reads them in another order.
  const shareOf = ({ rowCount }: SentBatch) => {
    sentCount += rowCount;
    return found.rowCount === undefined ? readShare() : Math.min(1, sentCount / found.rowCount);
  };
  const sink = new ColumnSink({
    wanted: query.columns.map(({ column_id }) =>
      columnOf({ columns }, query.id, column_id, dataset),
    ),
    datasetId: query.id,
    sizeBytes,
    send: (rows) => send({ kind: "rows", rows, share: shareOf(rows) }),
  });
  const indexes = sink.wanted.map(({ index }) => index);
  const isDistinct = new Set(indexes).size === indexes.length;
  if (found.writeColumns && isDistinct) await found.writeColumns(sink, query.filters, signal);
  else {
    for await (const block of found.rows(indexes, query.filters, signal)) {
      signal.throwIfAborted();
      await sink.addRows(block);
    }
  }
  await sink.flush();
}

async function openPlace(place: FilePlace, { kind }: Format, call: FileCall): Promise<ByteSource> {
  if (place.kind === "local") return openLocalFile(place.path, place.version);
  const source = suppliedSource(place.sizeBytes, call);
  return kind === "parquet" ? source : readAhead(source);
}

/** Creates a source for a file whose bytes the host fetches from an address or an upload. */
function suppliedSource(sizeBytes: number, { need }: FileCall): ByteSource {
  let nextStream = 0;
  async function* stream(signal: AbortSignal, from?: number, to?: number) {
    const streamId = nextStream++;
    const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    await need({ kind: "open", streamId, ...range });
    try {
      for (;;) {
        signal.throwIfAborted();
        const { bytes } = await need({ kind: "next", streamId });
        if (!bytes) return;
        yield bytes;
      }
    } finally {
      // When a call is stopped, the host itself closes the streams of the call.
      if (!signal.aborted) await need({ kind: "close", streamId });
    }
  }
  async function read(from: number, to: number, signal: AbortSignal): Promise<Uint8Array> {
    const end = Math.min(to, sizeBytes);
    if (end - from <= wholeBytes)
      return (await need({ kind: "part", from, to: end })).bytes ?? new Uint8Array();
    const parts: Uint8Array[] = [];
    for await (const part of stream(signal, from, end)) parts.push(part);
    return Buffer.concat(parts);
  }
  return {
    sizeBytes,
    stream,
    read,
    check: async () => undefined,
    close: async () => undefined,
  };
}

serveReader<FileRequest, FileItem, FileNeed, FileSupply>(serve);
