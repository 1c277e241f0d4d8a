import type { ChartCell } from "../answer/chartRequest.ts";
import { columnsIn, type Frame, type PlacedColumn } from "../frame/frame.ts";
import { drawGrid } from "./drawGrid.ts";

const separator = "\u0001";

/**
 * Draws a grid with a row for each combination of values in the row slot. Each combination of values in the column slot
 * has one column per measure.
 */
export function drawPivot(frame: Frame): void {
  const down = columnsIn(frame, "row");
  const across = columnsIn(frame, "column");
  const measures = columnsIn(frame, "measure");
  const order = <Value>(
    found: Map<string, Value>,
    columns: readonly PlacedColumn[],
    rowOf: (value: Value) => readonly ChartCell[],
  ) =>
    [...found.values()].toSorted((one, other) => {
      for (const column of columns) {
        const [a, b] = [rowOf(one)[column.cell], rowOf(other)[column.cell]];
        if (column.key(a) === column.key(b)) continue;
        if (column.isDatetime) return (column.wallMs(a) ?? 0) - (column.wallMs(b) ?? 0);
        return column.key(a) < column.key(b) ? -1 : 1;
      }
      return 0;
    });
  const keyOf = (row: readonly ChartCell[], columns: readonly PlacedColumn[]) =>
    columns.map((column) => column.key(row[column.cell])).join(separator);
  const heads = new Map<string, readonly ChartCell[]>();
  const lines = new Map<
    string,
    { first: readonly ChartCell[]; cells: Map<string, readonly ChartCell[]> }
  >();
  for (const row of frame.rows) {
    const head = keyOf(row, across);
    if (!heads.has(head)) heads.set(head, row);
    const key = keyOf(row, down);
    const line = lines.get(key) ?? { first: row, cells: new Map() };
    line.cells.set(head, row);
    lines.set(key, line);
  }
  const columns: PlacedColumn[] = down.map((column, cell) => ({ ...column, cell }));
  /** For each column, the key of its head and the index of its cells. Columns with row totals have no head. */
  const sources: { readonly head: string | undefined; readonly cell: number }[] = [];
  const { pivotTotals, item } = frame.request;
  const { words } = frame;
  if (item.options.totals === true && !pivotTotals && frame.rows.length > 0)
    frame.notes.push(words.noTotals);
  for (const row of order(heads, across, (value) => value))
    for (const measure of measures) {
      const names = across.map((column) => column.text(row[column.cell]));
      const name = [
        ...names,
        ...(measures.length > 1 || across.length === 0 ? [measure.name] : []),
      ].join(" · ");
      columns.push({ ...measure, name, cell: columns.length });
      sources.push({ head: keyOf(row, across), cell: measure.cell });
    }
  const byLine = new Map((pivotTotals?.down ?? []).map((row) => [keyOf(row, down), row]));
  const byHead = new Map((pivotTotals?.across ?? []).map((row) => [keyOf(row, across), row]));
  if (byLine.size > 0)
    for (const measure of measures) {
      const name = measures.length > 1 ? `${words.total} · ${measure.name}` : words.total;
      columns.push({ ...measure, name, cell: columns.length });
      sources.push({ head: undefined, cell: measure.cell });
    }
  const [grand] = pivotTotals?.grand ?? [];
  const totals =
    byHead.size > 0
      ? [
          ...down.map(() => null),
          ...sources.map(
            ({ head, cell }) => (head === undefined ? grand : byHead.get(head))?.[cell] ?? null,
          ),
        ]
      : undefined;
  const rows = order(lines, down, ({ first }) => first).map(({ first, cells }) => [
    ...down.map((column) => first[column.cell] ?? null),
    ...sources.map(({ head, cell }) => {
      const row = head === undefined ? byLine.get(keyOf(first, down)) : cells.get(head);
      return row?.[cell] ?? null;
    }),
  ]);
  drawGrid(frame, { columns, rows, totals });
}
