import { PluginError } from "../../protocol/index.ts";
import { columnNames } from "./columnNames.ts";
import { findSeparator } from "./findSeparator.ts";
import { readCsv } from "./readCsv.ts";
import type { RowBlock } from "../rowDriver.ts";
import type { FileTable, OpenTables, ReadOptions } from "./fileTable.ts";
import { textOf } from "./textOf.ts";

/** Number of characters at the start of a file in which its separator and its header are searched. */
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
    "it is empty; the first row of a file of separated values must have the names of the columns",
  ]);
}

interface Shape {
  readonly separator: string;
  readonly width: number;
  readonly wanted: readonly number[];
}

async function* rowsOf(
  options: ReadOptions,
  { separator, width, wanted }: Shape,
  signal: AbortSignal,
): AsyncGenerator<RowBlock> {
  let isHeader = options.settings.hasHeader;
  for await (const { records, lines } of readCsv(textOf(options, signal), separator)) {
    const from = isHeader ? 1 : 0;
    isHeader = false;
    options.budget.take(cellBytes * records.length * width);
    const rows: (string | null)[][] = [];
    for (let index = from; index < records.length; index++) {
      const record = records[index]!;
      if (record.length !== width)
        throw new PluginError("PLUGIN_UNREADABLE", [
          `line ${lines[index]} has ${record.length} cells; it must have ${width}`,
        ]);
      rows.push(wanted.map((column) => record[column] ?? null));
    }
    yield { rows, placeOf: (index) => `line ${lines[index + from]}` };
  }
}
