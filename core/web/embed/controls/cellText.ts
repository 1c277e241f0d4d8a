import { wordsOf, type ChartCell, type ChartColumn } from "../../charts/index.ts";

/** Returns the name of a value in a list. Missing values have a name too. */
export function cellText(column: ChartColumn, cell: ChartCell, localeId: string): string {
  return cell === null ? wordsOf(localeId).none : column.text(cell);
}
