import { createItemView, type ItemView } from "./createItemView.ts";
import { element } from "./element.ts";
import type { ItemPicture } from "./itemPicture.ts";
import type { ItemViewOptions } from "./itemViewOptions.ts";
import { viewWordsOf } from "./viewWordsOf.ts";

/** Content over the picture of an item, such as the frame of a custom chart. Its script loads on first use. */
export interface Cover {
  show(picture: ItemPicture): void;
  /** Returns whether the picture below is printed instead of the content. */
  print(isOnPaper: boolean): boolean;
  /** Returns whether the content is shown. */
  isShown(): boolean;
  close(): void;
}

/** What the content over a picture receives. */
export interface CoverOptions {
  /** The element that contains the picture. The cover appends its content. */
  readonly container: HTMLElement;
  readonly onBrush: ItemViewOptions["onBrush"];
  /** Reports a failure, after which the picture stays visible. */
  onFailure(failure: unknown): void;
  /** Called after the content appeared or disappeared. */
  onChange(): void;
}

/** Options of an item view with content over its picture. */
export interface CoveredViewOptions extends ItemViewOptions {
  /**
   * Whether readers see the picture until the content appears, and screen readers read it instead of the content.
   * Otherwise, the picture appears only if the content cannot be shown.
   */
  readonly isPictureFirst: boolean;
  /** Loads the script of the content. Rejects if it cannot be loaded; the next call tries again. */
  load(): Promise<(options: CoverOptions) => Cover>;
}

/** Draws an item with other content over its picture. Without the script of the content, the picture is visible. */
export function createCoveredView(
  container: HTMLElement,
  { isPictureFirst, load, ...options }: CoveredViewOptions,
): ItemView {
  const ground = element("div", { class: "mf-ground" });
  const note = element("div", { class: "mf-frame-note", part: "note", role: "status" });
  note.hidden = true;
  container.append(ground, note);
  const view = createItemView(ground, options);
  let cover: Cover | undefined;
  let shown: ItemPicture | undefined;
  let isLoading = false;
  let hasFailed = false;
  let isClosed = false;

  function draw(isOnPaper = false, isPrintedBelow = false): void {
    const isWaiting = cover === undefined ? !hasFailed : cover.isShown();
    ground.classList.toggle(
      "mf-covered",
      !isPictureFirst && isWaiting && !(isOnPaper && isPrintedBelow),
    );
    note.hidden = !hasFailed;
    if (hasFailed) note.textContent = viewWordsOf(shown?.localeId ?? "en").noPicture;
  }

  async function open(): Promise<void> {
    if (isLoading) return;
    isLoading = true;
    try {
      const create = await load();
      if (isClosed) return;
      hasFailed = false;
      cover = create({
        container,
        onBrush: options.onBrush,
        onFailure: (failure) => options.onFailure?.(failure),
        onChange: () => draw(),
      });
      if (shown) cover.show(shown);
    } catch (failure) {
      if (isClosed) return;
      hasFailed = true;
      options.onFailure?.(failure);
    } finally {
      isLoading = false;
    }
    draw();
  }

  draw();
  return {
    show(picture) {
      shown = picture;
      view.show(picture);
      if (cover) cover.show(picture);
      else void open();
      draw();
    },
    showTable: view.showTable,
    print(isOnPaper) {
      const isPrintedBelow = cover?.print(isOnPaper) ?? true;
      draw(isOnPaper, isPrintedBelow);
      if (isPrintedBelow) view.print(isOnPaper);
    },
    changes: () => (cover?.isShown() ? { sorting: undefined, hiddenSeries: [] } : view.changes()),
    hasFailed: () => hasFailed || view.hasFailed(),
    close() {
      isClosed = true;
      cover?.close();
      view.close();
      ground.remove();
      note.remove();
    },
  };
}
