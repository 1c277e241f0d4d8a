import { PluginError } from "../../protocol/index.ts";
import { columnNames } from "./columnNames.ts";
import { detectForms } from "./detectForms.ts";
import { areNumbers, findHeader } from "./findHeader.ts";
import { findSeparator } from "./findSeparator.ts";
import { foundSettings } from "./foundSettings.ts";
import { mostRecordLength, readCsv, readRecords, tooLong, type CsvBlock } from "./readCsv.ts";
import type { RowBlock } from "../rowDriver.ts";
import type { ColumnSink } from "./columnSink.ts";
import { chunkPaddingBytes, CsvColumns } from "./csvColumns.ts";
import type { FileTable, OpenTables, ReadOptions } from "./fileTable.ts";
import { textOf, utf8Of } from "./textOf.ts";

/** Number of characters at the start of a file from which the separator, the header and the forms are detected. */
const startLength = 256 * 1024;
/** Minimum size of a decoded cell in bytes. */
const cellBytes = 8;

/**
 * Opens a file of separated values. The separator comes from the account, from the file name extension or from the
 * first rows, and the forms of numbers and dates from the first rows. Notes say what was detected.
 */
export const openDelimited: OpenTables = async (options) => {
  const { settings, format, signal } = options;
  const start = await startOf(options, signal);
  // Excel reads the separator from a first line such as `sep=;`.
  const [, stated] = /^sep=([^\r\n"])\r?\n/.exec(start.text) ?? [];
  const declared = settings.separator ?? stated ?? format.separator;
  const separator = declared ?? findSeparator(start.text, start.isWhole, settings.forms);
  const skippedLines = settings.skippedRows + (stated === undefined ? 0 : 1);
  const block = recordsOf(start, separator);
  const skippedRecords = block.lines.filter((line) => line <= skippedLines).length;
  const records = block.records.slice(skippedRecords);
  const [first] = records;
  if (!first) throw noHeader(skippedLines);
  const headerNotes = settings.hasHeader ? checkHeader(block, skippedRecords) : [];
  const header = settings.hasHeader
    ? first.map((cell) => cell ?? "")
    : first.map((_, index) => `column ${index + 1}`);
  const { names, notes } = columnNames(header);
  const rows = settings.hasHeader ? records.slice(1) : records;
  const detected = detectForms(
    names.map((_, column) => rows.map((row) => row[column] ?? null)),
    { settings, separator },
  );
  const shape = {
    separator,
    width: names.length,
    skippedRecords: skippedRecords + (settings.hasHeader ? 1 : 0),
  };
  const table: FileTable = {
    columns: names.map((id, index) => ({ id, ...detected[index] })),
    textsSpellNumbers: true,
    found: foundSettings({ settings, separator, encoding: start.encoding, forms: detected }),
    notes: [
      ...(settings.encoding === undefined && start.encoding !== "utf-8"
        ? [`the encoding is ${start.encoding}`]
        : []),
      ...(declared === undefined
        ? [`the cells are separated by ${JSON.stringify(separator)}`]
        : []),
      ...headerNotes,
      ...notes,
    ],
    rows: (wanted, _, until) => rowsOf(options, { ...shape, wanted }, until),
    // The fast parser compares bytes, so it reads only separators of one byte.
    ...(separator.charCodeAt(0) < 128 && {
      writeColumns: (sink: ColumnSink, _: unknown, until: AbortSignal) =>
        writeColumns(options, shape, sink, until),
    }),
  };
  return [table];
};

/** The first characters of a file. */
interface Start {
  readonly text: string;
  /** Whether these are all characters of the file. */
  readonly isWhole: boolean;
  readonly encoding: string;
}

async function startOf(options: ReadOptions, signal: AbortSignal): Promise<Start> {
  let text = "";
  let encoding = "utf-8";
  const found = (label: string) => void (encoding = label);
  for await (const part of textOf(options, signal, found)) {
    text += part;
    if (text.length > startLength) break;
  }
  return { text: text.slice(0, startLength), isWhole: text.length <= startLength, encoding };
}

/**
 * Parses the first records. The last record of a longer file may be incomplete and is left out if it is not the only
 * one.
 */
function recordsOf({ text, isWhole }: Start, separator: string): CsvBlock {
  const { block } = readRecords(text, separator, 1, isWhole);
  return block.records.length > 0 ? block : readRecords(text, separator, 1, true).block;
}

function noHeader(skippedLines: number): PluginError {
  return new PluginError("PLUGIN_UNREADABLE", [
    skippedLines === 0
      ? "it is empty; the first row of a file of separated values must contain the names of the columns"
      : `its first ${startLength.toLocaleString("en")} characters have no row after the ${skippedLines.toLocaleString("en")} lines to skip; set skip_rows to a smaller number`,
  ]);
}

/**
 * Returns remarks about a header that looks like a title or like values.
 * @throws {PluginError} PLUGIN_UNREADABLE if the first row has another number of cells than the row that looks like the
 * header
 */
function checkHeader(block: CsvBlock, skippedRecords: number): readonly string[] {
  const records = block.records.slice(skippedRecords);
  const [first = []] = records;
  const index = findHeader(records);
  const found = index === undefined ? undefined : records[index];
  if (index !== undefined && found) {
    const line = block.lines[skippedRecords + index] ?? 1;
    const remark = `line ${line} looks like the header; set skip_rows to ${line - 1}`;
    if (found.length === first.length) return [remark];
    throw new PluginError("PLUGIN_UNREADABLE", [
      `its first row has ${cellCount(first.length)}, but later rows have ${found.length}; ${remark}`,
    ]);
  }
  return records.length > 1 && areNumbers(first)
    ? ["all column names are numbers; if the first row contains values, set header to false"]
    : [];
}

const cellCount = (count: number): string => (count === 1 ? "1 cell" : `${count} cells`);

interface Shape {
  readonly separator: string;
  readonly width: number;
  /** Number of records before the first row of values. */
  readonly skippedRecords: number;
}

async function* rowsOf(
  options: ReadOptions,
  { separator, width, skippedRecords, wanted }: Shape & { readonly wanted: readonly number[] },
  signal: AbortSignal,
): AsyncGenerator<RowBlock> {
  let left = skippedRecords;
  for await (const block of readCsv(textOf(options, signal), separator)) {
    options.budget.take(cellBytes * block.records.length * width);
    const from = Math.min(left, block.records.length);
    left -= from;
    yield rowBlock(block, from, width, wanted);
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
  { separator, width, skippedRecords }: Shape,
  sink: ColumnSink,
  signal: AbortSignal,
): Promise<void> {
  const { budget } = options;
  const columns = new CsvColumns({ separator, width, sink });
  const wanted = sink.wanted.map(({ index }) => index);
  let left = skippedRecords;
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
      const from = Math.min(left, block.records.length);
      left -= from;
      await sink.addRows(rowBlock(block, from, width, wanted), takenCount);
    }
    return isLast ? new Uint8Array() : Buffer.from(text.slice(end));
  };
  /** Parses a chunk, which ends at `end` in its buffer. Returns the rest. */
  const parseChunk = async (chunk: Buffer, end: number): Promise<Uint8Array> => {
    const before = sink.totalRows;
    columns.open(chunk, end, line);
    let parsed: ReturnType<CsvColumns["parse"]> = "more";
    let skippedCount = 0;
    while (skippedCount < left && parsed === "more") {
      parsed = columns.skipRecord();
      if (parsed === "more") skippedCount++;
    }
    while (parsed === "more") {
      parsed = columns.parse();
      if (parsed === "more") await sink.flush();
    }
    const rowCount = sink.totalRows - before;
    if (parsed === "doubt") return parseText(chunk.subarray(0, end), rowCount, false);
    const remaining = chunk.subarray(columns.at, end);
    if (remaining.length > mostRecordLength && remaining.toString("utf8").length > mostRecordLength)
      throw tooLong(columns.line);
    budget.take(cellBytes * (rowCount + skippedCount) * width);
    left -= skippedCount;
    line = columns.line;
    return remaining;
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
