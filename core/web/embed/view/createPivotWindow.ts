import type { LaidPivot } from "./layPivot.ts";

/** Rows and columns that are drawn beyond the visible ones. */
const spareRows = 8;
const spareColumns = 3;

/** A range of rows or columns: the first, and the one after the last. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A cell in the body of a pivot table. Columns begin with those of the names. */
export interface PivotPlace {
  readonly row: number;
  readonly column: number;
}

/** The part of a pivot table that is visible: values scroll, and the columns of names stay. */
export interface PivotWindow {
  /** Heights and widths in pixels. */
  readonly rowHeight: number;
  readonly nameWidths: readonly number[];
  readonly namesWidth: number;
  /** Distributes the width of the scrolling element. Returns the widths of all columns, those of the names first. */
  measure(laid: LaidPivot, rowHeight: number): readonly number[];
  visibleRows(): Span;
  visibleColumns(): Span;
  /** Scrolls so that a cell is neither outside nor behind the names. `headHeight` is that of the fixed head. */
  reveal(place: PivotPlace, headHeight: number): void;
}

/** Creates the window of a pivot table that scrolls in `scroller`. Names take at most half of its width. */
export function createPivotWindow(scroller: HTMLElement): PivotWindow {
  let rowHeight = 0;
  let rowCount = 0;
  let nameWidths: readonly number[] = [];
  /** Left edges of the columns of values, from the end of the names, and the end of the last. */
  let lefts: readonly number[] = [0];

  const namesWidth = () => nameWidths.reduce((sum, px) => sum + px, 0);

  return {
    get rowHeight() {
      return rowHeight;
    },
    get nameWidths() {
      return nameWidths;
    },
    get namesWidth() {
      return namesWidth();
    },
    measure(laid, height) {
      rowHeight = height;
      rowCount = laid.rows.length;
      const width = scroller.clientWidth;
      const most = Math.max(48, Math.floor(width / 2));
      const wanted = laid.names.map(({ widthPx }) => widthPx);
      const names = wanted.reduce((sum, px) => sum + px, 0);
      const values = laid.columns.reduce((sum, { widthPx }) => sum + widthPx, 0);
      const shrink = names > most && names + values > width ? most / names : 1;
      nameWidths = wanted.map((px) => Math.floor(px * shrink));
      const room = width - namesWidth();
      const grow = values > 0 && values < room ? room / values : 1;
      const widths = laid.columns.map(({ widthPx }) => Math.floor(widthPx * grow));
      let left = 0;
      lefts = [0, ...widths.map((px) => (left += px))];
      return [...nameWidths, ...widths];
    },
    visibleRows() {
      const from = Math.floor(scroller.scrollTop / rowHeight);
      const height = scroller.clientHeight || 400;
      return {
        from: Math.max(0, Math.min(rowCount, from - spareRows)),
        to: Math.min(rowCount, from + Math.ceil(height / rowHeight) + spareRows),
      };
    },
    visibleColumns() {
      const count = lefts.length - 1;
      const begin = Math.abs(scroller.scrollLeft);
      const from = lefts.findLastIndex((each) => each <= begin);
      const to = lefts.findIndex((each) => each >= begin + scroller.clientWidth);
      return {
        from: Math.max(0, from - spareColumns),
        to: Math.min(count, (to === -1 ? count : to) + spareColumns),
      };
    },
    reveal({ row, column }, headHeight) {
      const top = row * rowHeight;
      if (top < scroller.scrollTop) scroller.scrollTop = top;
      const low = top + rowHeight + headHeight - scroller.clientHeight;
      if (low > scroller.scrollTop) scroller.scrollTop = low;
      const index = column - nameWidths.length;
      if (index < 0) return;
      const isRtl = getComputedStyle(scroller).direction === "rtl";
      const left = lefts[index] ?? 0;
      const far = (lefts[index + 1] ?? left) + namesWidth() - scroller.clientWidth;
      const now = Math.abs(scroller.scrollLeft);
      const next = left < now ? left : far > now ? far : now;
      if (next !== now) scroller.scrollLeft = isRtl ? -next : next;
    },
  };
}
