import {
  counted,
  readColumns,
  tableLook,
  titleOf,
  wordsOf,
  type Mark,
  type PivotHead,
  type PivotParts,
  type PlacedColumn,
} from "../../charts/index.ts";
import { applyLook } from "./applyLook.ts";
import { adoptStyles } from "./adoptStyles.ts";
import type { TitledGrid } from "./createTitledGrid.ts";
import { copyPivot } from "./copyPivot.ts";
import { createPivotWindow, type PivotPlace, type Span } from "./createPivotWindow.ts";
import { element } from "./element.ts";
import { paintCell } from "./gridRow.ts";
import type { ItemPicture, ItemState } from "./itemPicture.ts";
import type { ItemViewOptions } from "./itemViewOptions.ts";
import {
  cellAt,
  indentPx,
  layPivot,
  pathOf,
  type LaidPivot,
  type PivotSorting,
  type PivotState,
  type PivotTrack,
} from "./layPivot.ts";
import { mostPrintedRows } from "./createGrid.ts";
import { pivotNotes } from "./pivotNotes.ts";
import { pivotStyles } from "./pivotStyles.ts";
import { viewWordsOf } from "./viewWordsOf.ts";

const usualHeight = 28;
const wrappedHeight = 44;

type Answer = Extract<ItemState, { kind: "answer" }>;

/**
 * Creates a pivot table with its title. Names of rows and columns stay in place while the values scroll, and only the
 * visible cells have elements. Groups collapse and expand. Clicking a name sorts the rows within their groups. Arrow
 * keys move between cells; Enter opens and closes groups and chooses values.
 */
export function createPivotTable(
  parts: PivotParts,
  { onChoose, onDrill }: Pick<ItemViewOptions, "onChoose" | "onDrill">,
): TitledGrid {
  const title = element("div", { class: "mf-title", part: "title" });
  /** Says on paper how many rows are left out. */
  const rest = element("div", { class: "mf-foot mf-rest" });
  const foot = element("div", { class: "mf-foot" });
  const columnElements = element("colgroup");
  const head = element("thead");
  const body = element("tbody");
  const table = element("table", { role: "grid", part: "table" }, columnElements, head, body);
  const scroller = element("div", { class: "mf-pivot" }, table);
  const root = element("div", { class: "mf-titled" }, title, scroller, rest, foot);

  let shown: { readonly picture: ItemPicture; readonly answer: Answer } | undefined;
  let state: PivotState = { rows: new Set(), columns: new Set(), sorting: undefined };
  let laid: LaidPivot | undefined;
  let rowHeight = usualHeight;
  let place: PivotPlace = { row: 0, column: 0 };
  let drawn = "";
  let frame = 0;
  let isOnPaper = false;

  const visible = createPivotWindow(scroller);

  /** Lays out the table again, after its content or the reader's choices changed. */
  function rebuild(): void {
    if (!shown) return;
    const { picture } = shown;
    laid = layPivot(parts, shown, state);
    const look = tableLook(picture.item, picture.theme);
    rowHeight = look.isWrapped ? wrappedHeight : usualHeight;
    applyLook(scroller, { ...look, rowHeightPx: rowHeight }, picture.theme);
    scroller.classList.toggle("mf-wrapped", look.isWrapped);
    scroller.classList.toggle("mf-held", look.isRowHeadSticky);
    const sides = { heads: look.headAlign, names: look.rowHeadAlign, values: look.valueAlign };
    for (const [name, side] of Object.entries(sides))
      if (side === undefined) scroller.removeAttribute(`data-${name}`);
      else scroller.setAttribute(`data-${name}`, side);
    place = { row: Math.min(place.row, Math.max(0, laid.rows.length - 1)), column: place.column };
    drawn = "";
    measure();
  }

  /** Distributes the width, and draws what is visible. */
  function measure(): void {
    if (!laid) return;
    const widths = visible.measure(laid, rowHeight);
    columnElements.replaceChildren(
      ...widths.map((px) => {
        const made = element("col");
        made.style.setProperty("width", `${px}px`);
        return made;
      }),
    );
    table.style.setProperty("width", `${widths.reduce((sum, px) => sum + px, 0)}px`);
    const heldWidth = scroller.classList.contains("mf-held") ? visible.namesWidth : 0;
    scroller.style.setProperty("--mf-held", `${heldWidth}px`);
    drawn = "";
    update();
  }

  function update(): void {
    frame = 0;
    if (!laid || !shown) return;
    const rows = isOnPaper
      ? { from: 0, to: Math.min(laid.rows.length, mostPrintedRows) }
      : visible.visibleRows();
    const columns = isOnPaper ? { from: 0, to: laid.columns.length } : visible.visibleColumns();
    const now = `${rows.from} ${rows.to} ${columns.from} ${columns.to}`;
    if (now !== drawn) {
      drawn = now;
      const inside = root.getRootNode();
      const focused =
        inside instanceof Document || inside instanceof ShadowRoot ? inside.activeElement : null;
      const isBody = focused !== null && body.contains(focused);
      const headFocus =
        focused instanceof HTMLElement && head.contains(focused)
          ? focused.dataset["key"]
          : undefined;
      drawHead(columns);
      drawBody(rows, columns);
      if (isBody) focusPlace();
      else if (headFocus !== undefined)
        [...head.querySelectorAll<HTMLElement>("[data-key]")]
          .find(({ dataset: { key } }) => key === headFocus)
          ?.focus({ preventScroll: true });
    }
    markChosen();
  }
  const later = () => {
    frame ||= requestAnimationFrame(update);
  };

  function drawHead(columns: Span): void {
    if (!laid || !shown) return;
    const { pivot, names, totals } = laid;
    const { measures, settings, columnFields } = pivot;
    const fieldCount = columnFields.length;
    const hasMeasures = !settings.hasMeasureRows && (measures.length > 1 || fieldCount === 0);
    const levelCount = Math.max(1, fieldCount + Number(hasMeasures));
    const made = Array.from({ length: levelCount }, (_, index) =>
      element("tr", { "aria-rowindex": index + 1 }),
    );
    for (const [index, { title: name, fields }] of names.entries()) {
      const cell = nameCell(name === "" ? "td" : "th", index);
      if (name !== "") cell.scope = "col";
      cell.rowSpan = levelCount;
      if (fields.length > 0) {
        const key = `field ${index}`;
        const isSorted = state.sorting?.fields?.join() === fields.join();
        cell.append(sortButton(cell, { name, key, isSorted, by: { fields }, first: 1 }));
      }
      made[0]?.append(cell);
    }
    for (let level = 0; level < levelCount; level++) drawLevel(level);
    const rows = totals.map((track, index) =>
      bodyRow(track, { columns, index: levelCount + index + 1, row: undefined }),
    );
    for (const row of rows) row.classList.add("mf-totals");
    head.replaceChildren(...made, ...rows);

    function drawLevel(level: number): void {
      const row = made[level];
      if (!row || !laid) return;
      row.append(...space("th", { from: 0, to: columns.from }));
      for (let index = columns.from; index < columns.to;) {
        const track = laid.columns[index];
        if (!track) break;
        const isMeasureLevel = level >= fieldCount;
        const at = isMeasureLevel ? undefined : headAt(track, level + 1, fieldCount);
        let end = index + 1;
        if (!isMeasureLevel)
          while (end < columns.to) {
            const next = laid.columns[end];
            if (!next || headAt(next, level + 1, fieldCount)?.id !== at?.id) break;
            end++;
          }
        if (isMeasureLevel || at) {
          const rowSpan = at?.rowSpan ?? 1;
          const isLowest = level + rowSpan === levelCount;
          const cell = element("th", { "aria-colindex": names.length + index + 1 });
          cell.scope = isLowest ? "col" : "colgroup";
          if (end - index > 1) cell.colSpan = end - index;
          if (rowSpan > 1) cell.rowSpan = rowSpan;
          fillHead(cell, track, { at, isLowest, isGroup: end - index > 1 });
          row.append(cell);
        } else if (level === 0) row.append(element("th", { class: "mf-space" }));
        index = end;
      }
      row.append(...space("th", { from: columns.to, to: laid.columns.length }));
    }
  }

  /** Fills the cell above columns: a button that sorts, or the name of a group with a button that collapses it. */
  function fillHead(
    cell: HTMLTableCellElement,
    track: PivotTrack,
    of: {
      readonly at: HeadCell | undefined;
      readonly isLowest: boolean;
      readonly isGroup: boolean;
    },
  ): void {
    const { at, isLowest } = of;
    const { total } = wordsOf(shown?.picture.localeId ?? "en");
    const name = at ? (at.isTotal ? total : at.name) : (track.measure?.name ?? "");
    cell.title = at?.head
      ? pathOf(at.head)
          .map((each) => each.name)
          .join(" · ")
      : name;
    const fold =
      at?.head && at.head.children.length > 0 && laid?.pivot.settings.isExpandable
        ? foldButton(at.head, "columns")
        : undefined;
    const { head: column } = track.line;
    const measure = track.measure;
    if (isLowest && measure) {
      const key = `column ${column.key} ${measure.cell}`;
      const { sorting } = state;
      const isSorted =
        sorting?.column?.key === column.key && sorting.measure?.cell === measure.cell;
      if (fold) cell.append(fold);
      cell.append(sortButton(cell, { name, key, isSorted, by: { column, measure }, first: -1 }));
      return;
    }
    const text = element("span", { class: "mf-text" }, name);
    cell.append(element("span", { class: "mf-lasting" }, ...(fold ? [fold] : []), text));
  }

  function sortButton(
    cell: HTMLElement,
    of: {
      readonly name: string;
      readonly key: string;
      readonly isSorted: boolean;
      readonly by: Omit<PivotSorting, "direction">;
      readonly first: 1 | -1;
    },
  ): HTMLElement {
    const { name, key, isSorted, by, first } = of;
    const { sorting } = state;
    const isUp = sorting?.direction === 1;
    const words = viewWordsOf(shown?.picture.localeId ?? "en");
    if (isSorted) {
      cell.ariaSort = isUp ? "ascending" : "descending";
      cell.setAttribute("aria-description", isUp ? words.ascending : words.descending);
    }
    const text = `${name}${isSorted ? (isUp ? " ↑" : " ↓") : ""}`;
    const button = element(
      "button",
      { type: "button", class: "mf-sort", title: name, "data-key": key },
      text,
    );
    button.addEventListener("click", () => {
      const next: PivotSorting | undefined = !isSorted
        ? { ...by, direction: first }
        : sorting?.direction === first
          ? { ...by, direction: first === 1 ? -1 : 1 }
          : undefined;
      state = { ...state, sorting: next };
      rebuild();
    });
    return button;
  }

  function foldButton(of: PivotHead, axis: "rows" | "columns"): HTMLElement {
    const isCollapsed = state[axis].has(of.key);
    const button = element("button", {
      type: "button",
      class: "mf-fold",
      "aria-expanded": String(!isCollapsed),
      "aria-label": of.name,
      "data-key": `${axis} ${of.key}`,
      tabindex: axis === "rows" ? -1 : undefined,
    });
    button.addEventListener("click", (event) => {
      event.stopPropagation();
      fold(of, axis);
    });
    return button;
  }

  function fold(of: PivotHead, axis: "rows" | "columns"): void {
    const collapsed = new Set(state[axis]);
    if (!collapsed.delete(of.key)) collapsed.add(of.key);
    state = { ...state, [axis]: collapsed };
    rebuild();
  }

  function drawBody(rows: Span, columns: Span): void {
    if (!laid) return;
    const count = laid.rows.length;
    const above = head.rows.length;
    const lines = laid.rows.slice(rows.from, rows.to).map((track, index) => {
      const row = rows.from + index;
      return bodyRow(track, { columns, index: above + row + 1, row });
    });
    body.replaceChildren(
      ...spaceRow(rows.from * rowHeight),
      ...lines,
      ...spaceRow((count - rows.to) * rowHeight),
    );
    table.ariaRowCount = String(above + count);
    table.ariaColCount = String(laid.names.length + laid.columns.length);
    const first = body.querySelector<HTMLElement>("[data-place]");
    const own = cellOfPlace() ?? first;
    if (own) own.tabIndex = 0;
  }

  function bodyRow(
    track: PivotTrack,
    of: { readonly columns: Span; readonly index: number; readonly row: number | undefined },
  ): HTMLTableRowElement {
    const { columns, index, row } = of;
    const isSum = track.line.role !== "value";
    const made = element("tr", { "aria-rowindex": index });
    made.classList.toggle("mf-sum", isSum);
    made.classList.toggle("mf-odd", row !== undefined && row % 2 === 1);
    if (!laid || !shown) return made;
    for (const [position] of laid.names.entries()) {
      const name = nameAt(track, position, row);
      const cell = nameCell(name.text === "" ? "td" : "th", position);
      const isGroup = track.line.role === "group" && track.line.isExpanded;
      if (name.text !== "") cell.scope = isGroup ? "rowgroup" : "row";
      fillName(cell, track, name);
      if (row !== undefined) cell.dataset["place"] = `${row} ${position}`;
      if (row !== undefined) cell.tabIndex = -1;
      made.append(cell);
    }
    made.append(...space("td", { from: 0, to: columns.from }));
    for (let column = columns.from; column < columns.to; column++) {
      const across = laid.columns[column];
      if (!across) break;
      const cell = element("td", { "aria-colindex": laid.names.length + column + 1 });
      if (row !== undefined) {
        cell.dataset["place"] = `${row} ${laid.names.length + column}`;
        cell.tabIndex = -1;
      }
      fillValue(cell, track, across);
      made.append(cell);
    }
    made.append(...space("td", { from: columns.to, to: laid.columns.length }));
    return made;
  }

  /** Returns what a cell of the names shows, and the group that its button collapses. */
  function nameAt({ line, measure }: PivotTrack, position: number, row: number | undefined): Name {
    if (!laid || !shown) return { text: "" };
    const { total } = wordsOf(shown.picture.localeId);
    if (laid.names[position]?.fields.length === 0) return { text: measure?.name ?? "" };
    if (row === undefined) return { text: position === 0 ? total : "" };
    const { head: own, role } = line;
    const path = pathOf(own);
    const at = laid.isIndented ? own : path[position];
    if (!at) return { text: role === "total" && position === own.depth ? total : "" };
    const before = laid.rows[row - 1]?.line.head;
    const isFirst =
      before === undefined || (laid.isIndented ? before !== own : pathOf(before)[position] !== at);
    const isFoldable = at.children.length > 0 && isFirst && laid.pivot.settings.isExpandable;
    return { text: at.name, ...(isFoldable && { group: at }) };
  }

  function fillName(cell: HTMLElement, { line }: PivotTrack, { text, group }: Name): void {
    if (!laid) return;
    const path = pathOf(line.head).map(({ name }) => name);
    if (group) cell.append(foldButton(group, "rows"));
    if (laid.isIndented && cell.ariaColIndex === "1" && line.head.depth > 0) {
      if (!group) cell.append(element("span", { class: "mf-fold", "aria-hidden": "true" }));
      cell.style.setProperty("padding-inline-start", `${10 + (line.head.depth - 1) * indentPx}px`);
      cell.ariaLabel = path.join(", ");
    }
    cell.append(textSpan(text));
    cell.title = path.join(" · ");
  }

  function fillValue(cell: HTMLElement, row: PivotTrack, column: PivotTrack): void {
    if (!laid) return;
    const found = cellAt(laid, row, column);
    if (!found) return;
    const { measure, cell: value, row: answerRow } = found;
    const format = laid.formatOf(measure);
    const isMissing = value === null || value === undefined;
    const written = measure.text(value);
    const isTotal = row.line.role !== "value" || column.line.role !== "value";
    if (isMissing) cell.classList.add("mf-missing");
    if (column.line.role !== "value" && column.line.head.depth < laid.pivot.columnFields.length)
      cell.classList.add("mf-sum");
    if (answerRow !== undefined && (onChoose || onDrill)) cell.dataset["row"] = String(answerRow);
    if (format.isTextHidden) cell.ariaLabel = written;
    const text = format.isTextHidden ? "" : written;
    cell.append(element("span", {}, text));
    if (!isTotal)
      paintCell(cell, { format, longestBar: barOf(measure), number: measure.number }, value);
  }

  const bars = new Map<number, number>();
  function barOf(measure: PlacedColumn): number {
    if (!laid || laid.formatOf(measure).barColor === undefined) return 0;
    const known = bars.get(measure.cell);
    if (known !== undefined) return known;
    const full = laid.fullBarOf(measure);
    bars.set(measure.cell, full);
    return full;
  }

  function nameCell(kind: "th" | "td", position: number): HTMLTableCellElement {
    const cell = element(kind, { class: "mf-names", "aria-colindex": position + 1 });
    const left = visible.nameWidths.slice(0, position).reduce((sum, px) => sum + px, 0);
    cell.style.setProperty("--mf-left", `${left}px`);
    cell.classList.toggle("mf-names-last", position === visible.nameWidths.length - 1);
    return cell;
  }

  /** Creates the cell that stands for columns that are not drawn. */
  function space(kind: "th" | "td", { from, to }: Span): readonly HTMLElement[] {
    if (to <= from) return [];
    return [element(kind, { class: "mf-space", colspan: to - from, "aria-hidden": "true" })];
  }

  function spaceRow(height: number): readonly HTMLElement[] {
    if (height <= 0 || !laid) return [];
    const cell = element("td", {
      class: "mf-space",
      colspan: laid.names.length + laid.columns.length,
    });
    cell.style.setProperty("height", `${height}px`);
    return [element("tr", { "aria-hidden": "true" }, cell)];
  }

  function markChosen(): void {
    const chosen = shown?.picture.chosenRows;
    const isChosen = chosen !== undefined && chosen.size > 0;
    scroller.classList.toggle("mf-chosen", isChosen);
    for (const cell of body.querySelectorAll<HTMLElement>("td[data-row]")) {
      const isKept = isChosen && chosen.has(Number(cell.dataset["row"]));
      cell.classList.toggle("mf-kept", isKept);
      if (isChosen) cell.ariaSelected = String(isKept);
      else cell.removeAttribute("aria-selected");
    }
  }

  function cellOfPlace(): HTMLElement | null {
    return body.querySelector<HTMLElement>(`[data-place="${place.row} ${place.column}"]`);
  }

  function focusPlace(): void {
    const cell = cellOfPlace();
    if (!cell) return;
    for (const other of body.querySelectorAll<HTMLElement>('[tabindex="0"]')) other.tabIndex = -1;
    cell.tabIndex = 0;
    cell.focus({ preventScroll: true });
  }

  function markOf(cell: HTMLElement): Mark | undefined {
    const { row } = cell.dataset;
    if (row === undefined) return undefined;
    return { row: Number(row), category: "", series: "", value: cell.textContent };
  }

  function choose(cell: HTMLElement, isAdded: boolean): void {
    const mark = markOf(cell);
    if (mark) onChoose?.({ mark, isAdded });
  }

  body.addEventListener("click", (event) => {
    const cell =
      event.target instanceof Element ? event.target.closest<HTMLElement>("[data-place]") : null;
    if (!cell) return;
    const { place: at = "" } = cell.dataset;
    const [row = 0, column = 0] = at.split(" ").map(Number);
    place = { row, column };
    focusPlace();
    choose(cell, event.shiftKey);
  });
  body.addEventListener("dblclick", (event) => {
    const cell = event.target instanceof Element ? event.target.closest<HTMLElement>("td") : null;
    const mark = cell && markOf(cell);
    if (mark) onDrill?.(mark);
  });
  body.addEventListener("keydown", (event) => {
    if (!laid || event.ctrlKey || event.metaKey || event.altKey) return;
    const lastRow = laid.rows.length - 1;
    const lastColumn = laid.names.length + laid.columns.length - 1;
    const isRtl = getComputedStyle(scroller).direction === "rtl";
    const page = Math.max(
      1,
      Math.floor((scroller.clientHeight - head.offsetHeight) / rowHeight) - 1,
    );
    const { row, column } = place;
    const moves: Readonly<Record<string, PivotPlace>> = {
      ArrowUp: { row: row - 1, column },
      ArrowDown: { row: row + 1, column },
      ArrowLeft: { row, column: column + (isRtl ? 1 : -1) },
      ArrowRight: { row, column: column + (isRtl ? -1 : 1) },
      PageUp: { row: row - page, column },
      PageDown: { row: row + page, column },
      Home: { row, column: 0 },
      End: { row, column: lastColumn },
    };
    const next = moves[event.key];
    if (next) {
      place = {
        row: Math.min(lastRow, Math.max(0, next.row)),
        column: Math.min(lastColumn, Math.max(0, next.column)),
      };
      visible.reveal(place, head.offsetHeight);
      update();
      focusPlace();
    } else if (event.key === "Enter" || event.key === " ") {
      const cell = cellOfPlace();
      const button = cell?.querySelector("button");
      if (button) button.click();
      else if (cell) choose(cell, event.shiftKey);
    } else if (onDrill && (event.key === "+" || event.key === "-")) {
      const cell = cellOfPlace();
      const mark = event.key === "+" && cell ? markOf(cell) : undefined;
      if (event.key === "-" || mark) onDrill(mark);
    } else if (event.key === "Escape" && shown?.picture.chosenRows?.size) onChoose?.(undefined);
    else return;
    event.preventDefault();
  });

  scroller.addEventListener("scroll", later, { passive: true });
  scroller.addEventListener("copy", (event) => {
    if (!event.clipboardData || !getSelection()?.isCollapsed || !laid) return;
    event.clipboardData.setData("text/plain", copyPivot(laid, shown?.picture.localeId ?? "en"));
    event.preventDefault();
  });
  const observer = new ResizeObserver(() => measure());
  observer.observe(scroller);

  return {
    root,
    show(picture, answer) {
      const { item, localeId, timezoneId, theme } = picture;
      const before = shown;
      const isSame =
        before?.answer.rows === answer.rows &&
        before.answer.pivotTotals === answer.pivotTotals &&
        before.picture.item === item &&
        before.picture.theme === theme &&
        before.picture.localeId === localeId &&
        before.picture.timezoneId === timezoneId;
      shown = { picture, answer };
      if (isSame) return markChosen();
      adoptStyles(root, pivotStyles());
      if (before?.picture.item.id !== item.id)
        state = { rows: new Set(), columns: new Set(), sorting: undefined };
      const name = titleOf(
        item,
        readColumns({ fields: answer.fields, localeId, timezoneId }),
        localeId,
      );
      title.textContent = name;
      title.hidden = name === "";
      table.ariaLabel = name || item.type;
      bars.clear();
      rebuild();
      const missesTotals = parts.missesPivotTotals({ ...answer, item });
      foot.textContent = laid
        ? pivotNotes(laid, { answer, localeId, missesTotals }).join(" · ")
        : "";
      const left = (laid?.rows.length ?? 0) - mostPrintedRows;
      rest.textContent = left > 0 ? counted(wordsOf(localeId).moreRows, left, localeId) : "";
    },
    print(wanted) {
      isOnPaper = wanted;
      update();
    },
    sorting: () => undefined,
    close() {
      observer.disconnect();
      cancelAnimationFrame(frame);
    },
  };
}

/** A cell of the column names, which may cover several columns and levels. */
interface HeadCell {
  readonly id: string;
  readonly name: string;
  readonly head: PivotHead | undefined;
  readonly rowSpan: number;
  readonly isTotal: boolean;
}

/** What a cell of the names shows, and the group that its button collapses. */
interface Name {
  readonly text: string;
  readonly group?: PivotHead;
}

function textSpan(text: string): HTMLElement {
  return element("span", { class: "mf-text" }, text);
}

/** Returns the cell of a column's name at a level, from 1; undefined if a cell above covers the level. */
function headAt({ line }: PivotTrack, level: number, levelCount: number): HeadCell | undefined {
  const { head, role } = line;
  if (level <= head.depth) {
    const at = pathOf(head)[level - 1];
    if (!at) return undefined;
    const isCollapsed = level === head.depth && role === "group";
    const rowSpan = isCollapsed ? levelCount - level + 1 : 1;
    return { id: at.key, name: at.name, head: at, rowSpan, isTotal: false };
  }
  if (role !== "total" || level !== head.depth + 1) return undefined;
  const rowSpan = levelCount - head.depth;
  return { id: `${head.key} total`, name: "", head: undefined, rowSpan, isTotal: true };
}
