import { isList } from "../../api/index.ts";

/** A file as rows of texts and numbers, with its header. */
export interface ParsedFile {
  readonly header: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Rows that are wider or narrower than the header, by number counted from 1 below the header. */
  readonly uneven: readonly { readonly row: number; readonly width: number }[];
}
export type Cell = string | number | null;

/**
 * Reads the text of a CSV (comma, semicolon or tab; quotes as in RFC 4180) or of a JSON list of rows or objects.
 * Undefined for a text that is neither.
 */
export function parseFile(name: string, text: string): ParsedFile | undefined {
  const content = text.replace(/^\uFEFF/, "");
  if (content.includes("\u0000")) return undefined;
  return /\.json$/i.test(name) || /^\s*\[\s*[[{]/.test(content)
    ? parseJson(content)
    : parseCsv(content);
}

const hasMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

function parseJson(content: string): ParsedFile | undefined {
  let given: unknown;
  try {
    given = JSON.parse(content);
  } catch {
    return undefined;
  }
  if (!Array.isArray(given)) return undefined;
  const entries: readonly unknown[] = given;
  if (entries.every(isList)) {
    const [first = [], ...rest] = entries;
    return checked(
      first.map(String),
      rest.map((row) => row.map(cellOf)),
    );
  }
  if (!entries.every(hasMembers)) return undefined;
  const header = [...new Set(entries.flatMap((each) => Object.keys(each)))];
  return checked(
    header,
    entries.map((each) => header.map((member) => cellOf(each[member]))),
  );
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value === "number" || typeof value === "string") return value;
  return typeof value === "boolean" ? Number(value) : JSON.stringify(value);
}

function parseCsv(content: string): ParsedFile | undefined {
  const [firstLine = ""] = content.split(/\r?\n/, 1);
  const separators = [",", ";", "\t"];
  const counts = separators.map((each) => firstLine.split(each).length);
  const separator = separators[counts.indexOf(Math.max(...counts))] ?? ",";
  const lines = splitCsv(content, separator).filter((row) => row.length > 1 || row[0] !== "");
  const [header, ...rows] = lines;
  if (!header) return undefined;
  const isNumber = header.map((_, at) =>
    rows.every((row) => row[at] === undefined || row[at] === "" || isPlainNumber(row[at])),
  );
  const cells = rows.map((row) =>
    row.map((text, at): Cell => (text === "" ? null : isNumber[at] ? Number(text) : text)),
  );
  return checked(header, cells);
}

/** A number as it is written; texts with leading zeros, as of postcodes, stay texts. */
const isPlainNumber = (text: string): boolean =>
  /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text);

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

function checked(header: readonly string[], rows: readonly (readonly Cell[])[]): ParsedFile {
  const named = header.map((name, at) => name.trim() || `column ${at + 1}`);
  const unique = named.map((name, at) => (named.indexOf(name) === at ? name : `${name} ${at + 1}`));
  const uneven = rows.flatMap((row, at) =>
    row.length === header.length ? [] : [{ row: at + 1, width: row.length }],
  );
  return { header: unique, rows, uneven };
}

/** The type that the host will give a column: only numbers are numeric, only ISO dates and times are dates. */
export function typeOf({ rows }: ParsedFile, at: number): "hierarchy" | "numeric" | "datetime" {
  const cells = rows.map((row) => row[at]).filter((cell) => cell !== null && cell !== undefined);
  if (cells.length === 0) return "hierarchy";
  if (cells.every((cell) => typeof cell === "number")) return "numeric";
  const iso = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;
  return cells.every((cell) => typeof cell === "string" && iso.test(cell))
    ? "datetime"
    : "hierarchy";
}
