import {
  cellFormats,
  measureText,
  wordsOf,
  type ArrangedPivot,
  type CellFormat,
  type ChartCell,
  type PivotHead,
  type PivotLine,
  type PivotParts,
  type PlacedColumn,
} from "../../charts/index.ts";
import type { ItemPicture, ItemState } from "./itemPicture.ts";

/** By what a reader sorted the rows of a pivot table: a field of the rows, or the values of a column. */
export interface PivotSorting {
  /** Positions of the fields of the rows; undefined if a column determines the order. */
  readonly fields?: readonly number[];
  /** The column's head and measure, if a column determines the order. */
  readonly column?: PivotHead;
  readonly measure?: PlacedColumn;
  readonly direction: 1 | -1;
}

/** What the reader collapsed and sorted. */
export interface PivotState {
  /** Keys of the collapsed groups of rows, and of columns. */
  readonly rows: ReadonlySet<string>;
  readonly columns: ReadonlySet<string>;
  readonly sorting: PivotSorting | undefined;
}

/** A column of names before the values: the fields of the rows, or the measures. */
export interface PivotNameColumn {
  readonly title: string;
  /** Positions of the fields that the column shows; empty for the names of measures. */
  readonly fields: readonly number[];
  readonly widthPx: number;
}

/** A row or a column of values. `measure` is undefined if the other axis determines the measure. */
export interface PivotTrack {
  readonly line: PivotLine;
  readonly measure: PlacedColumn | undefined;
}

/** A pivot table with its rows and columns in order, and their widths. */
export interface LaidPivot {
  readonly pivot: ArrangedPivot;
  readonly names: readonly PivotNameColumn[];
  readonly columns: readonly (PivotTrack & { readonly widthPx: number })[];
  /** Rows of totals over all rows, which stay below the column names. */
  readonly totals: readonly PivotTrack[];
  readonly rows: readonly PivotTrack[];
  /** Number of rows and columns that the options leave out. */
  readonly hiddenRows: number;
  readonly hiddenColumns: number;
  readonly isIndented: boolean;
  formatOf(measure: PlacedColumn): CellFormat;
  /** The number whose bar fills a whole cell of a measure. */
  fullBarOf(measure: PlacedColumn): number;
}

type Answer = Extract<ItemState, { kind: "answer" }>;

/** Numbers of rows and columns from which widths are measured. */
const measuredRows = 60;
const measuredCells = 4_000;
const narrowest = 64;
const widest = 320;
/** Indent of a level in pixels, and the width of the button before the names of groups. */
export const indentPx = 18;

/** Lays out a pivot table for the groups that the reader collapsed, and for the reader's order. O(rows log rows). */
export function layPivot(
  parts: PivotParts,
  { picture, answer }: { readonly picture: ItemPicture; readonly answer: Answer },
  state: PivotState,
): LaidPivot {
  const { arrangePivot, pivotLines } = parts;
  const { item, theme, colors, localeId, timezoneId } = picture;
  const { rows: answered, fields, pivotTotals } = answer;
  const pivot = arrangePivot({
    item,
    fields,
    rows: answered,
    localeId,
    timezoneId,
    ...(pivotTotals && { pivotTotals }),
  });
  const { settings, measures, rowFields, columnFields } = pivot;
  const words = wordsOf(localeId);
  const isIndented = settings.isIndented && rowFields.length > 1;
  const compare = comparison(parts, pivot, state.sorting);
  const down = pivotLines(pivot.rows, {
    isIndented,
    collapsed: state.rows,
    hasTotals: settings.hasRowSubtotals,
    most: settings.mostRows,
    ...(compare && { compare }),
  });
  const across = pivotLines(pivot.columns, {
    isIndented: false,
    collapsed: state.columns,
    hasTotals: settings.hasColumnSubtotals,
    most: settings.mostColumns,
  });
  const hasTotals = pivotTotals !== undefined;
  const whole = (head: PivotHead): PivotLine => ({ head, role: "total", isExpanded: true });
  const columnLines: readonly PivotLine[] =
    columnFields.length === 0
      ? [{ ...whole(pivot.columns), role: "value" }]
      : [...across.lines, ...(settings.hasTotalColumn && hasTotals ? [whole(pivot.columns)] : [])];
  const tracks = (lines: readonly PivotLine[], isMeasured: boolean): PivotTrack[] =>
    lines.flatMap((line) =>
      (isMeasured ? measures : [undefined]).map((measure) => ({ line, measure })),
    );
  const rows = tracks(down.lines, settings.hasMeasureRows);
  const totals =
    settings.hasTotalRow && hasTotals ? tracks([whole(pivot.rows)], settings.hasMeasureRows) : [];
  const columnTracks = tracks(columnLines, !settings.hasMeasureRows);
  const sample = [...totals, ...rows.slice(0, measuredRows)];
  const sampled = sample.slice(0, Math.max(4, Math.floor(measuredCells / columnTracks.length)));
  const columns = columnTracks.map((column) => {
    const texts = sampled.map((row) => {
      const measure = row.measure ?? column.measure;
      const cells = pivot.at(row.line.head, column.line.head)?.cells;
      return measure && cells ? measureText(measure.text(cells[measure.cell]), 13, 600) : 0;
    });
    const isNamed =
      column.measure !== undefined && (measures.length > 1 || across.lines.length === 0);
    const name = isNamed && column.measure ? column.measure.name : "";
    const { head, role } = column.line;
    const own = role === "total" ? words.total : head.name;
    const fixed = column.measure && formatOf(column.measure).widthPx;
    const most = Math.max(
      measureText(name, 12, 600) + 14,
      measureText(own, 12, 600) + 30,
      ...texts,
    );
    return { ...column, widthPx: fixed ?? clamp(most + 22) };
  });
  return {
    pivot,
    names: nameColumns(),
    columns,
    totals,
    rows,
    hiddenRows: down.hiddenCount,
    hiddenColumns: across.hiddenCount,
    isIndented,
    formatOf,
    fullBarOf: (measure) =>
      formatOf(measure).fullBar(answered.map((row) => measure.number(row[measure.cell]))),
  };

  function formatOf(measure: PlacedColumn): CellFormat {
    return cellFormats(item, theme, colors)(measure);
  }

  function nameColumns(): PivotNameColumn[] {
    const shown = down.lines.slice(0, 4 * measuredRows);
    const ofNames = measures.map(({ name }) => measureText(name, 13));
    const ofMeasures = settings.hasMeasureRows
      ? [{ title: "", fields: [], widthPx: clamp(Math.max(...ofNames) + 22) }]
      : [];
    const titles = rowFields.map(({ name }) => name);
    if (isIndented) {
      const widths = shown.map(
        ({ head }) => measureText(head.name, 13, 600) + head.depth * indentPx,
      );
      const title = titles.join(" / ");
      const widthPx = clamp(Math.max(measureText(title, 12, 600) + 14, ...widths) + 22);
      return [{ title, fields: titles.map((_, index) => index), widthPx }, ...ofMeasures];
    }
    const own = titles.map((title, index) => {
      const widths = shown.map(({ head }) => {
        const at = pathOf(head)[index];
        return at ? measureText(at.name, 13) + (at.children.length > 0 ? indentPx : 0) : 0;
      });
      const widthPx = clamp(Math.max(measureText(title, 12, 600) + 14, ...widths) + 22);
      return { title, fields: [index], widthPx };
    });
    return [...own, ...ofMeasures];
  }
}

const clamp = (px: number): number => Math.round(Math.min(widest, Math.max(narrowest, px)));

/** Returns the order of heads that the reader chose; undefined for the stored order. */
function comparison(
  { compareNumbers, compareValues }: PivotParts,
  pivot: ArrangedPivot,
  sorting: PivotSorting | undefined,
) {
  if (!sorting) return undefined;
  const { fields, column, measure, direction } = sorting;
  const { rowFields, columns } = pivot;
  return (one: PivotHead, other: PivotHead): number => {
    const own = rowFields[one.depth - 1];
    if (fields)
      return own && fields.includes(one.depth - 1) ? compareValues(own, one, other, direction) : 0;
    if (!measure) return 0;
    const valueOf = (head: PivotHead) =>
      measure.number(pivot.at(head, column ?? columns)?.cells[measure.cell]);
    return compareNumbers(valueOf(one), valueOf(other), direction);
  };
}

/** Returns the heads from the first field to a head. */
export function pathOf(head: PivotHead): readonly PivotHead[] {
  return head.parent === undefined ? [] : [...pathOf(head.parent), head];
}

/** Returns the cell of a row and a column, with the measure that it shows. */
export function cellAt(
  { pivot }: LaidPivot,
  row: PivotTrack,
  column: PivotTrack,
):
  | {
      readonly measure: PlacedColumn;
      readonly cell: ChartCell | undefined;
      /** Index of the row in the answer; undefined for totals and for missing cells. */
      readonly row: number | undefined;
    }
  | undefined {
  const measure = row.measure ?? column.measure;
  if (!measure) return undefined;
  const found = pivot.at(row.line.head, column.line.head);
  return { measure, cell: found?.cells[measure.cell], row: found?.row };
}
