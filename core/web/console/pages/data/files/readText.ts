import { isList, isRecord } from "../../../api/index.ts";
import {
  cellOf,
  createTable,
  isExact,
  UnreadableFile,
  type Cell,
  type FileTable,
} from "./fileTable.ts";

/**
 * Reads the text of a CSV file, a JSON array of rows or objects, or a file with one JSON object per line. CSV values
 * are separated by comma, semicolon, tab or bar, with quotes as in RFC 4180.
 * @throws {UnreadableFile} for any other text
 */
export function readText(name: string, text: string): FileTable {
  const content = text.replace(/^\uFEFF/, "");
  if (content.includes("\u0000"))
    throw new UnreadableFile("The file must contain text, an Excel workbook or Parquet data.");
  if (/\.(jsonl|ndjson)$/i.test(name)) return tableOf(parseLines(content));
  if (/\.json$/i.test(name) || /^\s*\[\s*[[{]/.test(content)) return parseJson(content);
  return parseCsv(content);
}

function parseJson(content: string): FileTable {
  try {
    return tableOf(JSON.parse(content));
  } catch (failure) {
    if (failure instanceof UnreadableFile) throw failure;
    // Some programs use this extension for files with one object per line.
    return tableOf(parseLines(content));
  }
}

function parseLines(content: string): readonly unknown[] {
  const lines = content.split(/\r?\n/);
  return lines.flatMap((line, at): unknown[] => {
    if (line.trim() === "") return [];
    try {
      return [JSON.parse(line)];
    } catch (cause) {
      throw new UnreadableFile(`Line ${at + 1} is not valid JSON.`, { cause });
    }
  });
}

function tableOf(given: unknown): FileTable {
  if (!isList(given))
    throw new UnreadableFile("The JSON must be an array of objects, or an array of arrays.");
  if (given.length > 0 && given.every(isList)) {
    const [first = [], ...rest] = given;
    return createTable(
      "",
      first.map(String),
      rest.map((row) => row.map(cellOf)),
    );
  }
  const wrong = given.findIndex((each) => !isRecord(each));
  if (wrong >= 0)
    throw new UnreadableFile(`Entry ${wrong + 1} of the JSON array must be an object.`);
  const entries = given.filter(isRecord);
  const header = [...new Set(entries.flatMap((each) => Object.keys(each)))];
  const rows = entries.map((each) => header.map((member) => cellOf(each[member])));
  return createTable("", header, rows);
}

function parseCsv(content: string): FileTable {
  const [firstLine = ""] = content.split(/\r?\n/, 1);
  const separators = [",", ";", "\t", "|"];
  const counts = separators.map((each) => firstLine.split(each).length);
  const separator = separators[counts.indexOf(Math.max(...counts))] ?? ",";
  const lines = splitCsv(content, separator).filter((row) => row.length > 1 || row[0] !== "");
  const [header, ...rows] = lines;
  if (!header) throw new UnreadableFile("The file is empty.");
  const readers = header.map((_, at) => {
    const texts = rows.flatMap((row) => (row[at] === undefined || row[at] === "" ? [] : [row[at]]));
    if (texts.every(isPlainNumber)) return Number;
    if (separator === ";") return texts.every(isCommaNumber) ? readCommaNumber : String;
    return isGrouped(texts, separator) ? readGroupedNumber : String;
  });
  const cells = rows.map((row) =>
    row.map((text, at): Cell => (text === "" ? null : (readers[at]?.(text) ?? text))),
  );
  return createTable("", header, cells);
}

/**
 * Returns whether a string is a plain number. Strings with leading zeros, such as postcodes, and long identifiers
 * remain strings.
 */
const isPlainNumber = (text: string): boolean =>
  /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) &&
  Number.isFinite(Number(text)) &&
  isExact(Number(text));

/**
 * Returns whether a string is a number with a decimal comma, as spreadsheets write it in files separated by semicolons.
 */
const isCommaNumber = (text: string): boolean =>
  /^-?(?:0|[1-9]\d*|[1-9]\d{0,2}(?:\.\d{3})+)(?:,\d+)?$/.test(text) &&
  isExact(readCommaNumber(text));

const readCommaNumber = (text: string): number =>
  Number(text.replaceAll(".", "").replace(",", "."));

/**
 * Returns whether a column has numbers with commas between thousands, such as `1,200.50`. If commas separate the
 * columns, they cannot be decimal commas. In other files, at least one number must prove that commas separate
 * thousands: by a decimal point or by two commas.
 */
function isGrouped(texts: readonly string[], separator: string): boolean {
  const isNumber = (text: string) =>
    /^-?(?:0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?$/.test(text) &&
    isExact(readGroupedNumber(text));
  return (
    texts.every(isNumber) && (separator === "," || texts.some((text) => /,\d{3}[,.]/.test(text)))
  );
}

const readGroupedNumber = (text: string): number => Number(text.replaceAll(",", ""));

function splitCsv(content: string, separator: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (let at = 0; at < content.length; at++) {
    const letter = content[at]!;
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (content[at + 1] === '"') {
        cell += '"';
        at++;
      } else isQuoted = false;
    } else if (letter === '"' && cell === "") isQuoted = true;
    else if (letter === separator) {
      row.push(cell);
      cell = "";
    } else if (letter === "\n" || letter === "\r") {
      if (letter === "\r" && content[at + 1] === "\n") at++;
      rows.push([...row, cell]);
      [row, cell] = [[], ""];
    } else cell += letter;
  }
  if (cell !== "" || row.length > 0) rows.push([...row, cell]);
  return rows;
}
