import {
  directionOf,
  interactivity,
  itemKinds,
  itemTheme,
  kindOfItem,
  type ChartTheme,
} from "../../charts/index.ts";
import { adoptStyles } from "./adoptStyles.ts";
import { applyTheme } from "./applyTheme.ts";
import { createPlot } from "./createPlot.ts";
import { createDrawings } from "./createDrawings.ts";
import { createTitledGrid, type TitledGrid } from "./createTitledGrid.ts";
import { drawState } from "./drawState.ts";
import { element } from "./element.ts";
import type { ItemPicture } from "./itemPicture.ts";
import type { ItemViewOptions } from "./itemViewOptions.ts";
import type { Sorting } from "./sortRows.ts";
import { viewStyles } from "./viewStyles.ts";
import { viewWordsOf } from "./viewWordsOf.ts";

/** The view of a dashboard item on a page. */
export interface ItemView {
  /**
   * Draws an item in place of the previous item. The first item is drawn in the next frame, when the size of the
   * container is known. An answer stays visible while the next answer loads.
   */
  show(picture: ItemPicture): void;
  /** Shows the data as a table, or the picture again. */
  showTable(isTable: boolean): void;
  /** Draws the item for paper, with all rows of a table, or for the screen again. */
  print(isOnPaper: boolean): void;
  /**
   * Returns what the reader changed in the view: the order of a table, and the series without those that are hidden.
   */
  changes(): ViewChanges;
  /** Returns whether a script that the picture needs failed to load. The next `show` tries again. */
  hasFailed(): boolean;
  close(): void;
}

/** What a reader changed in the view of an item. */
export interface ViewChanges {
  /** The order of the rows of a table; undefined for the order of the answer. */
  readonly sorting: Sorting | undefined;
  /** Ids of the series that the legend hides. */
  readonly hiddenSeries: readonly string[];
}

/** Kinds that are tables already. */
const tables = ["table", "pivot"];

/**
 * Draws one item into an element of a page. The view shows the picture, with tooltip, legend and keyboard navigation,
 * or a table that draws only its visible rows. It also has loading, empty and failed states, and can show the data of a
 * picture as a table. It fills the element and draws again when the element's size changes. The element must already be
 * in its document or shadow root, which adopts the style sheet. The view uses no inline styles, scripts or markup.
 */
export function createItemView(
  container: HTMLElement,
  {
    onChoose,
    onDrill,
    onHover,
    onBrush,
    onSort,
    onFailure,
    onRetry,
    tools: givenTools,
    onDrawn,
  }: ItemViewOptions = {},
): ItemView {
  const said = element("div", { class: "mf-said", "aria-live": "polite" });
  const stage = element("div", { class: "mf-stage" });
  const tools = givenTools ?? element("div", { class: "mf-tools", part: "tools" });
  const twin = element("button", { type: "button", class: "mf-button mf-twin" });
  const link = element("a", { class: "mf-button", part: "link", rel: "noopener noreferrer" });
  const busy = element("div", { class: "mf-busy", part: "busy" });
  const root = element("div", { class: "mf-view", part: "item" }, stage, said);
  busy.hidden = true;
  twin.hidden = true;
  root.append(busy);
  if (!givenTools) root.append(tools);
  link.hidden = true;
  tools.prepend(link, twin);
  container.append(root);
  adoptStyles(container, viewStyles());

  const plot = createPlot({
    say: (text) => {
      said.textContent = text;
    },
    ...(onChoose && { onChoose }),
    ...(onDrill && { onDrill }),
    ...(onHover && { onHover }),
    ...(onBrush && { onBrush }),
  });
  const grid = createTitledGrid(onSort);
  /** The rows of a picture as a table. Sorting them does not change the picture. */
  const twinGrid = createTitledGrid();
  let pivotTable: TitledGrid | undefined;
  const drawings = createDrawings(() => draw(), onFailure);
  let given: ItemPicture | undefined;
  let picture: ItemPicture | undefined;
  /** The last answer. It stays visible while the next answer loads. */
  let answered: ItemPicture | undefined;
  let isTable = false;

  /**
   * The size of the element, set by the observer. Reading the size from the element after a change would force a
   * layout.
   */
  let size = { width: 0, height: 0 };
  let shownTheme: ChartTheme | undefined;
  const draw = () => {
    const { width, height } = size;
    if (!picture || width === 0 || height === 0) return;
    const { state, localeId, item } = picture;
    const isLoading = state.kind === "loading";
    const kept = isLoading && answered?.item.id === item.id ? { ...answered } : undefined;
    busy.hidden = kept === undefined;
    root.dir = directionOf(localeId);
    root.ariaBusy = String(isLoading);
    root.dataset["state"] = state.kind;
    if (picture.theme !== shownTheme) applyTheme(root, picture.theme);
    shownTheme = picture.theme;
    const shown = kept ? { ...picture, state: kept.state } : picture;
    const kind = kindOfItem(item.type)?.kind ?? "table";
    const hasTwin =
      shown.state.kind === "answer" && itemKinds[kind].hasRows && !tables.includes(kind);
    twin.hidden = !hasTwin;
    const words = viewWordsOf(localeId);
    const twinText = isTable ? words.asPicture : words.asTable;
    if (twin.title !== twinText) {
      twin.title = twinText;
      twin.replaceChildren(element("span", {}, twinText));
    }
    showLink(words.openLink);
    if (shown.state.kind !== "answer") {
      plot.hide();
      return drawState(stage, shown, onRetry);
    }
    const { rows } = shown.state;
    const hasRows = rows.length > 0;
    const isPivot = kind === "pivot";
    const create = isPivot ? drawings.pivotTables(localeId) : undefined;
    if (hasRows && create)
      pivotTable ??= create({
        ...(onChoose && { onChoose }),
        ...(onDrill && { onDrill }),
      });
    // An item without rows says so in its picture, which is the same for all kinds.
    const isElement = isPivot || kind === "table";
    const drawKind = drawings.of(isElement ? "empty" : kind, localeId);
    const titled =
      !hasRows || !drawKind
        ? undefined
        : kind === "table"
          ? grid
          : isPivot
            ? pivotTable
            : isTable && hasTwin
              ? twinGrid
              : undefined;
    if (isPivot && hasRows ? !titled : !drawKind) {
      plot.hide();
      const state = drawings.state(localeId);
      return drawState(stage, { ...shown, state }, () => drawings.load(kind, localeId));
    }
    const content = titled?.root ?? plot.root;
    if (stage.firstChild !== content || stage.childElementCount > 1) stage.replaceChildren(content);
    if (titled) {
      plot.hide();
      titled.show(shown, shown.state);
    } else if (drawKind) plot.show({ ...shown, state: shown.state, drawKind }, { width, height });
    onDrawn?.(shown);
  };
  /** Shows the button with the address of the item's options, or hides it. */
  function showLink(name: string): void {
    const to = picture && interactivity(picture.item, picture.localeId).link;
    link.hidden = to === undefined;
    if (!to) return;
    link.href = to.url;
    link.target = to.target;
    link.textContent = name;
  }
  twin.addEventListener("click", () => {
    isTable = !isTable;
    draw();
  });
  let frame = 0;
  const observer = new ResizeObserver(([entry]) => {
    const { width = 0, height = 0 } = entry?.contentRect ?? {};
    const isFirst = size.width === 0;
    size = { width: Math.round(width), height: Math.round(height) };
    // The first picture is drawn in the frame in which the size becomes known.
    if (isFirst) return draw();
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(draw);
  });
  observer.observe(root);

  /**
   * Replaces the dashboard's theme with that of the item. Equal pictures keep one theme, so that nothing is redrawn.
   */
  const themed = (next: ItemPicture): ItemPicture => {
    const isSame = given?.item === next.item && given.theme === next.theme;
    const theme = isSame && picture ? picture.theme : itemTheme(next.item, next.theme);
    given = next;
    return { ...next, theme };
  };

  return {
    show(unthemed) {
      const next = themed(unthemed);
      picture = next;
      // The scripts load while the host computes the answer. Tables are elements, which need only words.
      const kind = kindOfItem(next.item.type)?.kind ?? "table";
      drawings.load(kind === "table" ? "empty" : kind, next.localeId);
      if (next.state.kind === "answer") answered = next;
      else if (next.state.kind === "failed") answered = undefined;
      draw();
    },
    showTable(wanted) {
      isTable = wanted;
      draw();
    },
    print(isOnPaper) {
      const tables = [grid, twinGrid, ...(pivotTable ? [pivotTable] : [])];
      const printed = tables.find((table) => isOnPaper && table.root.isConnected);
      root.classList.toggle("mf-printing", isOnPaper);
      root.classList.toggle("mf-printing-table", printed !== undefined);
      for (const table of tables) table.print(table === printed);
      if (printed) return;
      size = { width: root.clientWidth, height: root.clientHeight };
      draw();
    },
    changes: () => ({
      sorting: grid.root.isConnected ? grid.sorting() : undefined,
      hiddenSeries: plot.root.isConnected ? plot.hiddenSeries() : [],
    }),
    hasFailed: drawings.hasFailed,
    close() {
      drawings.close();
      observer.disconnect();
      cancelAnimationFrame(frame);
      plot.close();
      grid.close();
      twinGrid.close();
      pivotTable?.close();
      twin.remove();
      link.remove();
      root.remove();
    },
  };
}
