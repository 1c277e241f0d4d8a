import type { AnsweredTable, TableColumn } from "../../queries/index.ts";
import type { InstantFormat } from "../instantFormat.ts";
import { standardSigns, type CsvSigns } from "./csvSigns.ts";
import { rememberWritten } from "./rememberWritten.ts";
import { totalCells, type TableTotals } from "./tableTotals.ts";

/** Characters per chunk. */
const chunkLength = 2 ** 15;

/**
 * Matches strings that spreadsheets run as formulas: they begin with a tab, a line break or a sign. The sign may be
 * full-width or small, and may follow blanks and invisible characters (OWASP, CSV Injection; ASVS 5.0, 1.2.10).
 */
const formula = /^(?:[\t\r\n]|[\s\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u;
const special = /[",;\r\n]/;
const commaSpecial = /[",\r\n]/;

export interface CsvOptions {
  /** Whether to write stored values for programs, without labels, leading apostrophes or a byte order mark. */
  readonly isRaw: boolean;
  /** Formats instants for human readers. */
  readonly instants: Pick<InstantFormat, "write">;
  /**
   * The signs between cells and before decimals.
   * @default commas and points
   */
  readonly signs?: CsvSigns;
  /** A row of totals between the column names and the rows. */
  readonly totals?: TableTotals | undefined;
}

/**
 * Writes a table as CSV (RFC 4180: CRLF, UTF-8, and commas or the given separator) in chunks. Unless `isRaw` is set,
 * strings that a spreadsheet would run as a formula get a leading apostrophe; numbers never do. Null is an empty field,
 * and an empty string is `""`. O(cells).
 */
export function* writeCsv(
  { columns, rowCount }: Pick<AnsweredTable, "columns" | "rowCount">,
  { isRaw, instants, signs = standardSigns, totals }: CsvOptions,
): Generator<string, void> {
  const { separator: comma, decimal } = signs;
  const needsQuotes = comma === "," ? commaSpecial : special;
  const quoted = (text: string) =>
    needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const guarded = (text: string) =>
    text === "" ? '""' : quoted(!isRaw && formula.test(text) ? `'${text}` : text);
  const writers = columns.map((column) => writerOf(column));
  let chunk = isRaw ? "" : "\ufeff";
  chunk += `${columns.map(({ name }) => guarded(name)).join(comma)}\r\n`;
  if (totals)
    chunk += `${totalCells(totals, (column) => writerOf(column)(0), guarded).join(comma)}\r\n`;
  for (let row = 0; row < rowCount; row++) {
    let separator = "";
    for (const write of writers) {
      chunk += separator + write(row);
      separator = comma;
    }
    chunk += "\r\n";
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk;

  function writerOf(column: TableColumn): (row: number) => string {
    switch (column.type) {
      case "number":
        return (row) => {
          const value = column.number(row);
          if (!Number.isFinite(value)) return "";
          return decimal === "." ? String(value) : String(value).replace(".", decimal);
        };
      case "datetime": {
        if (isRaw) return (row) => column.id(row) ?? "";
        const write = rememberWritten((instantMs: number) =>
          instants.write(instantMs, column.isDate),
        );
        return (row) => {
          const instantMs = column.number(row);
          return Number.isNaN(instantMs) ? "" : write(instantMs);
        };
      }
      case "text": {
        const write = rememberWritten(guarded);
        return (row) => {
          const text = isRaw ? column.id(row) : column.text(row);
          return text === null ? "" : write(text);
        };
      }
    }
  }
}
