import { html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import { searchOf, type Found } from "../../api/index.ts";
import { writeAgo, writeNumber } from "../../language/index.ts";
import {
  createPagedLoad,
  createTypedSearch,
  elementOf,
  emptyState,
  type ConsoleContext,
  type TableColumn,
} from "../../parts/index.ts";
import { nameOf } from "../../questions/index.ts";
import { exploreAddress } from "./exploreAddress.ts";
import { words } from "./words.ts";

interface ListedDataset {
  readonly id: string;
  readonly name: unknown;
  readonly rows: number | null;
  readonly storage: string | null;
  readonly modified_at: string | null;
}

const pageSize = 100;

const columns = (dashboardId: string): readonly TableColumn<ListedDataset>[] => [
  {
    label: words.name,
    width: "minmax(180px, 3fr)",
    cell: (row) =>
      html`<a href=${exploreAddress({ datasetId: row.id, dashboardId })}>${nameOf(row)}</a>`,
  },
  {
    label: words.rowCount,
    width: "minmax(90px, 1fr)",
    isNumber: true,
    cell: ({ rows }) => (rows === null ? "–" : writeNumber(rows)),
  },
  {
    label: words.storage,
    width: "minmax(90px, 1fr)",
    cell: ({ storage }) => (storage === "client" ? words.plan.live : words.plan.stored),
  },
  {
    label: words.changed,
    width: "minmax(120px, 1fr)",
    cell: ({ modified_at: at }) => (at ? writeAgo(at) : "–"),
  },
];

/** The datasets that the reader can query, searched on the host and loaded a hundred at a time. */
export class DatasetList extends LitElement {
  static override properties = {
    context: { attribute: false },
    search: { attribute: false },
    dashboardId: { attribute: false },
  };
  declare context: ConsoleContext;
  declare search: string;
  /** Id of the dashboard for which a chart is created; "" for none. */
  declare dashboardId: string;
  private readonly found = createPagedLoad<ListedDataset>(this, (offset, signal) =>
    this.read(offset, signal),
  );
  private readonly type = createTypedSearch((query) => {
    const search = new URLSearchParams(query).get("search") ?? "";
    const { dashboardId } = this;
    this.context.router.go(exploreAddress({ search, dashboardId }), { replaces: true });
  });

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("search")) void this.found.start();
  }

  private read(offset: number, signal?: AbortSignal): Promise<Found<ListedDataset>> {
    const find = {
      where: { type: "dataset" },
      ...searchOf(this.search),
      attributes: ["id", "name", "rows", "storage", "modified_at"],
      order: [["modified_at", "desc"]],
      limit: pageSize,
      offset,
    };
    return this.context.api.get<ListedDataset>("securable", find, { signal });
  }

  protected override render(): TemplateResult {
    return html`<div class="page">
      <header class="page-head">
        <div>
          <h1>${words.title}</h1>
          <p>${words.choose}</p>
        </div>
        <input
          class="input dataset-search"
          type="search"
          aria-label=${words.searchDatasets}
          placeholder=${words.searchDatasets}
          .value=${this.search}
          @input=${(event: Event) => this.type(elementOf(event.target, HTMLInputElement).value)}
        />
      </header>
      ${
        this.context.guest
          ? ""
          : html`<console-question-list
              .context=${this.context}
              .search=${this.search}
              .dashboardId=${this.dashboardId}
            ></console-question-list>`
      }
      ${this.found.show((found) => this.renderFound(found))}
    </div>`;
  }

  private renderFound({ count, rows }: Found<ListedDataset>): TemplateResult {
    if (count === 0 && this.search === "")
      return emptyState({
        title: words.noDatasets,
        text: words.noDatasetsText,
        action: html`<a class="button primary" href="/data">${words.addData}</a>`,
      });
    if (count === 0) return emptyState({ title: words.noDatasetsFound });
    return html`<h2>${words.datasets}</h2>
      <console-table
        .label=${words.datasets}
        .columns=${columns(this.dashboardId)}
        .rows=${rows}
        .height=${620}
        .onOpen=${({ id: datasetId }: ListedDataset) =>
          this.context.router.go(exploreAddress({ datasetId, dashboardId: this.dashboardId }))}
        .onEnd=${() => void this.found.more()}
      ></console-table>
      <p class="muted small" role="status">${words.datasetCount(count)}</p>`;
  }
}
