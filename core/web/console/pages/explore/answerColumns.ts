import { readColumns, type ChartCell } from "../../../charts/index.ts";
import { readerLocale, readerZone } from "../../language/index.ts";
import type { TableColumn } from "../../parts/index.ts";
import type { AnsweredItem } from "../../pictures/index.ts";

/** Returns the columns for a table of an answer, with cells formatted as in charts. */
export function answerColumns({ fields }: AnsweredItem): TableColumn<readonly ChartCell[]>[] {
  const columns = readColumns({ fields, localeId: readerLocale, timezoneId: readerZone });
  return columns.map(({ name, isNumeric, text }, index) => ({
    label: name,
    width: "minmax(120px, 1fr)",
    isNumber: isNumeric,
    cell: (row) => text(row[index]),
  }));
}
