import { PluginError } from "../../protocol/index.ts";

/** Records of separated values, and the lines on which the records begin. */
export interface CsvBlock {
  /** The cells of each record. An unquoted empty cell is null; a quoted empty cell is the empty string. */
  readonly records: readonly (readonly (string | null)[])[];
  /** The line on which each record begins, counted from 1. */
  readonly lines: readonly number[];
}

/** Maximum number of characters per record. */
export const mostRecordLength = 2 ** 20;

const [quote, lineFeed, carriageReturn] = [34, 10, 13];

/**
 * Parses separated values as defined by RFC 4180: quoted cells may contain separators, line ends and doubled quotes.
 * Lines end with CRLF, LF or CR. A quote inside an unquoted cell is an ordinary character. Blank lines are skipped.
 * @throws {PluginError} PLUGIN_UNREADABLE for a quote that is not closed, text after a closing quote, or a record of
 * more than 1,048,576 characters; the message names the line
 */
export async function* readCsv(
  parts: AsyncIterable<string>,
  separator: string,
): AsyncGenerator<CsvBlock> {
  let rest = "";
  let line = 1;
  for await (const part of parts) {
    const { block, end, nextLine } = readRecords(rest + part, separator, line, false);
    const remaining = rest.length + part.length - end;
    if (remaining > mostRecordLength) throw tooLong(nextLine);
    rest = (rest + part).slice(end);
    line = nextLine;
    if (block.records.length > 0) yield block;
  }
  const { block } = readRecords(rest, separator, line, true);
  if (block.records.length > 0) yield block;
}

/** Returns the error of a record that is too long. */
export function tooLong(line: number): PluginError {
  return failed(
    line,
    `is longer than ${mostRecordLength.toLocaleString("en")} characters; a quote may not be closed, or the file has ` +
      "another format",
  );
}

function failed(line: number, what: string): PluginError {
  return new PluginError("PLUGIN_UNREADABLE", [`line ${line} ${what}`]);
}

interface ReadRecords {
  readonly block: CsvBlock;
  /** The position at which the first incomplete record begins. */
  readonly end: number;
  readonly nextLine: number;
}

/** Parses the complete records of a text. If `isLast` is set, the last record also counts as complete. */
export function readRecords(
  text: string,
  separator: string,
  firstLine: number,
  isLast: boolean,
): ReadRecords {
  const separatorCode = separator.charCodeAt(0);
  const records: (string | null)[][] = [];
  const lines: number[] = [];
  let [line, end, at] = [firstLine, 0, 0];
  const incomplete = () => ({ block: { records, lines }, end, nextLine: line });
  while (at < text.length) {
    const cells: (string | null)[] = [];
    let lineCount = 0;
    for (let isOpen = true; isOpen;) {
      if (text.charCodeAt(at) === quote) {
        let [from, close, cell] = [at + 1, -1, ""];
        for (;;) {
          close = text.indexOf('"', from);
          if (close < 0) {
            if (!isLast) return incomplete();
            throw failed(
              line + lineCount,
              "opens a quote that is not closed; the file may be truncated",
            );
          }
          if (close + 1 === text.length && !isLast) return incomplete();
          if (text.charCodeAt(close + 1) !== quote) break;
          cell += text.slice(from, close + 1);
          from = close + 2;
        }
        cell += text.slice(from, close);
        lineCount += lineEndsIn(cell);
        cells.push(cell);
        at = close + 1;
        const next = text.charCodeAt(at);
        const isEnd = at >= text.length || next === lineFeed || next === carriageReturn;
        if (!isEnd && next !== separatorCode)
          throw failed(
            line + lineCount,
            "has text after a closing quote; a quote inside a cell must be doubled",
          );
      } else {
        const from = at;
        let code = text.charCodeAt(at);
        while (
          code !== separatorCode &&
          code !== lineFeed &&
          code !== carriageReturn &&
          at < text.length
        )
          code = text.charCodeAt(++at);
        cells.push(at === from ? null : text.slice(from, at));
      }
      if (at < text.length && text.charCodeAt(at) === separatorCode) at++;
      else isOpen = false;
    }
    // The line may continue in the next chunk, and a final CR may be the first half of a CRLF.
    const isCarriageReturn = text.charCodeAt(at) === carriageReturn;
    if (!isLast && (at >= text.length || (isCarriageReturn && at + 1 === text.length)))
      return incomplete();
    if (at - end > mostRecordLength) throw tooLong(line);
    at += isCarriageReturn && text.charCodeAt(at + 1) === lineFeed ? 2 : 1;
    const isBlank = cells.length === 1 && cells[0] === null;
    if (!isBlank) {
      records.push(cells);
      lines.push(line);
    }
    line += 1 + lineCount;
    end = at;
  }
  return { block: { records, lines }, end, nextLine: line };
}

function lineEndsIn(cell: string): number {
  return cell.match(/\r\n|\n|\r/g)?.length ?? 0;
}
