import { tableLook, wordsOf, type ChartCell } from "../../charts/index.ts";
import { element } from "./element.ts";
import { gridColumns, pinnedWidthPx, type GridColumn } from "./gridColumns.ts";
import type { GridContent } from "./gridContent.ts";
import { applyLook } from "./applyLook.ts";
import { createGridRow, gridCell, type GridRow } from "./gridRow.ts";
import { sortRows, type Sorting } from "./sortRows.ts";
import { viewWordsOf } from "./viewWordsOf.ts";

const usualHeight = 28;
/**
 * Maximum height in pixels, because browsers do not support much higher elements. Higher tables scale their scrolling.
 */
const highest = 12_000_000;
/** Number of rows drawn above and below the visible rows. */
const spareRows = 6;
const mostCopiedRows = 100_000;
/** Maximum number of rows on paper. */
export const mostPrintedRows = 10_000;

/** A table that draws only its visible rows. */
export interface Grid {
  readonly root: HTMLElement;
  show(content: GridContent): void;
  /** Shows all rows below each other for paper, or only the visible rows again. */
  print(isOnPaper: boolean): void;
  /** Returns the order in which the reader sorted the rows; undefined for the order of the answer. */
  sorting(): Sorting | undefined;
  close(): void;
}

/**
 * Creates a table for any number of rows. Only visible rows have elements, and scrolling changes their contents.
 * Clicking a header calls `onSort`, and sorts the loaded rows unless the host sorts. Copying without a selection copies
 * the loaded rows as TSV.
 */
export function createGrid(onSort?: (sorting: Sorting | undefined) => void): Grid {
  const head = element("div", { role: "rowgroup", class: "mf-grid-head" });
  const body = element("div", { role: "rowgroup", class: "mf-grid-body" });
  const root = element(
    "div",
    { class: "mf-grid", part: "table", role: "table", tabindex: 0 },
    head,
    body,
  );
  let content: GridContent | undefined;
  let columns: readonly GridColumn[] = [];
  let order: readonly number[] = [];
  let sorting: Sorting | undefined;
  let rowHeight = usualHeight;
  let pool: GridRow[] = [];
  let frame = 0;
  let isOnPaper = false;

  const update = () => {
    frame = 0;
    if (!content) return;
    const { rows } = content;
    const whole = order.length * rowHeight;
    const scale = Math.max(1, whole / highest);
    const height = root.clientHeight || 400;
    const top = root.scrollTop;
    const first = isOnPaper ? 0 : Math.max(0, Math.floor((top * scale) / rowHeight) - spareRows);
    const visible = Math.ceil(height / rowHeight) + 2 * spareRows;
    const count = Math.min(order.length - first, isOnPaper ? mostPrintedRows : visible);
    while (pool.length < count) {
      const made = createGridRow(columns);
      pool.push(made);
      body.append(made.root);
    }
    for (const { root: row } of pool.splice(Math.max(0, count))) row.remove();
    const headCount = head.childElementCount;
    for (let index = 0; index < count; index++) {
      const at = first + index;
      // Row elements are reused in turn, so that one scroll step rewrites only a few of them.
      const { root: row, show } = pool[at % count]!;
      // In very high tables, scrolling is scaled. Rows then keep their normal distance from the top visible row.
      const y = scale === 1 ? at * rowHeight : top + (at * rowHeight - top * scale);
      row.style.setProperty("transform", `translateY(${y}px)`);
      const source = order[at]!;
      const place = String(at + 1 + headCount);
      if (row.dataset["row"] === String(source) && row.ariaRowIndex === place) continue;
      row.dataset["row"] = String(source);
      row.ariaRowIndex = place;
      row.classList.toggle("mf-odd", at % 2 === 1);
      show(rows[source] ?? []);
    }
  };
  const later = () => {
    frame ||= requestAnimationFrame(update);
  };

  function rebuild(): void {
    if (!content) return;
    const { rows, totals, localeId, name } = content;
    pool = [];
    body.replaceChildren();
    order = sortRows(rows, columns, content.isSortedByHost ? undefined : sorting, localeId);
    root.ariaLabel = name;
    root.ariaRowCount = String(rows.length + (totals ? 2 : 1));
    root.ariaColCount = String(columns.length);
    const words = viewWordsOf(localeId);
    head.replaceChildren(
      element(
        "div",
        { role: "row", class: "mf-row", "aria-rowindex": 1 },
        ...columns.map((column, cell) => {
          const isSorted = sorting?.cell === cell;
          const isUp = sorting?.direction === 1;
          const shown = `${column.name}${isSorted ? (isUp ? " ↑" : " ↓") : ""}`;
          const button = element("button", { type: "button", title: column.name }, shown);
          button.addEventListener("click", () => sortBy(cell));
          const made = gridCell("columnheader", column, columns[cell + 1]);
          if (isSorted) {
            made.ariaSort = isUp ? "ascending" : "descending";
            made.setAttribute("aria-description", isUp ? words.ascending : words.descending);
          }
          made.append(button);
          // Browsers repeat the head of a table on each sheet without its buttons.
          made.dataset["name"] = shown;
          return made;
        }),
      ),
      ...(totals ? [totalsRow(totals, localeId)] : []),
    );
    body.style.setProperty("height", `${Math.min(highest, order.length * rowHeight)}px`);
    update();
  }

  /** Creates the totals row. The first column without a total contains the label of the row. */
  function totalsRow(totals: readonly ChartCell[], localeId: string): HTMLElement {
    const cells = columns.map((column, cell) => {
      const made = gridCell("cell", column, columns[cell + 1]);
      const isNamed = cell === totals.indexOf(null);
      if (totals[cell] !== null) made.textContent = column.text(totals[cell]);
      else if (isNamed) made.textContent = wordsOf(localeId).total;
      return made;
    });
    return element("div", { role: "row", class: "mf-row mf-totals", "aria-rowindex": 2 }, ...cells);
  }

  /** Pins columns, unless they would take up so much space that too little remains for the others. */
  function pin(): void {
    const pinned = pinnedWidthPx(columns);
    root.classList.toggle("mf-pinned", pinned > 0 && pinned <= root.clientWidth * 0.6);
  }

  function sortBy(cell: number): void {
    const first = columns[cell]?.isNumeric ? -1 : 1;
    sorting =
      sorting?.cell !== cell
        ? { cell, direction: first }
        : sorting.direction === first
          ? { cell, direction: first === 1 ? -1 : 1 }
          : undefined;
    onSort?.(sorting);
    rebuild();
    head.querySelectorAll("button")[cell]?.focus();
  }

  const copy = (event: ClipboardEvent) => {
    if (!content || !event.clipboardData || !getSelection()?.isCollapsed) return;
    const lines = order
      .slice(0, mostCopiedRows)
      .map((row) => columns.map((column, cell) => column.text(content?.rows[row]?.[cell])));
    const names = columns.map(({ name }) => name);
    event.clipboardData.setData(
      "text/plain",
      [names, ...lines].map((line) => line.join("\t")).join("\n"),
    );
    event.preventDefault();
  };
  root.addEventListener("scroll", later, { passive: true });
  root.addEventListener("copy", copy);
  const observer = new ResizeObserver(() => {
    pin();
    later();
  });
  observer.observe(root);

  return {
    root,
    show(next) {
      const isOther = content?.fields.length !== next.fields.length;
      const isSame =
        content?.rows === next.rows &&
        content.totals === next.totals &&
        content.item === next.item &&
        content.theme === next.theme &&
        content.localeId === next.localeId;
      content = next;
      if (isSame && !isOther) return later();
      if (isOther) sorting = undefined;
      columns = gridColumns(next);
      const widths = columns.map(({ widthPx }) => widthPx);
      root.style.setProperty(
        "--mf-columns",
        widths.map((px) => `minmax(${px}px, ${px}fr)`).join(" "),
      );
      const whole = widths.reduce((sum, px) => sum + px, 0);
      root.style.setProperty("--mf-width", `max(100%, ${whole}px)`);
      const look = tableLook(next.item, next.theme);
      rowHeight = look.rowHeightPx ?? usualHeight;
      applyLook(root, look, next.theme);
      pin();
      rebuild();
    },
    print(wanted) {
      isOnPaper = wanted;
      update();
    },
    sorting: () => sorting,
    close() {
      observer.disconnect();
      cancelAnimationFrame(frame);
    },
  };
}
