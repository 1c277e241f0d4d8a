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

export interface ItemViewOptions {
  /** Called when the reader chooses a mark or a cell, or nothing more (`undefined`); without it nothing is chosen. */
  readonly onChoose?: (choice: Choice | undefined) => void;
  /** As in `createPlot`: the reader asks for a finer level of a mark, or for the coarser one. */
  readonly onDrill?: (mark: Mark | undefined) => void;
  /** As in `createPlot`: the pointer enters the picture, and a drag over it chooses rows. */
  readonly onHover?: () => void;
  readonly onBrush?: (rows: readonly number[], isDone: boolean) => void;
  /** Called when the script of a kind of picture could not be loaded; the item says so and can try again. */
  readonly onFailure?: (failure: unknown) => void;
  /** Called by the button of a failed item; without it there is no button. */
  readonly onRetry?: () => void;
  /** Called when what the picture shows is drawn. */
  readonly onDrawn?: (picture: ItemPicture) => void;
}

/** An item of a dashboard on a page. */
export interface ItemView {
  /**
   * Draws an item in place of what the view showed; the first one in the next frame, when the size of its place is
   * known. An answer stays visible while the next one loads.
   */
  show(picture: ItemPicture): void;
  /** Shows the data as a table, or the picture again. */
  showTable(isTable: boolean): void;
  /** Returns whether a script that the picture needs could not be loaded; the next `show` tries again. */
  hasFailed(): boolean;
  close(): void;
}

/** Kinds that are tables already, or have nothing to tabulate. */
const withoutTwin = ["table", "text", "empty", "filter"];

/**
 * Draws one item into an element of a page: its picture with tooltip, keyboard travel over the marks and a legend that
 * filters; a table with virtual rows; loading, empty and failed states; its data as a table. It fills the element, and
 * draws again when the size changes. The element must be in its document or shadow root already, which adopts the style
 * sheet: there is no inline style, script or markup.
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
  /** The last answer, shown while the next one loads. */
  let answered: ItemPicture | undefined;
  let isTable = false;

  /** Known from the observer: reading it where something changed would lay the page out in between. */
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
    // The first picture is in the frame in which its place is known.
    if (isFirst) return draw();
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(draw);
  });
  observer.observe(root);

  return {
    show(next) {
      picture = next;
      // Its script comes while the host answers.
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
