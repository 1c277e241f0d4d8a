import type { ChartCell, ChartRequest } from "../answer/chartRequest.ts";
import { readColumns } from "../answer/readColumns.ts";
import { pivotSettings, type PivotSettings } from "../item/pivotSettings.ts";
import { binRange } from "../answer/binRange.ts";
import type { PlacedColumn } from "./frame.ts";

/** A value on an axis of a pivot table, together with the values of the fields before it. */
export interface PivotHead {
  /** Identifies the head on its axis: the keys of all its values. */
  readonly key: string;
  /** Number of fields with a value: 0 for the head that stands for the whole axis. */
  readonly depth: number;
  /** The value of the last field, in the reader's format; empty for the whole axis. */
  readonly name: string;
  readonly cell: ChartCell;
  readonly parent: PivotHead | undefined;
  readonly children: readonly PivotHead[];
}

/** The cells where a row and a column of a pivot table meet. */
export interface PivotCells {
  readonly cells: readonly ChartCell[];
  /** Index of the row in the answer; undefined for totals. */
  readonly row: number | undefined;
}

/** The answer of a pivot table as two trees of heads. */
export interface ArrangedPivot {
  readonly settings: PivotSettings;
  readonly rowFields: readonly PlacedColumn[];
  readonly columnFields: readonly PlacedColumn[];
  readonly measures: readonly PlacedColumn[];
  readonly rows: PivotHead;
  readonly columns: PivotHead;
  /** Returns the cells where two heads meet; undefined if there is no data, or if the total was not fetched. */
  at(row: PivotHead, column: PivotHead): PivotCells | undefined;
}

interface OpenHead extends PivotHead {
  readonly children: OpenHead[];
}

/** Arranges the answer and the totals of a pivot table. Heads have the stored order. O(rows log rows). */
export function arrangePivot(
  request: Pick<
    ChartRequest,
    "item" | "fields" | "rows" | "pivotTotals" | "localeId" | "timezoneId"
  >,
): ArrangedPivot {
  const { item, rows: answered, pivotTotals } = request;
  const settings = pivotSettings(item);
  const columns = readColumns(request).map((column, cell) => ({ ...column, cell }));
  const inSlot = (slot: string) => columns.filter(({ field }) => field.slot === slot);
  const [rowFields, columnFields, measures] = [inSlot("row"), inSlot("column"), inSlot("measure")];
  const found = new Map<string, PivotCells>();
  const add = (
    cells: readonly ChartCell[],
    [rowDepth, columnDepth]: readonly [number, number],
    row?: number,
  ) => {
    const key = pairKey(
      keyOf(cells, rowFields.slice(0, rowDepth)),
      keyOf(cells, columnFields.slice(0, columnDepth)),
    );
    if (!found.has(key)) found.set(key, { cells, row });
  };
  const [down, across] = [rowFields.length, columnFields.length];
  for (const [index, cells] of answered.entries()) add(cells, [down, across], index);
  for (const cells of pivotTotals?.down ?? []) add(cells, [down, 0]);
  for (const cells of pivotTotals?.across ?? []) add(cells, [0, across]);
  for (const cells of pivotTotals?.grand ?? []) add(cells, [0, 0]);
  for (const { rowDepth, columnDepth, rows } of pivotTotals?.subtotals ?? [])
    for (const cells of rows) add(cells, [rowDepth, columnDepth]);
  const at = (row: PivotHead, column: PivotHead) => found.get(pairKey(row.key, column.key));
  const [ofRows, ofColumns] = [treeOf(answered, rowFields), treeOf(answered, columnFields)];
  const [measure] = measures;
  const totalOf = (head: PivotHead) =>
    measure?.number(at(head, ofColumns)?.cells[measure.cell]) ?? null;
  const { sortBy, direction, directionOf, columnDirectionOf } = settings;
  sortTree(ofRows, (one, other) => {
    const order =
      sortBy === "measure" ? compareNumbers(totalOf(one), totalOf(other), direction) : 0;
    const field = rowFields[one.depth - 1];
    return order === 0 && field ? compareValues(field, one, other, directionOf(field)) : order;
  });
  sortTree(ofColumns, (one, other) => {
    const field = columnFields[one.depth - 1];
    return field ? compareValues(field, one, other, columnDirectionOf(field)) : 0;
  });
  return { settings, rowFields, columnFields, measures, rows: ofRows, columns: ofColumns, at };
}

/** Compares numbers in a direction. Missing numbers come last in both directions. */
export function compareNumbers(one: number | null, other: number | null, direction: 1 | -1) {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return one === other ? 0 : direction * (one < other ? -1 : 1);
}

/**
 * Compares two values of a field: numbers, bins and periods by size, and others by their strings. Missing values come
 * last in both directions.
 */
export function compareValues(
  field: PlacedColumn,
  one: PivotHead,
  other: PivotHead,
  direction: 1 | -1,
): number {
  const [a, b] = [sizeOf(field, one.cell), sizeOf(field, other.cell)];
  if (a !== null && b !== null && a !== b) return direction * (a - b);
  const isMissing = Number(one.cell === null) - Number(other.cell === null);
  if (isMissing !== 0) return isMissing;
  const [name, next] = [field.key(one.cell), field.key(other.cell)];
  return name === next ? 0 : direction * (name < next ? -1 : 1);
}

function sizeOf(field: PlacedColumn, cell: ChartCell): number | null {
  return field.wallMs(cell) ?? field.number(cell) ?? binRange(cell)?.[0] ?? null;
}

function sortTree(
  { children }: OpenHead,
  compare: (one: PivotHead, other: PivotHead) => number,
): void {
  children.sort(compare);
  for (const child of children) sortTree(child, compare);
}

const keyOf = (cells: readonly ChartCell[], fields: readonly PlacedColumn[]): string =>
  fields.map((field) => JSON.stringify(field.key(cells[field.cell]))).join(",");

/** A line break cannot occur in JSON strings, so it separates the keys of the two axes. */
const pairKey = (row: string, column: string): string => `${row}\n${column}`;

function treeOf(
  rows: readonly (readonly ChartCell[])[],
  fields: readonly PlacedColumn[],
): OpenHead {
  const none = { key: "", depth: 0, name: "", cell: null, parent: undefined };
  const root: OpenHead = { ...none, children: [] };
  const heads = new Map<string, OpenHead>();
  for (const row of rows) {
    let parent = root;
    let key = "";
    for (const [index, field] of fields.entries()) {
      const cell = row[field.cell] ?? null;
      const own = JSON.stringify(field.key(cell));
      key = index === 0 ? own : `${key},${own}`;
      let head = heads.get(key);
      if (!head) {
        head = { key, depth: index + 1, name: field.text(cell), cell, parent, children: [] };
        heads.set(key, head);
        parent.children.push(head);
      }
      parent = head;
    }
  }
  return root;
}
