import type { ChartItem, SlotField } from "./item.ts";
import { pivotSettings } from "./pivotSettings.ts";
import { queryOf, type ItemQuery } from "./queryOf.ts";
import type { TotalsOptions } from "./totalsOf.ts";

/** Totals over all columns, over all rows, over both, or of groups of rows or columns. */
export type PivotPart = "down" | "across" | "grand" | "subtotals";

/** A query for one part of a pivot table's totals. */
export interface PivotTotalsQuery {
  readonly part: PivotPart;
  /** Number of fields of the row slot by which the totals are grouped, and of the column slot. */
  readonly rowDepth: number;
  readonly columnDepth: number;
  readonly query: ItemQuery;
  /** Maps the cells of a result row to the fields of the item. */
  place<Cell>(row: readonly Cell[]): (Cell | null)[];
}

/**
 * Returns the queries for the totals of a pivot table: its measures, grouped by fewer fields of its rows and columns.
 * One query computes the totals for each pair of levels that the table shows. All queries have the same filters. The
 * host computes each from the data, so averages, medians and distinct counts are correct. Returns an empty list for
 * other items, and for items with filters on groups.
 */
export function pivotTotalsOf(
  item: ChartItem,
  { having = [], ...options }: TotalsOptions = {},
): readonly PivotTotalsQuery[] {
  if (item.type !== "pivot-table" || having.length > 0) return [];
  const all = queryOf(item)?.fields ?? [];
  const inSlot = (slot: string) => all.filter((field) => field.slot === slot);
  const [rows, columns, measures] = [inSlot("row"), inSlot("column"), inSlot("measure")];
  if (measures.length === 0 || rows.length === 0) return [];
  const settings = pivotSettings(item);
  const { isExpandable, hasTotalRow, hasTotalColumn, sortBy } = settings;
  const rowDepths = depthsOf(rows.length, hasTotalRow, (position) =>
    isExpandable ? true : settings.hasRowSubtotals(position),
  );
  const needsColumn = hasTotalColumn || (sortBy === "measure" && columns.length > 0);
  const columnDepths = depthsOf(columns.length, needsColumn, (position) =>
    isExpandable ? true : settings.hasColumnSubtotals(position),
  );
  return rowDepths.flatMap((rowDepth) =>
    columnDepths.flatMap((columnDepth) => {
      if (rowDepth === rows.length && columnDepth === columns.length) return [];
      const kept: readonly SlotField[] = [
        ...rows.slice(0, rowDepth),
        ...columns.slice(0, columnDepth),
        ...measures,
      ];
      const itemQuery = queryOf({ ...item, fields: kept, options: {} }, options);
      if (!itemQuery) return [];
      const cells = all.map((field) => itemQuery.fields.indexOf(field));
      const part = partOf(rows.length - rowDepth, columns.length - columnDepth, {
        rowDepth,
        columnDepth,
      });
      return [
        {
          part,
          rowDepth,
          columnDepth,
          query: itemQuery.query,
          place: (row) => cells.map((at) => row[at] ?? null),
        },
      ];
    }),
  );
}

/** Returns whether a pivot table should show totals that were not fetched. */
export function missesPivotTotals({
  item,
  rows,
  pivotTotals,
}: {
  readonly item: ChartItem;
  readonly rows: readonly unknown[];
  readonly pivotTotals?: unknown;
}): boolean {
  return pivotTotals === undefined && rows.length > 0 && pivotTotalsOf(item).length > 0;
}

/** Returns the levels of an axis for which a table needs cells: all fields, groups, and the whole axis. */
function depthsOf(
  fieldCount: number,
  hasTotal: boolean,
  hasGroups: (position: number) => boolean,
): readonly number[] {
  const groups = Array.from({ length: Math.max(0, fieldCount - 1) }, (_, index) => index + 1);
  const depths = [fieldCount, ...groups.toReversed().filter(hasGroups)];
  return hasTotal && fieldCount > 0 ? [...depths, 0] : depths;
}

function partOf(
  rowsLeft: number,
  columnsLeft: number,
  { rowDepth, columnDepth }: { readonly rowDepth: number; readonly columnDepth: number },
): PivotPart {
  if (rowsLeft === 0 && columnDepth === 0) return "down";
  if (columnsLeft === 0 && rowDepth === 0) return "across";
  return rowDepth === 0 && columnDepth === 0 ? "grand" : "subtotals";
}
