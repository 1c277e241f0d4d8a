import {
  cellFormats,
  createColors,
  lightTheme,
  queryOf,
  readColumns,
  type CellRange,
  type ChartItem,
  type SlotField,
} from "../../web/charts/index.ts";
import type { TableColumn } from "../../queries/index.ts";

/** The look of a sheet's columns, in the order of the cells in a row. */
export interface SheetLook {
  readonly pinnedCount: number;
  readonly columns: readonly SheetColumn[];
}

interface SheetColumn {
  /** A number format in Excel's syntax. Undefined for the default format. */
  readonly numberFormat: string | undefined;
  readonly ranges: readonly CellRange[];
  /** The color of bars in cells, as `#rrggbb`. */
  readonly barColor: string | undefined;
}

/** Returns the look of a table's sheet: number formats, colors, bars and pinned columns, as in pictures. */
export function sheetLookOf(item: ChartItem, localeId: string): SheetLook {
  const formatOf = cellFormats(item, lightTheme, createColors(lightTheme));
  const fields = queryOf(item)?.fields ?? [];
  const wanted = item.options["pinnedColumns"];
  const isTable = item.type === "regular-table";
  const pinned = isTable && typeof wanted === "number" && wanted >= 1 ? Math.floor(wanted) : 0;
  return {
    pinnedCount: Math.max(0, Math.min(pinned, fields.length - 1)),
    columns: readColumns({ fields, localeId: "en", timezoneId: "UTC" }).map((column) => {
      const { ranges, barColor } = formatOf(column);
      const { field } = column;
      const numberFormat = column.isNumeric
        ? numberFormatOf(field, localeId)
        : column.isDatetime
          ? dateFormatOf(field)
          : undefined;
      return { numberFormat, ranges, barColor };
    }),
  };
}

/**
 * Converts a D3 number format and a currency to Excel's syntax. The sign of the currency stands where it does in the
 * language of the file. Undefined unless the format has fixed digits, is a percentage or has a currency.
 */
function numberFormatOf(
  { format = "", currency }: Pick<SlotField, "format" | "currency">,
  localeId: string,
): string | undefined {
  const [, thousands, digits = "0", kind] =
    /^\$?(,?)(?:\.(\d))?a?([f%])$/.exec(format) ??
    (format === "" && currency ? ["", ",", "2", "f"] : []);
  if (kind === undefined) return undefined;
  const decimals = digits === "0" ? "" : `.${"0".repeat(Number(digits))}`;
  const number = `${thousands ? "#,##0" : "0"}${decimals}`;
  if (kind === "%") return `${number}%`;
  return currency === undefined ? number : withCurrency(number, currency, localeId);
}

/** Adds the sign of a currency to a number format in Excel's syntax. */
function withCurrency(number: string, currency: string, localeId: string): string {
  const quote = (text: string) => (text === "" ? "" : `[$${text.replaceAll(/[[\]"]/g, "")}]`);
  if (!/^[A-Z]{3}$/.test(currency)) return `${quote(currency.slice(0, 8))}${number}`;
  const parts = new Intl.NumberFormat(localeId, { style: "currency", currency }).formatToParts(1);
  const sign = parts.find(({ type }) => type === "currency")?.value ?? currency;
  const at = (type: string) => parts.findIndex((part) => part.type === type);
  const space = parts.some(({ type, value }) => type === "literal" && /\s/.test(value))
    ? "\\ "
    : "";
  return at("currency") < at("integer")
    ? `${quote(sign)}${space}${number}`
    : `${number}${space}${quote(sign)}`;
}

/** Excel's codes for the directives of D3 that it can show. */
const dateCodes: Readonly<Record<string, string>> = {
  "%Y": "yyyy",
  "%y": "yy",
  "%m": "mm",
  "%-m": "m",
  "%B": "mmmm",
  "%b": "mmm",
  "%d": "dd",
  "%e": "d",
  "%-d": "d",
  "%A": "dddd",
  "%a": "ddd",
  "%H": "hh",
  "%-H": "h",
  "%M": "mm",
  "%S": "ss",
  "%L": "000",
};

/** The formats of periods in Excel's syntax, by level. Quarters and weeks are shown as their first day. */
const formatsOfLevel: Readonly<Record<number, string>> = {
  1: "yyyy",
  2: "yyyy\\-mm",
  3: "yyyy\\-mm",
  4: "yyyy\\-mm\\-dd",
  5: "yyyy\\-mm\\-dd",
  6: "yyyy\\-mm\\-dd\\ hh:mm",
  7: "yyyy\\-mm\\-dd\\ hh:mm",
};

/**
 * Returns the format of dates in Excel's syntax: that of the level, or the D3 format of the column. Undefined if Excel
 * cannot show the column's format.
 */
function dateFormatOf({
  format = "",
  level,
}: Pick<SlotField, "format" | "level">): string | undefined {
  if (level !== undefined && formatsOfLevel[level] !== undefined) return formatsOfLevel[level];
  const parts: readonly string[] = format.match(/%-?[a-zA-Z]|[^%]/g) ?? [];
  if (parts.length === 0 || parts.join("") !== format || format.length > 100) return undefined;
  const codes: readonly (string | undefined)[] = parts.map((part) =>
    part.startsWith("%") ? dateCodes[part] : part === ":" || part === "/" ? part : `\\${part}`,
  );
  if (codes.includes(undefined)) return undefined;
  // The date and the time share the code `mm`, so minutes must follow hours.
  const [hour, minute] = [codes.findIndex((code) => code?.startsWith("h")), parts.indexOf("%M")];
  return minute >= 0 && (hour < 0 || minute < hour) ? undefined : codes.join("");
}

const opaque = (color: string) => `FF${color.slice(1).toUpperCase()}`;

/**
 * Writes the styles of a workbook. Styles 0 to 3 are plain, header, date, and date with time. They are followed by one
 * style per column of the look, and then by one bold style per column.
 */
export function writeStyles({ columns }: SheetLook): string {
  const formats = columns.map(({ numberFormat }, index) =>
    numberFormat === undefined
      ? ""
      : `<numFmt numFmtId="${166 + index}" formatCode="${escapeAttribute(numberFormat)}"/>`,
  );
  const styled = (font: string) =>
    columns.map(({ numberFormat }, index) =>
      numberFormat === undefined
        ? `<xf${font}/>`
        : `<xf numFmtId="${166 + index}"${font} applyNumberFormat="1"/>`,
    );
  const styles = [...styled(""), ...styled(' fontId="1" applyFont="1"')];
  const looks = columns.flatMap(({ ranges }) =>
    ranges.map(({ paint: { on, fill, text } }) => {
      const ground = `<fill><patternFill><bgColor rgb="${opaque(fill)}"/></patternFill></fill>`;
      return `<dxf><font><color rgb="${opaque(text)}"/></font>${on === "text" ? "" : ground}</dxf>`;
    }),
  );
  return `<numFmts count="${2 + formats.filter(Boolean).length}"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>${formats.join("")}</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${4 + styles.length}"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/>${styles.join("")}</cellXfs>${looks.length > 0 ? `<dxfs count="${looks.length}">${looks.join("")}</dxfs>` : ""}`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/**
 * Returns the index of the style for a column's cells. If the look has no format for the column, dates have one of the
 * date styles, and other cells the plain style, 0.
 */
export function cellStyleOf(
  { columns }: SheetLook,
  index: number,
  { type, isDate }: Pick<TableColumn, "type" | "isDate">,
): number {
  if (columns[index]?.numberFormat !== undefined) return 4 + index;
  return type === "datetime" ? (isDate ? 2 : 3) : 0;
}

/**
 * Returns the index of the bold style for a column's numbers. If the look has no such column, returns the header's
 * style.
 */
export function boldStyleOf({ columns }: SheetLook, column: number): number {
  return column < columns.length ? 4 + columns.length + column : 1;
}

/**
 * Writes the conditional formats of a sheet. Their conditions apply only to numbers, because Excel would treat an empty
 * cell as 0. Rows are counted from 1. `lettersOf` returns the letters of a column.
 */
export function writeConditions(
  { columns }: SheetLook,
  { from: firstRow, rowCount }: { readonly from: number; readonly rowCount: number },
  lettersOf: (column: number) => string,
): string {
  if (rowCount === 0) return "";
  let priority = 0;
  let look = 0;
  return columns
    .map(({ ranges, barColor }, index) => {
      const letters = lettersOf(index);
      const rules = ranges
        .map(({ from }) => {
          const isLowest = from === -Infinity;
          const test = isLowest ? "" : `,${letters}${firstRow}&gt;=${from}`;
          return { test: `AND(ISNUMBER(${letters}${firstRow})${test})`, look: look++ };
        })
        .toReversed()
        .map(
          (rule) =>
            `<cfRule type="expression" dxfId="${rule.look}" priority="${++priority}" stopIfTrue="1"><formula>${rule.test}</formula></cfRule>`,
        );
      const bar =
        barColor === undefined
          ? ""
          : `<cfRule type="dataBar" priority="${++priority}"><dataBar><cfvo type="num" val="0"/><cfvo type="max"/><color rgb="${opaque(barColor)}"/></dataBar></cfRule>`;
      if (rules.length === 0 && bar === "") return "";
      return `<conditionalFormatting sqref="${letters}${firstRow}:${letters}${firstRow + rowCount - 1}">${rules.join("")}${bar}</conditionalFormatting>`;
    })
    .join("");
}
