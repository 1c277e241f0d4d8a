import { html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import {
  createColors,
  fetchValues,
  filtersOf,
  itemKinds,
  kindOfItem,
  readItem,
  resolveTheme,
  valuesKeyOf,
  type ChartItem,
  type ChartTheme,
  type Colors,
  type ValuesByColumn,
} from "../../../charts/index.ts";
import { textOf } from "../../language/index.ts";
import { messageOf, ApiFailure } from "../../api/index.ts";
import { elementOf, type ConsoleContext, type MenuPlace } from "../../parts/index.ts";
import { createSend, queryItem, type Picture } from "../../pictures/index.ts";
import {
  columnCount,
  moved,
  positionOf,
  withItem,
  type BoardItem,
  type BoardView,
  type Contents,
  type Position,
} from "./contents.ts";
import { withControlDefault } from "./controlDefault.ts";
import { isFilter } from "./filterBar.ts";
import type { FilterValue } from "./filterValue.ts";
import { words } from "./words.ts";

const rowPixels = 16;
/** Space between a selected item and the edges of the frame. */
const edgePixels = 8;
/** Maximum number of concurrent queries. Further queries would only wait for these. */
const callsAtOnce = 6;

const loading = { kind: "loading" } as const;

interface Shown {
  /** The query that was answered, as JSON. */
  readonly queryKey: string;
  readonly state: Picture["state"];
}

/**
 * The items of a dashboard in edit mode. Each item is queried and drawn, and can be moved and resized with pointer and
 * keyboard.
 */
export class Board extends LitElement {
  static override properties = {
    context: { attribute: false },
    contents: { attribute: false },
    view: { attribute: false },
    storedTheme: { attribute: false },
    selected: { attribute: false },
  };
  declare context: ConsoleContext;
  declare contents: Contents;
  declare view: BoardView;
  /** The stored theme of the dashboard; undefined to use the console's own theme. */
  declare storedTheme: unknown;
  declare selected: string | undefined;
  declare onChange: (contents: Contents) => void;
  declare onSelect: (id: string | undefined) => void;
  declare onRemove: (id: string) => void;
  /** Moves the focus to the panel of an item. */
  declare onOpen: (id: string) => void;
  /** Opens the menu of an item at a point, or below its element. */
  declare onMenu: (id: string, element: HTMLElement, at: MenuPlace["at"]) => void;
  private readonly shown = new Map<string, Shown>();
  private readonly pictures = new Map<
    string,
    { readonly stored: BoardItem; readonly picture: Picture }
  >();
  private look: { readonly theme: ChartTheme; readonly colors: Colors } | undefined;
  /** The most common values of coloured columns, as the embedded dashboard lists them. */
  private values: ValuesByColumn | undefined;
  private valuesKey = valuesKeyOf([]);
  private running = new AbortController();
  private waiting: (() => Promise<void>)[] = [];
  private busy = 0;
  /** Whether the pointer is pressed on an item. Until its release, the board does not scroll. */
  private isPressed = false;
  /** The size of the board relative to its layout. */
  private scale = 1;
  private readonly frameSize = new ResizeObserver(() => {
    if (this.selected === undefined) this.fit();
    else this.showItem(this.selected);
  });
  /** The item that the pointer is moving. */
  private dragged: { readonly item: BoardItem; readonly isNew: boolean } | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.running = new AbortController();
    if (this.parentElement) this.frameSize.observe(this.parentElement);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.frameSize.disconnect();
    this.running.abort();
    this.shown.clear();
    this.waiting = [];
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("context") || changed.has("storedTheme")) {
      const theme =
        this.storedTheme === undefined
          ? resolveTheme(this.context.theme)
          : resolveTheme(undefined, [{ theme: this.storedTheme }]);
      this.look = { theme, colors: createColors(theme, this.values) };
    }
    void this.listValues();
    for (const item of this.view.items ?? []) this.askWhenChanged(item);
  }

  /** Returns the filters that apply to an item. */
  private filtersFor(item: ChartItem) {
    return filtersOf({ contents: { ...this.contents }, view: { ...this.view } }, item);
  }

  /** Lists the values of coloured columns when other columns have colours. */
  private async listValues(): Promise<void> {
    const items = (this.view.items ?? []).map(readItem);
    const key = valuesKeyOf(items);
    if (key === this.valuesKey) return;
    this.valuesKey = key;
    const { signal } = this.running;
    try {
      const values = await fetchValues(items, createSend(this.context.api, signal));
      if (signal.aborted || key !== this.valuesKey || !this.look) return;
      const { theme } = this.look;
      this.values = values;
      this.look = { theme, colors: createColors(theme, values) };
      this.requestUpdate();
    } catch {
      // The items' own calls report what is wrong with the host.
    }
  }

  private askWhenChanged(stored: BoardItem): void {
    const item = readItem(stored);
    if (isFilter(item)) return;
    const { where, having } = this.filtersFor(item);
    const queryKey = JSON.stringify([
      stored.type,
      stored.slots,
      withoutLooks(item.options),
      where,
      having,
    ]);
    const known = this.shown.get(stored.id);
    if (known?.queryKey === queryKey) return;
    this.shown.set(stored.id, { queryKey, state: loading });
    const { signal } = this.running;
    const put = (state: Picture["state"]) => {
      if (signal.aborted || this.shown.get(stored.id)?.queryKey !== queryKey) return;
      this.shown.set(stored.id, { queryKey, state });
      this.requestUpdate();
    };
    this.waiting.push(async () => {
      if (this.shown.get(stored.id)?.queryKey !== queryKey) return;
      try {
        const answered = await queryItem(this.context.api, item, { where, having, signal });
        // The item may have another look by the time that its answer is drawn.
        const { item: _, ...answer } = { item, ...answered };
        put({ fields: [], rows: [], ...answer, kind: "answer" });
      } catch (failure) {
        if (signal.aborted) return;
        const { requestId } = failure instanceof ApiFailure ? failure : {};
        put({
          kind: "failed",
          message: messageOf(failure),
          ...(requestId !== undefined && { requestId }),
        });
      }
    });
    void this.work();
  }

  private async work(): Promise<void> {
    if (this.busy >= callsAtOnce) return;
    this.busy += 1;
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) await next();
    this.busy -= 1;
  }

  private retry(id: string): void {
    this.shown.delete(id);
    this.requestUpdate();
  }

  private put(item: BoardItem): void {
    this.onChange(withItem(this.contents, this.view, item));
  }

  /** Moves the focus to an item; to the first one if there is no such item. */
  focusItem(id: string): void {
    const all = [...this.querySelectorAll<HTMLElement>(".board-item")];
    (all.find((each) => each.dataset["item"] === id) ?? all[0])?.focus();
  }

  private elementOfItem(id: string | undefined): HTMLElement | undefined {
    return [...this.querySelectorAll<HTMLElement>(".board-item")].find(
      (each) => each.dataset["item"] === id,
    );
  }

  /** Scrolls to an item that the page or the panel hides. */
  showItem(id: string): void {
    if (this.isPressed) return;
    this.fit();
    this.elementOfItem(id)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /**
   * Shrinks the board while the selected item is wider than the space that the panel leaves. The board keeps its
   * layout, so that no chart is drawn again.
   */
  private fit(): void {
    if (this.isPressed) return;
    const room = (this.parentElement?.clientWidth ?? 0) - 2 * edgePixels;
    const width = this.elementOfItem(this.selected)?.offsetWidth ?? 0;
    this.scale = room > 0 && width > room ? room / width : 1;
    const isScaled = this.scale < 1;
    this.style.transform = isScaled ? `scale(${this.scale})` : "";
    // The space that the board does not need any more would be empty below it.
    this.style.marginBottom = isScaled ? `${-(1 - this.scale) * this.offsetHeight}px` : "";
  }

  /**
   * Moves an item with the arrow keys, and resizes it with Shift and the arrow keys. Enter moves to the panel, and
   * Escape closes it.
   */
  private readonly moveByKey = (event: KeyboardEvent, item: BoardItem): void => {
    if (event.target !== event.currentTarget) return;
    const step = {
      ArrowLeft: { x: -1, y: 0 },
      ArrowRight: { x: 1, y: 0 },
      ArrowUp: { x: 0, y: -1 },
      ArrowDown: { x: 0, y: 1 },
    }[event.key];
    if (step) {
      event.preventDefault();
      const by = event.shiftKey ? { sizeX: step.x, sizeY: step.y } : { col: step.x, row: step.y };
      this.put(moved(item, by));
    } else if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      this.onRemove(item.id);
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.onOpen(item.id);
    } else if (event.key === "Escape") this.onSelect(undefined);
  };

  private openMenu(event: MouseEvent, id: string): void {
    event.preventDefault();
    const element = elementOf(event.currentTarget, HTMLElement);
    // The menu key has no place of its own.
    const at = event.button === 2 ? { x: event.clientX, y: event.clientY } : undefined;
    const open = () => this.onMenu(id, element, at);
    // A menu that opens while a mouse button is pressed would close when the button is released.
    if (event.buttons === 0) open();
    else window.addEventListener("pointerup", () => setTimeout(open), { once: true });
  }

  private drag(event: PointerEvent, item: BoardItem, isResized: boolean): void {
    if (event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.isPressed = true;
    this.onSelect(item.id);
    const handle = elementOf(event.currentTarget, HTMLElement);
    handle.setPointerCapture(event.pointerId);
    const { clientX, clientY } = event;
    const grid = handle.closest(".board") ?? this;
    const columnPixels = (grid.clientWidth / columnCount) * this.scale;
    const scaledRowPixels = rowPixels * this.scale;
    const follow = (next: PointerEvent) => {
      const x = Math.round((next.clientX - clientX) / columnPixels);
      const y = Math.round((next.clientY - clientY) / scaledRowPixels);
      const by: Partial<Position> = isResized ? { sizeX: x, sizeY: y } : { col: x, row: y };
      this.dragged = { item: moved(item, by), isNew: x !== 0 || y !== 0 };
      this.requestUpdate();
    };
    const end = () => {
      handle.removeEventListener("pointermove", follow);
      const { dragged } = this;
      this.dragged = undefined;
      this.isPressed = false;
      this.showItem(item.id);
      if (dragged?.isNew) this.put(dragged.item);
      this.requestUpdate();
    };
    handle.addEventListener("pointermove", follow);
    handle.addEventListener("pointerup", end, { once: true });
    handle.addEventListener("pointercancel", end, { once: true });
  }

  protected override render(): TemplateResult {
    const items = [...(this.view.items ?? [])].toSorted((one, other) => {
      const [a, b] = [positionOf(one), positionOf(other)];
      return a.row - b.row || a.col - b.col;
    });
    return html`<p class="visually-hidden" id="board-help">${words.itemHelp}</p>
      <div class="board editing">
        ${repeat(
          items,
          ({ id }) => id,
          (item) => this.renderItem(item),
        )}
      </div>`;
  }

  private renderItem(stored: BoardItem): TemplateResult {
    const placed = this.dragged?.item.id === stored.id ? this.dragged.item : stored;
    const { col, row, sizeX, sizeY } = positionOf(placed);
    const title = textOf(stored.options?.["title"]);
    return html`<div
      class="board-item ${this.selected === stored.id ? "selected" : ""}"
      .style=${`grid-area: ${row + 1} / ${col + 1} / span ${sizeY} / span ${sizeX}`}
      tabindex="0"
      role="group"
      aria-label=${title === "" ? words.item : title}
      aria-describedby="board-help"
      data-item=${stored.id}
      @focusin=${() => this.onSelect(stored.id)}
      @contextmenu=${(event: MouseEvent) => this.openMenu(event, stored.id)}
      @keydown=${(event: KeyboardEvent) => this.moveByKey(event, stored)}
      @pointerdown=${(event: PointerEvent) => {
        // A control works as it does for readers. Its title moves it.
        if (isInControl(event)) return;
        elementOf(event.currentTarget, HTMLElement).focus({ preventScroll: true });
        this.drag(event, stored, false);
      }}
    >
      ${this.renderContent(stored)}
      <span
        class="resize"
        title=${words.resize}
        @pointerdown=${(event: PointerEvent) => this.drag(event, stored, true)}
      ></span>
    </div>`;
  }

  /**
   * Returns the picture of an item: the same one until the item or its answer changes, so that only then it is drawn.
   */
  private pictureOf(stored: BoardItem): Picture {
    const state = this.shown.get(stored.id)?.state ?? loading;
    const known = this.pictures.get(stored.id);
    if (known?.stored === stored && known.picture.state === state) return known.picture;
    const picture: Picture = { item: readItem(stored), state };
    this.pictures.set(stored.id, { stored, picture });
    return picture;
  }

  private renderContent(stored: BoardItem): TemplateResult {
    const item = readItem(stored);
    if (isFilter(item))
      return html`<console-board-control
        .context=${this.context}
        .contents=${this.contents}
        .view=${this.view}
        .item=${stored}
        .storedTheme=${this.storedTheme}
        .onValue=${(value: FilterValue | undefined) =>
          this.onChange(withControlDefault(this.contents, this.view, stored, value))}
      ></console-board-control>`;
    if (item.fields.length === 0 && hasRows(item))
      return html`<div class="board-empty muted">
        <strong>${words.newChart}</strong><span class="small">${words.newChartText}</span>
      </div>`;
    return html`<console-picture
      .picture=${this.pictureOf(stored)}
      .theme=${this.context.theme}
      .look=${this.look}
      .onRetry=${() => this.retry(stored.id)}
      inert
    ></console-picture>`;
  }
}

/** Returns whether items of a type show the rows of a dataset. */
function hasRows({ type }: ChartItem): boolean {
  const kind = kindOfItem(type)?.kind;
  return kind !== undefined && itemKinds[kind].hasRows;
}

/** Options that change only how an answer is drawn. */
const looks: readonly string[] = [
  "title",
  "theme",
  "color",
  "legend",
  "axis",
  "axislabels",
  "grid",
];

/** Returns the options of an item that can change its answer. */
const withoutLooks = (options: ChartItem["options"]): object =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !looks.includes(name)));

/** Returns whether the pointer is on a control of a filter. */
function isInControl(event: Event): boolean {
  const [target] = event.composedPath();
  return (
    target instanceof Element &&
    target.closest("button, input, select, textarea, label, a, [role=option], .mf-panel") !== null
  );
}
