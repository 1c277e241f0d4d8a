import { kindOfItem, type ChartTheme, type Mark } from "../../charts/index.ts";
import { adoptStyles } from "./adoptStyles.ts";
import { applyTheme } from "./applyTheme.ts";
import { createPlot, type Choice } from "./createPlot.ts";
import { createDrawings } from "./createDrawings.ts";
import { createTitledGrid } from "./createTitledGrid.ts";
import { drawState } from "./drawState.ts";
import { element } from "./element.ts";
import type { ItemPicture } from "./itemPicture.ts";
import { viewStyles } from "./viewStyles.ts";
import { viewWordsOf } from "./viewWords.ts";

/** Callbacks of an item view. Every member is optional. */
export interface ItemViewOptions {
  /**
   * Called when the reader chooses a mark or a cell, or clears the choice (`undefined`).
   * @default marks cannot be chosen
   */
  readonly onChoose?: (choice: Choice | undefined) => void;
  /** Called when the reader requests a finer level for a mark, or the coarser level (without a mark). */
  readonly onDrill?: (mark: Mark | undefined) => void;
  /** Called when the pointer enters the picture. */
  readonly onHover?: () => void;
  /**
   * Called while the reader drags over the picture, with the rows in the dragged range. `isDone` is true at the end.
   * @default brushing is off
   */
  readonly onBrush?: (rows: readonly number[], isDone: boolean) => void;
  /** Called when the script of a kind of picture could not be loaded. The item shows the failure and can try again. */
  readonly onFailure?: (failure: unknown) => void;
  /**
   * Called when the reader clicks the button of a failed item.
   * @default failed items have no button
   */
  readonly onRetry?: () => void;
  /** Called after the picture is drawn. */
  readonly onDrawn?: (picture: ItemPicture) => void;
}

/** The view of a dashboard item on a page. */
export interface ItemView {
  /**
   * Draws an item in place of the previous item. The first item is drawn in the next frame, when the size of the
   * container is known. An answer stays visible while the next answer loads.
   */
  show(picture: ItemPicture): void;
  /** Shows the data as a table, or the picture again. */
  showTable(isTable: boolean): void;
  /** Returns whether a script that the picture needs failed to load. The next `show` tries again. */
  hasFailed(): boolean;
  close(): void;
}

/** Kinds that are tables already, or that have no data for a table. */
const withoutTwin = ["table", "text", "empty", "filter"];

/**
 * Draws one item into an element of a page. The view shows the picture, with tooltip, legend and keyboard navigation,
 * or a table that draws only its visible rows. It also has loading, empty and failed states, and can show the data of a
 * picture as a table. It fills the element and draws again when the element's size changes. The element must already be
 * in its document or shadow root, which adopts the style sheet. The view uses no inline styles, scripts or markup.
 */
export function createItemView(
  container: HTMLElement,
  { onChoose, onDrill, onHover, onBrush, onFailure, onRetry, onDrawn }: ItemViewOptions = {},
): ItemView {
  const said = element("div", { class: "mf-said", "aria-live": "polite" });
  const stage = element("div", { class: "mf-stage" });
  const tools = element("div", { class: "mf-tools", part: "tools" });
  const twin = element("button", { type: "button", class: "mf-button" });
  const busy = element("div", { class: "mf-busy", part: "busy" });
  const root = element("div", { class: "mf-view", part: "item" }, stage, tools, said);
  busy.hidden = true;
  tools.hidden = true;
  root.append(busy);
  tools.append(twin);
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
  const grid = createTitledGrid();
  const drawings = createDrawings(() => draw(), onFailure);
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
    root.ariaBusy = String(isLoading);
    root.dataset["state"] = state.kind;
    root.classList.toggle("mf-narrow", width < 480);
    if (picture.theme !== shownTheme) applyTheme(root, picture.theme);
    shownTheme = picture.theme;
    const shown = kept ? { ...picture, state: kept.state } : picture;
    const kind = kindOfItem(item.type)?.kind ?? "table";
    const hasTwin = shown.state.kind === "answer" && !withoutTwin.includes(kind);
    tools.hidden = !hasTwin;
    const words = viewWordsOf(localeId);
    const twinText = isTable ? words.asPicture : words.asTable;
    if (twin.textContent !== twinText) twin.textContent = twinText;
    if (shown.state.kind !== "answer") {
      plot.hide();
      return drawState(stage, shown, onRetry);
    }
    const { rows } = shown.state;
    const isGrid = rows.length > 0 && (kind === "table" || (isTable && hasTwin));
    const drawKind = isGrid ? undefined : drawings.of(kind);
    if (!isGrid && !drawKind) {
      plot.hide();
      const state = drawings.state(localeId);
      return drawState(stage, { ...shown, state }, () => drawings.load(kind));
    }
    const content = isGrid ? grid.root : plot.root;
    if (stage.firstChild !== content || stage.childElementCount > 1) stage.replaceChildren(content);
    if (isGrid) {
      plot.hide();
      grid.show(shown, shown.state);
    } else if (drawKind) plot.show({ ...shown, state: shown.state, drawKind }, { width, height });
    onDrawn?.(shown);
  };
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

  return {
    show(next) {
      picture = next;
      // The script loads while the host computes the answer.
      drawings.load(kindOfItem(next.item.type)?.kind ?? "table");
      if (next.state.kind === "answer") answered = next;
      else if (next.state.kind === "failed") answered = undefined;
      draw();
    },
    showTable(wanted) {
      isTable = wanted;
      draw();
    },
    hasFailed: drawings.hasFailed,
    close() {
      drawings.close();
      observer.disconnect();
      cancelAnimationFrame(frame);
      plot.close();
      grid.close();
      root.remove();
    },
  };
}
