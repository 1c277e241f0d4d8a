import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Api } from "../api/index.ts";
import type { FetchedBoard } from "./drawBoards.ts";
import { words } from "./words.ts";

/** How long pictures wait for others with which they are fetched, in milliseconds. */
const gatherMs = 60;
/** Maximum number of dashboards that are fetched together. */
const mostTogether = 8;
/** Maximum number of pictures that are kept while the console is open. */
const mostKept = 100;

/** Fetched dashboards by id and time of the last change. */
const kept = new Map<string, Promise<FetchedBoard | undefined>>();
let waiting: { readonly id: string; resolve(board: Promise<FetchedBoard | undefined>): void }[] =
  [];

/** Fetches a dashboard together with others that are requested at the same time. */
function fetchBoard(api: Api, id: string, changedAt: string): Promise<FetchedBoard | undefined> {
  const key = `${id} ${changedAt}`;
  const known = kept.get(key);
  if (known) return known;
  const made = new Promise<FetchedBoard | undefined>((resolve) => {
    if (waiting.length === 0) setTimeout(() => void flush(api), gatherMs);
    waiting.push({ id, resolve });
  });
  const [oldest] = kept.keys();
  if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
  kept.set(key, made);
  // A failed picture is fetched again the next time that it becomes visible.
  made.catch(() => kept.delete(key));
  return made;
}

async function flush(api: Api): Promise<void> {
  const all = waiting;
  waiting = [];
  for (let at = 0; at < all.length; at += mostTogether) {
    const part = all.slice(at, at + mostTogether);
    const boards = (async () => {
      // Charts load only once a picture is visible, so that they never delay a page.
      const { fetchBoards } = await import("./drawBoards.ts");
      const ids = part.map(({ id }) => id);
      return fetchBoards(api, ids, new AbortController().signal);
    })();
    for (const { id, resolve } of part) resolve(boards.then((found) => found.get(id)));
    // One group after another, so that pictures do not delay what the reader does.
    await boards.catch(() => undefined);
  }
}

/**
 * The picture of a dashboard, drawn from its data with the rights of the reader once it is visible. Properties: `api`,
 * `boardId`, `changedAt`, `theme`. Pictures are decoration: their content is hidden from screen readers.
 */
export class BoardPicture extends LitElement {
  static override properties = {
    api: { attribute: false },
    boardId: { attribute: false },
    changedAt: { attribute: false },
    theme: { attribute: false },
    note: { state: true },
    pictures: { state: true },
  };
  declare api: Api;
  declare boardId: string;
  /** The time of the last change, after which the picture is fetched again. */
  declare changedAt: string;
  declare theme: "light" | "dark";
  declare private note: string | undefined;
  declare private pictures: readonly SVGSVGElement[];
  private isVisible = false;
  private readonly observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    this.observer.disconnect();
    this.isVisible = true;
    void this.draw();
  });

  constructor() {
    super();
    this.pictures = [];
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.ariaHidden = "true";
    this.observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer.disconnect();
  }

  protected override willUpdate(changed: PropertyValues): void {
    const isOther = ["boardId", "changedAt", "theme"].some((each) => changed.has(each));
    if (isOther && this.isVisible) void this.draw();
  }

  private async draw(): Promise<void> {
    const { api, boardId, changedAt, theme } = this;
    try {
      const board = await fetchBoard(api, boardId, changedAt);
      const pictures = (await board?.draw(theme)) ?? [];
      if (this.boardId !== boardId || this.theme !== theme) return;
      this.pictures = pictures;
      this.note =
        pictures.length > 0 ? undefined : board?.isEmpty ? words.emptyBoard : words.noPicture;
    } catch {
      // A list stays useful without pictures, and opening the dashboard shows what is wrong.
      this.note = words.noPicture;
    }
  }

  protected override render(): TemplateResult {
    const { note, pictures } = this;
    if (pictures.length > 0) return html`<svg class="board-picture">${pictures}</svg>`;
    return html`<span class="muted small">${note ?? nothing}</span>`;
  }
}
