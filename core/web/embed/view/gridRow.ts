import type { ChartCell } from "../../charts/index.ts";
import { element } from "./element.ts";
import type { GridColumn } from "./gridColumns.ts";

/** The elements of a visible row. After scrolling, they show another row. */
export interface GridRow {
  readonly root: HTMLElement;
  /** Shows the cells of a row. */
  show(row: readonly (ChartCell | undefined)[]): void;
}

/** Creates a row of a table, without data yet. */
export function createGridRow(columns: readonly GridColumn[]): GridRow {
  const cells = columns.map((column, cell) => {
    const text = document.createTextNode("");
    const shown = gridCell("cell", column, columns[cell + 1]);
    shown.append(column.format.isPainted ? element("span", {}, text) : text);
    return { shown, text };
  });
  const root = element("div", { role: "row", class: "mf-row" }, ...cells.map(({ shown }) => shown));
  return {
    root,
    show(row) {
      for (const [cell, column] of columns.entries()) {
        const { shown, text } = cells[cell]!;
        const value = row[cell];
        const written = column.text(value);
        text.data = column.format.isTextHidden ? "" : written;
        if (column.format.isTextHidden) shown.ariaLabel = written;
        const isMissing = value === null || value === undefined;
        if (shown.classList.contains("mf-missing") !== isMissing)
          shown.classList.toggle("mf-missing", isMissing);
        paintCell(shown, column, value);
      }
    },
  };
}

/** Creates a cell of a data, header or totals row. `next` is the column to the right of the cell. */
export function gridCell(
  role: "cell" | "columnheader",
  { isNumeric, pinnedAtPx }: GridColumn,
  next: GridColumn | undefined,
): HTMLElement {
  const isPinned = pinnedAtPx !== undefined;
  const isLast = isPinned && next?.pinnedAtPx === undefined;
  const classes = [isNumeric && "mf-number", isPinned && "mf-pin", isLast && "mf-pin-last"];
  const made = element("div", { role, class: classes.filter(Boolean).join(" ") || undefined });
  if (isPinned) made.style.setProperty("--mf-left", `${pinnedAtPx}px`);
  return made;
}

/** Draws the colours and the bar of a cell. The text of a coloured cell is in a `span`. */
export function paintCell(
  shown: HTMLElement,
  { format, longestBar, number }: Pick<GridColumn, "format" | "longestBar" | "number">,
  value: ChartCell | undefined,
): void {
  if (longestBar > 0) drawBar(shown, (number(value) ?? 0) / longestBar, format);
  if (!format.isPainted) return;
  const painted = format.paint(value);
  shown.dataset["tone"] = painted?.on ?? "";
  if (!painted) return;
  shown.style.setProperty("--mf-tone", painted.fill);
  shown.style.setProperty("--mf-tone-text", painted.text);
}

function drawBar(shown: HTMLElement, share: number, { barColor = "" }: GridColumn["format"]): void {
  shown.classList.add("mf-bar");
  shown.style.setProperty("--mf-share", String(Math.min(1, Math.abs(share))));
  shown.style.setProperty("--mf-bar", share < 0 ? "var(--mf-negative)" : barColor);
}
