import {
  measureText,
  readColumns,
  type ChartCell,
  type ChartColumn,
  type SlotField,
} from "../../../charts/index.ts";
import { element } from "./element.ts";
import { viewWordsOf } from "./viewWords.ts";

const rowHeight = 28;
/** Browsers refuse elements that are much higher; beyond it, scrolling is scaled. */
const highest = 12_000_000;
/** Rows above and below the visible ones. */
const spareRows = 6;
/** Rows by which the widths of columns are measured. */
const measuredRows = 200;
const narrowest = 64;
const widest = 320;
const mostCopiedRows = 100_000;

export interface GridContent {
  readonly name: string;
  readonly fields: readonly SlotField[];
  readonly rows: readonly (readonly ChartCell[])[];
  readonly localeId: string;
  readonly timezoneId: string;
  /** Draws bars in the cells of numbers, over the range of their column. */
  readonly hasBars?: boolean;
}

export interface Grid {
  readonly root: HTMLElement;
  show(content: GridContent): void;
  close(): void;
}

/** The elements of a visible row, which show another row after a scroll. */
interface PooledRow {
  readonly row: HTMLElement;
  readonly cells: readonly { readonly cell: HTMLElement; readonly text: Text }[];
}

interface Sorting {
  readonly cell: number;
  readonly direction: 1 | -1;
}

/**
 * Makes a table of any number of rows: only visible rows have elements, and scrolling changes their texts. Headers sort
 * the rows that are here; copying without a selection copies them as TSV.
 */
export function createGrid(): Grid {
  const head = element("div", { role: "rowgroup", class: "mf-grid-head" });
  const body = element("div", { role: "rowgroup", class: "mf-grid-body" });
  const root = element(
    "div",
    { class: "mf-grid", part: "table", role: "table", tabindex: 0 },
    head,
    body,
  );
  let content: GridContent | undefined;
  let columns: readonly ChartColumn[] = [];
  let order: readonly number[] = [];
  let sorting: Sorting | undefined;
  let bars: readonly number[] = [];
  let pool: PooledRow[] = [];
  let frame = 0;

  const update = () => {
    frame = 0;
    if (!content) return;
    const { rows } = content;
    const whole = order.length * rowHeight;
    const scale = Math.max(1, whole / highest);
    const height = root.clientHeight || 400;
    const top = root.scrollTop;
    const first = Math.max(0, Math.floor((top * scale) / rowHeight) - spareRows);
    const count = Math.min(order.length - first, Math.ceil(height / rowHeight) + 2 * spareRows);
    while (pool.length < count) {
      const cells = columns.map(({ isNumeric }) => {
        const text = document.createTextNode("");
        const attributes = { role: "cell", ...(isNumeric && { class: "mf-number" }) };
        return { text, cell: element("div", attributes, text) };
      });
      const row = element(
        "div",
        { role: "row", class: "mf-row" },
        ...cells.map(({ cell }) => cell),
      );
      pool.push({ row, cells });
      body.append(row);
    }
    for (const { row } of pool.splice(Math.max(0, count))) row.remove();
    for (let index = 0; index < count; index++) {
      const at = first + index;
      // Rows take turns, so that a step of the wheel writes a few of them.
      const { row, cells: pooled } = pool[at % count]!;
      // Where scrolling is scaled, rows keep their distance around the top.
      const y = scale === 1 ? at * rowHeight : top + (at * rowHeight - top * scale);
      row.style.setProperty("transform", `translateY(${y}px)`);
      const source = order[at]!;
      if (row.dataset["row"] === String(source) && row.ariaRowIndex === String(at + 2)) continue;
      row.dataset["row"] = String(source);
      row.ariaRowIndex = String(at + 2);
      const cells = rows[source] ?? [];
      for (const [cell, column] of columns.entries()) {
        const { cell: shown, text } = pooled[cell]!;
        const value = cells[cell];
        text.data = column.text(value);
        const isMissing = value === null || value === undefined;
        if (shown.classList.contains("mf-missing") !== isMissing)
          shown.classList.toggle("mf-missing", isMissing);
        const most = bars[cell] ?? 0;
        if (most > 0) drawBar(shown, (column.number(value) ?? 0) / most);
      }
    }
  };
  const later = () => {
    frame ||= requestAnimationFrame(update);
  };

  function rebuild(): void {
    if (!content) return;
    const { rows, localeId, name } = content;
    pool = [];
    body.replaceChildren();
    order = sorted(rows, columns, sorting, localeId);
    root.ariaLabel = name;
    root.ariaRowCount = String(rows.length + 1);
    root.ariaColCount = String(columns.length);
    const words = viewWordsOf(localeId);
    head.replaceChildren(
      element(
        "div",
        { role: "row", class: "mf-row", "aria-rowindex": 1 },
        ...columns.map((column, cell) => {
          const isSorted = sorting?.cell === cell;
          const isUp = sorting?.direction === 1;
          const button = element(
            "button",
            { type: "button", title: column.name },
            `${column.name}${isSorted ? (isUp ? " ↑" : " ↓") : ""}`,
          );
          button.addEventListener("click", () => sortBy(cell));
          return element(
            "div",
            {
              role: "columnheader",
              ...(column.isNumeric && { class: "mf-number" }),
              ...(isSorted && {
                "aria-sort": isUp ? "ascending" : "descending",
                "aria-description": isUp ? words.ascending : words.descending,
              }),
            },
            button,
          );
        }),
      ),
    );
    body.style.setProperty("height", `${Math.min(highest, order.length * rowHeight)}px`);
    update();
  }

  function sortBy(cell: number): void {
    const first = columns[cell]?.isNumeric ? -1 : 1;
    sorting =
      sorting?.cell !== cell
        ? { cell, direction: first }
        : sorting.direction === first
          ? { cell, direction: first === 1 ? -1 : 1 }
          : undefined;
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
  const observer = new ResizeObserver(later);
  observer.observe(root);

  return {
    root,
    show(next) {
      const isOther = content?.fields.length !== next.fields.length;
      const isSame = content?.rows === next.rows && content.localeId === next.localeId;
      content = next;
      if (isSame && !isOther) return later();
      if (isOther) sorting = undefined;
      columns = readColumns(next);
      const { widths, total } = widthsOf(columns, next.rows);
      root.style.setProperty(
        "--mf-columns",
        widths.map((px) => `minmax(${px}px, ${px}fr)`).join(" "),
      );
      root.style.setProperty("--mf-width", `max(100%, ${total}px)`);
      bars = columns.map((column, cell) =>
        next.hasBars && column.isNumeric ? largest(column, cell, next.rows) : 0,
      );
      rebuild();
    },
    close() {
      observer.disconnect();
      cancelAnimationFrame(frame);
    },
  };
}

function drawBar(cell: HTMLElement, share: number): void {
  cell.classList.add("mf-bar");
  cell.style.setProperty("--mf-share", String(Math.abs(share)));
  cell.style.setProperty("--mf-bar", share < 0 ? "var(--mf-negative)" : "var(--mf-accent)");
}

function largest(
  column: ChartColumn,
  cell: number,
  rows: readonly (readonly ChartCell[])[],
): number {
  let most = 0;
  for (const row of rows) most = Math.max(most, Math.abs(column.number(row[cell]) ?? 0));
  return most;
}

function widthsOf(columns: readonly ChartColumn[], rows: readonly (readonly ChartCell[])[]) {
  const measured = rows.slice(0, measuredRows);
  const widths = columns.map((column, cell) => {
    const texts = measured.map((row) => measureText(column.text(row[cell]), 13));
    const most = Math.max(measureText(column.name, 12, 600) + 14, ...texts) + 22;
    return Math.round(Math.min(widest, Math.max(narrowest, most)));
  });
  return { widths, total: widths.reduce((sum, width) => sum + width, 0) };
}

/** Sorts the places of rows by a column; missing values come last in both directions. O(rows log rows). */
function sorted(
  rows: readonly (readonly ChartCell[])[],
  columns: readonly ChartColumn[],
  sorting: Sorting | undefined,
  localeId: string,
): number[] {
  const places = rows.map((_, index) => index);
  const column = columns[sorting?.cell ?? -1];
  if (!sorting || !column) return places;
  const { cell, direction } = sorting;
  if (column.isNumeric || column.isDatetime) {
    const values = rows.map((row) => column.number(row[cell]) ?? column.wallMs(row[cell]) ?? NaN);
    return places.sort((one, other) => {
      const [a, b] = [values[one]!, values[other]!];
      if (Number.isNaN(a) || Number.isNaN(b))
        return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
      return direction * (a - b) || one - other;
    });
  }
  const { compare } = new Intl.Collator(localeId, { numeric: true });
  const texts = rows.map((row) => (row[cell] == null ? null : column.text(row[cell])));
  return places.sort((one, other) => {
    const [a, b] = [texts[one]!, texts[other]!];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return direction * compare(a, b) || one - other;
  });
}
