import { counted } from "../words/templates.ts";
import type { ChartCell } from "../answer/chartRequest.ts";
import { arrangePivot, type PivotHead } from "../frame/arrangePivot.ts";
import type { Frame, PlacedColumn } from "../frame/frame.ts";
import { pivotLines, type PivotLine } from "../frame/pivotLines.ts";
import { missesPivotTotals } from "../item/pivotTotals.ts";
import { drawGrid } from "./drawGrid.ts";

const none: ReadonlySet<string> = new Set();

/**
 * Draws a grid with a row for each combination of values in the row slot. Each combination of values in the column slot
 * has one column per measure. All groups are expanded. Groups of rows show their subtotals.
 */
export function drawPivot(frame: Frame): void {
  const { request, words, notes } = frame;
  const pivot = arrangePivot(request);
  const { settings, rowFields, columnFields, measures } = pivot;
  const { hasMeasureRows, hasTotalRow, hasTotalColumn, mostRows, mostColumns } = settings;
  const isIndented = settings.isIndented && rowFields.length > 1;
  if (missesPivotTotals(request)) notes.push(words.noTotals);
  const down = pivotLines(pivot.rows, {
    isIndented,
    collapsed: none,
    hasTotals: settings.hasRowSubtotals,
    most: mostRows,
  });
  const across = pivotLines(pivot.columns, {
    isIndented: false,
    collapsed: none,
    hasTotals: settings.hasColumnSubtotals,
    most: mostColumns,
  });
  const hasTotals = request.pivotTotals !== undefined;
  const { localeId } = request;
  if (across.hiddenCount > 0) notes.push(counted(words.moreColumns, across.hiddenCount, localeId));
  if (down.hiddenCount > 0) notes.push(counted(words.moreRows, down.hiddenCount, localeId));

  const wholeColumn: PivotLine = { head: pivot.columns, role: "total", isExpanded: true };
  const columnLines: readonly PivotLine[] =
    columnFields.length === 0
      ? [{ ...wholeColumn, role: "value" }]
      : [...across.lines, ...(hasTotalColumn && hasTotals ? [wholeColumn] : [])];
  /** Columns of values. With measures in rows, the measure of a cell depends on its row. */
  const sources = columnLines.flatMap((line) =>
    (hasMeasureRows ? [undefined] : measures).map((measure) => ({ line, measure })),
  );
  const heads = headColumns();
  const values = sources.flatMap(({ line, measure }, index): PlacedColumn[] => {
    const path = pathOf(line.head).map(({ name }) => name);
    const parts = [
      ...path,
      ...(line.role === "total" ? [words.total] : []),
      ...(measure && (measures.length > 1 || columnFields.length === 0) ? [measure.name] : []),
    ];
    const [first] = measures;
    const base = measure ?? (first && { ...first, number: () => null, text: written });
    return base ? [{ ...base, name: parts.join(" · "), cell: heads.length + index }] : [];
  });

  function headColumns(): PlacedColumn[] {
    const [first] = rowFields;
    const own = isIndented
      ? first
        ? [{ ...first, name: rowFields.map(({ name }) => name).join(" / "), text: written }]
        : []
      : rowFields;
    const named = [...own, ...(hasMeasureRows && measures[0] ? [nameColumn(measures[0])] : [])];
    return named.map((column, cell) => ({ ...column, cell }));
  }

  function headCells({ head, role }: PivotLine): ChartCell[] {
    if (isIndented) return [`${indent.repeat(head.depth - 1)}${head.name}`];
    const path = pathOf(head);
    return rowFields.map((_, index) => {
      const at = path[index];
      if (at) return at.cell;
      return role === "total" && index === head.depth ? words.total : "";
    });
  }

  const cellOf = (row: PivotHead, column: PivotHead, measure: PlacedColumn): ChartCell => {
    const cell = pivot.at(row, column)?.cells[measure.cell] ?? null;
    return hasMeasureRows ? measure.text(cell) : cell;
  };
  const linesOf = (line: PivotLine, cells: readonly ChartCell[]) =>
    (hasMeasureRows ? measures : [undefined]).map((rowMeasure) => ({
      line,
      cells: [
        ...cells,
        ...(rowMeasure ? [rowMeasure.name] : []),
        ...sources.map((source) => {
          const measure = rowMeasure ?? source.measure;
          return measure ? cellOf(line.head, source.line.head, measure) : null;
        }),
      ],
    }));
  const wholeRow: PivotLine = { head: pivot.rows, role: "total", isExpanded: true };
  const isTotalled = hasTotalRow && hasTotals;
  const totalHeads = rowFields.map((_, index): ChartCell => (index === 0 ? words.total : null));
  const rows = [
    ...(isTotalled && hasMeasureRows
      ? linesOf(wholeRow, isIndented ? [words.total] : totalHeads)
      : []),
    ...down.lines.flatMap((line) => linesOf(line, headCells(line))),
  ];
  const totals =
    isTotalled && !hasMeasureRows
      ? [
          ...heads.map(() => null),
          ...sources.map(({ line, measure }) =>
            measure ? cellOf(pivot.rows, line.head, measure) : null,
          ),
        ]
      : undefined;
  const sourceAt = (row: number, cell: number) => {
    const [line, source] = [rows[row]?.line, sources[cell - heads.length]];
    return line && source ? pivot.at(line.head, source.line.head)?.row : undefined;
  };
  drawGrid(frame, {
    columns: [...heads, ...values],
    rows: rows.map(({ cells }) => cells),
    totals,
    nameCount: heads.length,
    sourceAt,
    isTotal: (row, cell) =>
      rows[row]?.line.role !== "value" || sources[cell - heads.length]?.line.role === "total",
  });
}

/** The indentation of a level, in spaces that every font has. */
const indent = "\u00a0".repeat(4);

/** Returns a cell that is written already. */
const written = (cell: ChartCell | undefined): string => (typeof cell === "string" ? cell : "–");

function nameColumn(measure: PlacedColumn): PlacedColumn {
  return { ...measure, name: "", isNumeric: false, number: () => null, text: written };
}

/** Returns the heads from the first field to a head. */
function pathOf(head: PivotHead): readonly PivotHead[] {
  return head.parent === undefined ? [] : [...pathOf(head.parent), head];
}
