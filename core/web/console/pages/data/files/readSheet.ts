import type { Cell } from "./fileTable.ts";
import { readXml } from "./readXml.ts";

/** The parts of a workbook that its sheets refer to. */
export interface BookParts {
  readonly texts: readonly string[];
  /** Indexes of styles whose numbers are dates or times. */
  readonly dateStyles: ReadonlySet<number>;
  /** Whether days are counted from 1904 instead of 1900. */
  readonly isFrom1904: boolean;
}

const dayMs = 86_400_000;

/** Reads the rows of a sheet that contain values. Missing cells are null. */
export function readSheet(content: string, { texts, dateStyles, isFrom1904 }: BookParts): Cell[][] {
  const rows: Cell[][] = [];
  let row: Cell[] = [];
  let at = 0;
  let type = "n";
  let style = 0;
  let text = "";
  let isValue = false;
  const valueOf = (): Cell => {
    if (text === "") return null;
    switch (type) {
      case "s":
        return texts[Number(text)] || null;
      case "str":
      case "inlineStr":
        return unescaped(text);
      case "b":
        return Number(text);
      case "d":
        return text;
      case "e":
        return null;
      default:
        return dateStyles.has(style) ? dateOf(Number(text), isFrom1904) : numberOf(text);
    }
  };
  readXml(content, {
    open(name, { r: place = "", t = "n", s = "0" }) {
      if (name === "row") [row, at] = [[], 0];
      else if (name === "c") {
        const letters = /^[A-Z]+/.exec(place)?.[0];
        if (letters !== undefined) at = columnOf(letters);
        [type, style, text] = [t, Number(s), ""];
      }
      isValue = name === "v" || name === "t";
    },
    text(part) {
      if (isValue) text += part;
    },
    close(name) {
      isValue = false;
      if (name === "c") {
        while (row.length < at) row.push(null);
        row[at++] = valueOf();
      } else if (name === "row" && row.some((cell) => cell !== null)) rows.push(row);
    },
  });
  return rows;
}

/** Parses a number. Integers beyond 2^53 become strings with the digits of the file. */
function numberOf(text: string): Cell {
  const value = Number(text);
  if (!Number.isFinite(value)) return text;
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21
    ? text
    : value;
}

/** Returns the index of a column: `A` is 0, `AA` is 26. */
function columnOf(letters: string): number {
  let number = 0;
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64;
  return number - 1;
}

/** Decodes control characters, which are written as `_x001B_` (ECMA-376, ST_Xstring). */
const unescaped = (text: string): string =>
  text.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );

/**
 * Returns a day number as an ISO date, or date and time; a time of day as a string. Excel's 1900 calendar has a 29
 * February, so days before March are off by one.
 */
function dateOf(value: number, isFrom1904: boolean): Cell {
  if (!Number.isFinite(value) || value < 0 || value > 2_958_466) return String(value);
  const time = Math.round((value % 1) * dayMs);
  if (value < 1 && !isFrom1904) return new Date(time).toISOString().slice(11, 19);
  const zero = isFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, value < 60 ? 31 : 30);
  const at = new Date(zero + Math.floor(value) * dayMs + time).toISOString();
  return time === 0 ? at.slice(0, 10) : at;
}
