import { html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import { searchOf, type Found } from "../../api/index.ts";
import { textOf, writeAgo } from "../../language/index.ts";
import {
  openTextForm,
  createPagedLoad,
  createTypedSearch,
  elementOf,
  emptyState,
  type ConsoleContext,
  type TableColumn,
} from "../../parts/index.ts";
import { words } from "./words.ts";

interface ListedDashboard {
  readonly id: string;
  readonly name: unknown;
  readonly modified_at: string;
}

const pageSize = 100;

const columns: readonly TableColumn<ListedDashboard>[] = [
  {
    label: words.name,
    width: "minmax(180px, 3fr)",
    cell: ({ id, name }) => html`<a href="/dashboards/${id}">${textOf(name) || id}</a>`,
  },
  {
    label: words.changed,
    width: "minmax(120px, 1fr)",
    cell: ({ modified_at: at }) => writeAgo(at),
  },
];

/** The dashboards that the reader can see, searched on the host and loaded a hundred at a time. */
export class DashboardList extends LitElement {
  static override properties = {
    context: { attribute: false },
    search: { attribute: false },
  };
  declare context: ConsoleContext;
  declare search: string;
  private readonly found = createPagedLoad<ListedDashboard>(this, (offset, signal) =>
    this.read(offset, signal),
  );
  private readonly type = createTypedSearch((query) =>
    this.context.router.go(`/dashboards${query}`, { replaces: true }),
  );

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("search")) void this.found.start();
  }

  private read(offset: number, signal?: AbortSignal): Promise<Found<ListedDashboard>> {
    const find = {
      where: { type: "dashboard", is_variant: false },
      ...searchOf(this.search),
      attributes: ["id", "name", "modified_at"],
      order: [["modified_at", "desc"]],
      limit: pageSize,
      offset,
    };
    return this.context.api.get<ListedDashboard>("securable", find, { signal });
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
          name: { en: name },
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
        <input
          class="input dashboard-search"
          type="search"
          aria-label=${words.search}
          placeholder=${words.search}
          .value=${this.search}
          @input=${(event: Event) => this.type(elementOf(event.target, HTMLInputElement).value)}
        />
        <button class="button primary" @click=${() => void this.create()}>${words.create}</button>
      </header>
      ${this.found.show((found) => this.renderFound(found))}
    </div>`;
  }

  private renderFound({ count, rows }: Found<ListedDashboard>): TemplateResult {
    if (count === 0 && this.search === "")
      return emptyState({
        title: words.none,
        text: words.noneText,
        action: html`<a class="button" href="/explore">${words.explore}</a>`,
      });
    if (count === 0) return emptyState({ title: words.nothingFound });
    return html`<console-table
        .label=${words.title}
        .columns=${columns}
        .rows=${rows}
        .height=${620}
        .onOpen=${({ id }: ListedDashboard) => this.context.router.go(`/dashboards/${id}`)}
        .onEnd=${() => void this.found.more()}
      ></console-table>
      <p class="muted small" role="status">${words.count(count)}</p>`;
  }
}
