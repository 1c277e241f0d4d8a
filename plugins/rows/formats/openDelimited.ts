import { PluginError } from "../../protocol/index.ts";
import { CorrectableError } from "../correctableError.ts";
import { remediesOf } from "../remedy.ts";
import { columnNames } from "./columnNames.ts";
import { detectForms } from "./detectForms.ts";
import { areNumbers, endOfComments, findHeader, isSecondHeader } from "./findHeader.ts";
import { findSeparator } from "./findSeparator.ts";
import { foundSettings } from "./foundSettings.ts";
import { mostRecordLength, readCsv, readRecords, tooLong, type CsvBlock } from "./readCsv.ts";
import type { RowBlock } from "../rowDriver.ts";
import type { ColumnSink } from "./columnSink.ts";
import { CsvColumns } from "./csvColumns.ts";
import type { FileNote } from "./fileNote.ts";
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
  const [, stated] = /^"?sep=([^\r\n"])"?\r?\n/.exec(start.text) ?? [];
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
    ? first.map((cell) => (cell ?? "").trim())
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
    namedWidth: header.findLastIndex((name) => name !== "") + 1,
    skippedRecords: skippedRecords + (settings.hasHeader ? 1 : 0),
  };
  const table: FileTable = {
    columns: names.map((id, index) => ({ id, ...detected[index] })),
    textsSpellNumbers: true,
    found: foundSettings({ settings, separator, encoding: start.encoding, forms: detected }),
    notes: [
      ...(settings.encoding === undefined && start.encoding !== "utf-8"
        ? [encodingNote(start.encoding)]
        : []),
      ...(declared === undefined ? [separatorNote(separator), ...otherSeparator(records)] : []),
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

const separatorNote = (separator: string): FileNote => ({
  kind: "remark",
  message: `the cells are separated by ${JSON.stringify(separator)}`,
  remedies: [{ setting: "separator" }],
});

/** Separators that are not detected, because they also occur within cells. */
const rareSeparators = [":", "^", "~", " ", "\u0001", "\u00a6", "\u00a7"];

/**
 * Returns a remark about a file of one column that another character may divide: a usual separator that occurs in every
 * row, or a rare one that divides every row into equally many parts.
 */
function otherSeparator(records: CsvBlock["records"]): readonly FileNote[] {
  if (records.length < 2 || records.some(({ length }) => length !== 1)) return [];
  const texts = records.map(([cell]) => (cell ?? "").trim());
  const partsBy = (separator: string) => new Set(texts.map((text) => text.split(separator).length));
  const found =
    [";", "\t", "|"].find((separator) => !partsBy(separator).has(1)) ??
    rareSeparators.find((separator) => {
      const counts = partsBy(separator);
      if (texts.length < 3 || counts.size > 1 || counts.has(1)) return false;
      // Names often have two words.
      return separator !== " " || texts.slice(1).every((text) => areNumbers(text.split(separator)));
    });
  if (found === undefined) return [];
  const shown = JSON.stringify(found);
  return [
    {
      kind: "remark",
      message: `it has one column, but every row contains ${shown}; if it separates the cells, set separator to ${shown}`,
      remedies: remediesOf("separator", [found]),
    },
  ];
}

const encodingNote = (encoding: string): FileNote => ({
  kind: "remark",
  message: `the encoding is ${encoding}`,
  remedies: [{ setting: "encoding" }],
});

function noHeader(skippedLines: number): PluginError {
  if (skippedLines === 0)
    return new PluginError("PLUGIN_UNREADABLE", [
      "it is empty; the first row of a file of separated values must contain the names of the columns",
    ]);
  return new CorrectableError(
    "PLUGIN_UNREADABLE",
    [
      `its first ${startLength.toLocaleString("en")} characters have no row after the ${skippedLines.toLocaleString("en")} lines to skip; set skip_rows to a smaller number`,
    ],
    { remedies: [{ setting: "skip_rows" }] },
  );
}

/**
 * Returns remarks about a header that looks like a title or like values.
 * @throws {PluginError} PLUGIN_UNREADABLE if the first row has another number of cells than the row that looks like the
 * header
 */
function checkHeader(block: CsvBlock, skippedRecords: number): readonly FileNote[] {
  const records = block.records.slice(skippedRecords);
  const [first = []] = records;
  const index = endOfComments(records) ?? findHeader(records);
  const found = index === undefined ? undefined : records[index];
  if (index !== undefined && found) {
    const line = block.lines[skippedRecords + index] ?? 1;
    const message = `line ${line} looks like the header; set skip_rows to ${line - 1}`;
    const remedies = remediesOf("skip_rows", [line - 1]);
    if (found.length === first.length) return [{ kind: "remark", message, remedies }];
    throw new CorrectableError(
      "PLUGIN_UNREADABLE",
      [
        `its first row has ${cellCount(first.length)}, but later rows have ${found.length}; ${message}`,
      ],
      { remedies },
    );
  }
  const [, second] = records;
  if (records.length > 2 && second && isSecondHeader(first, second)) {
    const line = block.lines[skippedRecords + 1] ?? 2;
    return [
      {
        kind: "remark",
        message: `line ${line} looks like a second row of column names; set skip_rows to ${line - 1} to use it instead`,
        remedies: remediesOf("skip_rows", [line - 1]),
      },
    ];
  }
  return records.length > 1 && areNumbers(first)
    ? [
        {
          kind: "remark",
          message:
            "all column names are numbers; if the first row contains values, set header to false",
          remedies: remediesOf("header", [false]),
        },
      ]
    : [];
}

const cellCount = (count: number): string => (count === 1 ? "1 cell" : `${count} cells`);

interface Shape {
  readonly separator: string;
  readonly width: number;
  /** Number of columns up to the last one with a name. A record may lack the cells of the columns after it. */
  readonly namedWidth: number;
  /** Number of records before the first row of values. */
  readonly skippedRecords: number;
}

async function* rowsOf(
  options: ReadOptions,
  { separator, skippedRecords, wanted, ...widths }: Shape & { readonly wanted: readonly number[] },
  signal: AbortSignal,
): AsyncGenerator<RowBlock> {
  let left = skippedRecords;
  for await (const block of readCsv(textOf(options, signal), separator)) {
    options.budget.take(cellBytes * block.records.length * widths.width);
    const from = Math.min(left, block.records.length);
    left -= from;
    yield rowBlock(block, from, widths, wanted);
  }
}

/** Converts records from the index `from` on to rows with the wanted cells. */
function rowBlock(
  { records, lines }: CsvBlock,
  from: number,
  { width, namedWidth }: Pick<Shape, "width" | "namedWidth">,
  wanted: readonly number[],
): RowBlock {
  const rows: (string | null)[][] = [];
  for (let index = from; index < records.length; index++) {
    const record = records[index]!;
    // Some programs end each row with a separator, except for the header, or only the header.
    const isFitting =
      record.length > width
        ? record.slice(width).every((cell) => cell === null)
        : record.length === width || (record.length >= namedWidth && namedWidth > 0);
    if (!isFitting)
      throw new PluginError("PLUGIN_UNREADABLE", [
        `line ${lines[index]} has ${cellCount(record.length)}; it must have ${width}`,
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
  { separator, width, namedWidth, skippedRecords }: Shape,
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
      await sink.addRows(rowBlock(block, from, { width, namedWidth }, wanted), takenCount);
    }
    return isLast ? new Uint8Array() : Buffer.from(text.slice(end));
  };
  /** Parses the rest of the last chunk, and the bytes that follow. Returns the rest. */
  const parseChunk = async (part: Uint8Array): Promise<Uint8Array> => {
    const before = sink.totalRows;
    const chunk = columns.open(rest, part, line);
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
    if (parsed === "doubt") return parseText(chunk, rowCount, false);
    const remaining = chunk.subarray(columns.at);
    if (remaining.length > mostRecordLength && remaining.toString("utf8").length > mostRecordLength)
      throw tooLong(columns.line);
    budget.take(cellBytes * (rowCount + skippedCount) * width);
    left -= skippedCount;
    line = columns.line;
    return remaining;
  };
  for await (const part of utf8Of(options, signal)) {
    signal.throwIfAborted();
    rest = await parseChunk(part);
    await sink.flushIfLate();
  }
  await parseText(rest, 0, true);
}
