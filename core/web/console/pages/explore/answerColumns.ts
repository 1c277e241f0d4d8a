import { readColumns, type ChartCell, type SlotField } from "../../../charts/index.ts";
import { readerLocale, readerZone } from "../../language/index.ts";
import type { TableColumn } from "../../parts/index.ts";
import type { AnsweredItem } from "../../pictures/index.ts";

/**
 * Returns the columns for a table of an answer, with cells formatted as in charts, and as many decimals in each cell.
 */
export function answerColumns({ fields, rows }: AnsweredItem): TableColumn<readonly ChartCell[]>[] {
  const shared = fields.map((field, index) => withDecimals(field, rows, index));
  const columns = readColumns({ fields: shared, localeId: readerLocale, timezoneId: readerZone });
  return columns.map(({ name, isNumeric, text }, index) => ({
    label: name,
    width: "minmax(120px, 1fr)",
    isNumber: isNumeric,
    cell: (row) => text(row[index]),
  }));
}

/** Returns a field whose format writes all cells with as many decimals as the cell that needs most. */
function withDecimals(
  field: SlotField,
  rows: readonly (readonly ChartCell[])[],
  index: number,
): SlotField {
  const [trimmed, digits] = /\.(\d+)~(?=f)/.exec(field.format ?? "") ?? [];
  if (trimmed === undefined) return field;
  const decimals = rows.map(({ [index]: cell }) =>
    typeof cell === "number" ? decimalsOf(cell, Number(digits)) : 0,
  );
  const most = decimals.reduce((one, other) => Math.max(one, other), 0);
  return { ...field, format: field.format!.replace(trimmed, `.${most}`) };
}

/** Returns the number of decimals of a number that is rounded to some decimals, without zeros at the end. */
const decimalsOf = (value: number, most: number): number =>
  value
    .toFixed(Math.min(most, 20))
    .replace(/\.?0+$/, "")
    .split(".")[1]?.length ?? 0;
