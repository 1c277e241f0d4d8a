import {
  binRange,
  filteredColumn,
  listTest,
  queryOf,
  readColumns,
  type ChartCell,
  type ChartItem,
  type SlotField,
} from "../../charts/index.ts";
import type { Clause } from "./createSelections.ts";

/** Maximum number of values in the label of a clause. Longer labels are shortened. */
const mostLabelled = 3;

/** The rows of an item that the reader chose. */
export interface ChosenRows {
  readonly item: ChartItem;
  readonly fields: readonly SlotField[];
  readonly rows: readonly (readonly ChartCell[])[];
  readonly localeId: string;
  readonly timezoneId: string;
}

/** Returns the fields by which an item groups its rows. The cells of these fields come first in a row. */
export function dimensionsOf(item: ChartItem, fields: readonly SlotField[]): readonly SlotField[] {
  const dimensions = queryOf(item)?.query.dimensions;
  return fields.slice(0, Array.isArray(dimensions) ? dimensions.length : 0);
}

/**
 * Returns the clause for the chosen rows of an item: filters for the groups of these rows. Undefined if no filter can
 * name the columns by which the item groups.
 */
export function clauseOf(chosen: ChosenRows): Clause | undefined {
  const { item, fields, rows } = chosen;
  const dimensions = dimensionsOf(item, fields);
  const named = dimensions.flatMap((field, cell) =>
    field.columnId !== undefined && field.datasetId !== undefined ? [{ field, cell }] : [],
  );
  if (named.length === 0 || rows.length === 0) return undefined;
  const columns = readColumns(chosen);
  const labels = rows.map((row) =>
    named.map(({ cell }) => columns[cell]?.text(row[cell])).join(", "),
  );
  const [only] = named;
  const isList = named.length === 1 && only?.field.bins === undefined;
  const where = isList
    ? [
        listTest(
          only!.field,
          rows.map((row) => row[only!.cell] ?? null),
        ),
      ]
    : [
        {
          or: rows.map((row) => ({
            and: named.flatMap(({ field, cell }) => testsOf(field, row[cell] ?? null)),
          })),
        },
      ];
  const shown = [...new Set(labels)];
  const rest = shown.length - mostLabelled;
  return {
    where,
    datasetIds: new Set(named.map(({ field }) => field.datasetId!)),
    label: `${shown.slice(0, mostLabelled).join("; ")}${rest > 0 ? ` + ${rest}` : ""}`,
  };
}

function testsOf(field: SlotField, cell: ChartCell): object[] {
  const column = filteredColumn(field);
  if (cell === null) return [{ expression: "? is null", parameters: [column] }];
  const range = field.bins === undefined ? undefined : binRange(cell);
  if (!range) return [listTest(field, [cell])];
  const isClosed = typeof cell === "string" && cell.endsWith("]");
  return [
    { expression: "? >= ?", parameters: [column, range[0]] },
    { expression: isClosed ? "? <= ?" : "? < ?", parameters: [column, range[1]] },
  ];
}
