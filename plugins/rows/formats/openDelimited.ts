import { PluginError } from "../../protocol/index.ts";
import { columnNames } from "./columnNames.ts";
import { findSeparator } from "./findSeparator.ts";
import { mostRecordLength, readCsv, readRecords, tooLong, type CsvBlock } from "./readCsv.ts";
import type { RowBlock } from "../rowDriver.ts";
import type { ColumnSink } from "./columnSink.ts";
import { chunkPaddingBytes, CsvColumns } from "./csvColumns.ts";
import type { FileTable, OpenTables, ReadOptions } from "./fileTable.ts";
import { textOf, utf8Of } from "./textOf.ts";

/** Number of characters at the start of a file from which the separator and the header are detected. */
const startLength = 256 * 1024;
/** Minimum size of a decoded cell in bytes. */
const cellBytes = 8;

/**
 * Opens a file of separated values. The separator comes from the account, from the file name extension or from the
 * first rows; if it was detected from the rows, a note names it.
 */
export const openDelimited: OpenTables = async (options) => {
  const { settings, format, signal } = options;
  const start = await startOf(textOf(options, signal));
  const declared = settings.separator ?? format.separator;
  const separator = declared ?? (await findSeparator(start, settings.forms));
  const first = await firstRecord(start, separator);
  const header = settings.hasHeader
    ? first.map((cell) => cell ?? "")
    : first.map((_, index) => `column ${index + 1}`);
  const { names, notes } = columnNames(header);
  const table: FileTable = {
    columns: names.map((id) => ({ id })),
    textsSpellNumbers: true,
    notes: [
      ...(declared === undefined
        ? [`the cells are separated by ${JSON.stringify(separator)}`]
        : []),
      ...notes,
    ],
    rows: (wanted, _, until) => rowsOf(options, { separator, width: names.length, wanted }, until),
    writeColumns: (sink, _, until) =>
      writeColumns(options, { separator, width: names.length }, sink, until),
  };
  return [table];
};

async function startOf(parts: AsyncIterable<string>): Promise<string> {
  let start = "";
  for await (const part of parts) {
    start += part;
    if (start.length >= startLength) break;
  }
  return start;
}

async function firstRecord(start: string, separator: string): Promise<readonly (string | null)[]> {
  const parts = (async function* () {
    yield start.slice(0, startLength);
  })();
  for await (const { records } of readCsv(parts, separator)) return records[0] ?? [];
  throw new PluginError("PLUGIN_UNREADABLE", [
    "it is empty; the first row of a file of separated values must contain the names of the columns",
  ]);
}

interface Shape {
  readonly separator: string;
  readonly width: number;
}

async function* rowsOf(
  options: ReadOptions,
  { separator, width, wanted }: Shape & { readonly wanted: readonly number[] },
  signal: AbortSignal,
): AsyncGenerator<RowBlock> {
  let isHeader = options.settings.hasHeader;
  for await (const block of readCsv(textOf(options, signal), separator)) {
    options.budget.take(cellBytes * block.records.length * width);
    yield rowBlock(block, isHeader ? 1 : 0, width, wanted);
    isHeader = false;
  }
}

/** Converts records from the index `from` on to rows with the wanted cells. */
function rowBlock(
  { records, lines }: CsvBlock,
  from: number,
  width: number,
  wanted: readonly number[],
): RowBlock {
  const rows: (string | null)[][] = [];
  for (let index = from; index < records.length; index++) {
    const record = records[index]!;
    if (record.length !== width)
      throw new PluginError("PLUGIN_UNREADABLE", [
        `line ${lines[index]} has ${record.length} cells; it must have ${width}`,
      ]);
    rows.push(wanted.map((column) => record[column] ?? null));
  }
  return { rows, placeOf: (index) => `line ${lines[index + from]}` };
}

/**
 * Writes the columns of all records to a sink, chunk by chunk. Chunks that contain anything unusual are parsed by
 * `readCsv`, which decides what is an error.
 */
async function writeColumns(
  options: ReadOptions,
  { separator, width }: Shape,
  sink: ColumnSink,
  signal: AbortSignal,
): Promise<void> {
  const { budget, settings } = options;
  const columns = new CsvColumns({ separator, width, sink });
  const wanted = sink.wanted.map(({ index }) => index);
  let isHeader = settings.hasHeader;
  /** The first bytes of a record that continues in the next chunk. */
  let rest: Uint8Array = new Uint8Array();
  let line = 1;

  /** Parses a chunk as strings. Its first `takenCount` rows are already in the sink. Returns the rest. */
  const parseText = async (chunk: Uint8Array, takenCount: number, isLast: boolean) => {
    const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString("utf8");
    const { block, end, nextLine } = readRecords(text, separator, line, isLast);
    if (!isLast && text.length - end > mostRecordLength) throw tooLong(nextLine);
    line = nextLine;
    if (block.records.length > 0) {
      budget.take(cellBytes * block.records.length * width);
      await sink.addRows(rowBlock(block, isHeader ? 1 : 0, width, wanted), takenCount);
      isHeader = false;
    }
    return isLast ? new Uint8Array() : Buffer.from(text.slice(end));
  };
  /** Parses a chunk, which ends at `end` in its buffer. Returns the rest. */
  const parseChunk = async (chunk: Buffer, end: number): Promise<Uint8Array> => {
    const before = sink.totalRows;
    columns.open(chunk, end, line);
    let parsed = isHeader ? columns.skipRecord() : "more";
    while (parsed === "more") {
      parsed = columns.parse();
      if (parsed === "more") await sink.flush();
    }
    const rowCount = sink.totalRows - before;
    if (parsed === "doubt") return parseText(chunk.subarray(0, end), rowCount, false);
    const left = chunk.subarray(columns.at, end);
    if (left.length > mostRecordLength && left.toString("utf8").length > mostRecordLength)
      throw tooLong(columns.line);
    const recordCount = rowCount + (isHeader && columns.isSkipped ? 1 : 0);
    budget.take(cellBytes * recordCount * width);
    if (recordCount > 0) isHeader = false;
    line = columns.line;
    return left;
  };
  for await (const part of utf8Of(options, signal)) {
    signal.throwIfAborted();
    const end = rest.length + part.length;
    const chunk = Buffer.allocUnsafe(end + chunkPaddingBytes);
    chunk.set(rest);
    chunk.set(part, rest.length);
    rest = await parseChunk(chunk, end);
    await sink.flushIfLate();
  }
  await parseText(rest, 0, true);
}
