import { localized } from "../../language/index.ts";
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Found } from "../../api/index.ts";
import {
  boardCard,
  BoardPicture,
  boardStyles,
  starStyles,
  changeFavorite,
  readBoards,
  readCollections,
  type BoardOrder,
  type Collections,
  type ListedBoard,
} from "../../boards/index.ts";
import { addressWith } from "../../navigation/index.ts";
import {
  choicesOf,
  createLoad,
  createPagedLoad,
  createTypedSearch,
  define,
  elementOf,
  emptyState,
  notifyFailure,
  openTextForm,
  type ConsoleContext,
} from "../../parts/index.ts";
import { adoptStyles } from "../../styles/index.ts";
import { words } from "./listWords.ts";

const pageSize = 24;
/** Values of the address that choose dashboards; any other value is the id of a collection. */
const [mine, favorites] = ["mine", "favourites"];

const isOrder = (name: string | null): name is BoardOrder =>
  name !== null && Object.hasOwn(words.orders, name);

/**
 * The dashboards that the reader can see, as cards with pictures. The address keeps the search, the order and the
 * chosen collection. Properties: `context`, and `search`, which changes with the address.
 */
export class DashboardList extends LitElement {
  static override properties = {
    context: { attribute: false },
    search: { attribute: false },
    address: { state: true },
  };
  declare context: ConsoleContext;
  declare search: string;
  /** The address for which the list was loaded. */
  declare private address: string;
  private readonly collections = createLoad<Collections>(this, (signal) =>
    readCollections(this.context.api, this.context.user.id, signal),
  );
  private readonly found = createPagedLoad<ListedBoard>(this, (offset, signal) =>
    this.read(offset, signal),
  );
  private readonly type = createTypedSearch((query) =>
    this.go({ search: new URLSearchParams(query).get("search") ?? "" }),
  );

  constructor() {
    super();
    this.address = "";
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStyles(boardStyles, starStyles);
    define("console-board-picture", BoardPicture);
    this.address = "";
    this.requestUpdate();
  }

  protected override willUpdate(changed: PropertyValues): void {
    const { path, query } = this.context.router.current;
    const address = `${path}?${query.toString()}`;
    if (this.address !== "" && address === this.address && !changed.has("search")) return;
    this.address = address;
    if (query.has("new")) {
      this.go({ new: "" });
      void this.create();
      return;
    }
    void this.load();
  }

  private async load(): Promise<void> {
    if (!this.collections.value) await this.collections.start();
    await this.found.start();
  }

  private go(changes: Readonly<Record<string, string>>): void {
    const { router } = this.context;
    router.go(addressWith(router.current, changes), { replaces: true });
    this.requestUpdate();
  }

  private get shown(): string {
    return this.context.router.current.query.get("show") ?? "";
  }

  private get order(): BoardOrder {
    const order = this.context.router.current.query.get("sort");
    return isOrder(order) ? order : "changed";
  }

  /** Ids of the chosen collection; undefined if all dashboards are shown. */
  private get ids(): readonly string[] | undefined {
    const { shown } = this;
    const { value } = this.collections;
    if (shown === "" || shown === mine) return undefined;
    const chosen =
      shown === favorites ? value?.favorites : value?.others.find(({ id }) => id === shown);
    return [...(chosen?.ids ?? [])];
  }

  private read(offset: number, signal?: AbortSignal): Promise<Found<ListedBoard>> {
    const { api, user } = this.context;
    const search = {
      text: this.search,
      order: this.order,
      ids: this.ids,
      ownerId: this.shown === mine ? user.id : undefined,
    };
    return readBoards(api, search, { offset, limit: pageSize }, signal);
  }

  private async reload(): Promise<void> {
    await Promise.all([this.collections.start(), this.found.start()]);
  }

  private async star(board: ListedBoard): Promise<void> {
    const { value } = this.collections;
    if (!value) return;
    try {
      this.collections.set(await changeFavorite(this.context.api, value, board.id));
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  private async create(): Promise<void> {
    const { api, router } = this.context;
    const contents = {
      version: "0.1.99",
      views: [
        { screenModus: "desktop", options: {}, items: [], filterGroups: [] },
        { screenModus: "tablet", options: {}, items: [], filterGroups: [] },
        { screenModus: "mobile", options: {}, items: [], filterGroups: [] },
      ],
      parameters: [],
    };
    const made = await openTextForm({
      title: words.create,
      label: words.name,
      action: words.createAction,
      save: (name) =>
        api.create<{ readonly id: string }>("securable", {
          type: "dashboard",
          name: localized(name),
          contents,
        }),
    });
    if (made) router.go(`/dashboards/${made.id}?edit=1`);
  }

  protected override render(): TemplateResult {
    return html`<div class="page">
      <header class="page-head">
        <div>
          <h1>${words.title}</h1>
          <p>${words.text}</p>
        </div>
        <button class="button primary" @click=${() => void this.create()}>${words.create}</button>
      </header>
      <div class="board-tools">
        <input
          class="input grow"
          type="search"
          aria-label=${words.search}
          placeholder=${words.searchHint}
          .value=${this.search}
          @input=${(event: Event) => this.type(elementOf(event.target, HTMLInputElement).value)}
        />
        ${this.renderChoice({
          label: words.which,
          value: this.shown,
          choices: [
            { value: "", label: words.all },
            { value: mine, label: words.mine },
            { value: favorites, label: words.favorites },
            ...(this.collections.value?.others ?? []).map(({ id, name }) => ({
              value: id,
              label: words.collection(name),
            })),
          ],
          onSelect: (show) => this.go({ show }),
        })}
        ${this.renderChoice({
          label: words.order,
          value: this.order,
          choices: choicesOf(words.orders),
          onSelect: (sort) => this.go({ sort: sort === "changed" ? "" : sort }),
        })}
      </div>
      ${this.found.show((found) => this.renderFound(found))}
    </div>`;
  }

  private renderChoice({
    label,
    value,
    choices,
    onSelect,
  }: {
    readonly label: string;
    readonly value: string;
    readonly choices: readonly { readonly value: string; readonly label: string }[];
    onSelect(value: string): void;
  }): TemplateResult {
    return html`<select
      class="input"
      aria-label=${label}
      @change=${(event: Event) => onSelect(elementOf(event.target, HTMLSelectElement).value)}
    >
      ${choices.map(
        (each) =>
          html`<option value=${each.value} ?selected=${each.value === value}>
            ${each.label}
          </option>`,
      )}
    </select>`;
  }

  private renderFound({ count, rows }: Found<ListedBoard>): TemplateResult {
    const { value: collections } = this.collections;
    if (!collections) return this.collections.show(() => html`${nothing}`);
    if (count === 0 && this.search === "" && this.shown === "")
      return emptyState({
        title: words.none,
        text: words.noneText,
        action: html`<a class="button" href="/data">${words.openData}</a>`,
      });
    if (count === 0)
      return emptyState({
        title: words.nothingFound,
        text: words.nothingFoundText,
        action: html`<a class="button" href="/dashboards">${words.showAll}</a>`,
      });
    return html`<p class="muted" role="status">${words.count(count)}</p>
      <ul class="board-cards">
        ${rows.map((board) =>
          boardCard({
            context: this.context,
            board,
            collections,
            onStar: () => void this.star(board),
            onChange: () => void this.reload(),
            onTag: (tag) => this.go({ search: tag }),
          }),
        )}
      </ul>
      ${
        rows.length < count
          ? html`<div class="row">
              <button class="button" @click=${() => void this.found.more()}>${words.more}</button>
            </div>`
          : nothing
      }`;
  }
}
