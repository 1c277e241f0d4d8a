import {
  cellFormats,
  createColors,
  lightTheme,
  queryOf,
  readColumns,
  type CellRange,
  type ChartItem,
} from "../../web/charts/index.ts";

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
export function sheetLookOf(item: ChartItem): SheetLook {
  const formatOf = cellFormats(item, lightTheme, createColors(lightTheme));
  const fields = queryOf(item)?.fields ?? [];
  const wanted = item.options["pinnedColumns"];
  const isTable = item.type === "regular-table";
  const pinned = isTable && typeof wanted === "number" && wanted >= 1 ? Math.floor(wanted) : 0;
  return {
    pinnedCount: Math.max(0, Math.min(pinned, fields.length - 1)),
    columns: readColumns({ fields, localeId: "en", timezoneId: "UTC" }).map((column) => {
      const { ranges, barColor } = formatOf(column);
      const numberFormat = column.isNumeric ? numberFormatOf(column.field.format) : undefined;
      return { numberFormat, ranges, barColor };
    }),
  };
}

/** Converts a D3 number format to Excel's syntax. Undefined unless the format has fixed digits or is a percentage. */
function numberFormatOf(format: string | undefined): string | undefined {
  const [, thousands, digits = "0", kind] = /^(,?)(?:\.(\d))?([f%])$/.exec(format ?? "") ?? [];
  if (kind === undefined) return undefined;
  const decimals = digits === "0" ? "" : `.${"0".repeat(Number(digits))}`;
  return `${thousands ? "#,##0" : "0"}${decimals}${kind === "%" ? "%" : ""}`;
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
      : `<numFmt numFmtId="${166 + index}" formatCode="${numberFormat}"/>`,
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

/** Returns the index of the style for a column's numbers; 0, the plain style, if the column has no number format. */
export function numberStyleOf({ columns }: SheetLook, column: number): number {
  return columns[column]?.numberFormat === undefined ? 0 : 4 + column;
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
