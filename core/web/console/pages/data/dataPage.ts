import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import {
  changeFavorite,
  readCollections,
  starButton,
  starStyles,
  type Collections,
} from "../../boards/index.ts";
import { textOf, writeAgo, writeFullInstant, writeNumber } from "../../language/index.ts";
import {
  ConsolePage,
  ConsoleTable,
  createLoad,
  createPagedLoad,
  createTypedSearch,
  define,
  elementOf,
  emptyState,
  notifyFailure,
  tabs,
  type Command,
  type TableColumn,
} from "../../parts/index.ts";
import { recordStyles, RecordRoom, RecordView } from "../../records/index.ts";
import { adoptStyles, dataTable, records } from "../../styles/index.ts";
import { ConnectForm } from "./connectForm.ts";
import { ConnectionOffer } from "./connectionOffer.ts";
import { connections } from "./connections.ts";
import { connectionView } from "./connectionView.ts";
import { ConnectView } from "./connectView.ts";
import { connectWords } from "./connectWords.ts";
import { datasetSearch } from "./datasetSearch.ts";
import { DatasetView } from "./datasetView.ts";
import { ImportView } from "./imports/index.ts";
import { dataStyles } from "./styles.ts";
import { words } from "./words.ts";

interface Dataset {
  readonly id: string;
  readonly name: unknown;
  readonly rows: number | null;
  readonly storage: string | null;
  readonly modified_at: string;
  readonly owner?: { readonly name: string | null; readonly email: string } | null;
  readonly dashboards?: readonly { readonly id: string }[];
}

/** In the address of the list, shows only the reader's favourites. */
const favourites = "favourites";

const columns: readonly TableColumn<Dataset>[] = [
  {
    label: words.name,
    width: "minmax(200px, 3fr)",
    cell: ({ name, id }) => html`<a href="/data/${id}" tabindex="-1">${textOf(name) || id}</a>`,
  },
  {
    label: words.rows,
    width: "110px",
    isNumber: true,
    cell: ({ rows }) => (typeof rows === "number" ? writeNumber(rows) : "–"),
  },
  {
    label: words.changed,
    width: "140px",
    cell: ({ modified_at: at }) => html`<span title=${writeFullInstant(at)}>${writeAgo(at)}</span>`,
  },
  {
    label: words.owner,
    width: "minmax(110px, 1fr)",
    cell: ({ owner }) => owner?.name || owner?.email || "–",
  },
  {
    label: words.usedIn,
    width: "130px",
    cell: ({ dashboards = [] }) =>
      dashboards.length === 0 ? "–" : words.dashboards(dashboards.length),
  },
  {
    label: words.storage,
    width: "130px",
    cell: ({ storage }) => (storage === "client" ? words.live : words.stored),
  },
];
/** Number of datasets per call. Further datasets are loaded when the reader scrolls to the end. */
const pageRows = 200;

/** The Data page: datasets with their columns, imports of files, and connected sources. */
export class DataPage extends ConsolePage {
  static override properties = { ...ConsolePage.properties, dropped: { state: true } };
  /** The files that the reader dropped on the page last. */
  declare private dropped: readonly File[];
  private readonly found = createPagedLoad<Dataset>(this, (offset, signal) =>
    this.read(offset, signal),
  );
  private readonly collections = createLoad<Collections>(this, (signal) =>
    readCollections(this.context.api, this.context.user.id, signal),
  );
  private readonly search = createTypedSearch((query) => this.list(query, this.showsFavorites));

  constructor() {
    super();
    this.dropped = [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStyles(dataTable, records, recordStyles, starStyles, dataStyles);
    define("console-table", ConsoleTable);
    define("console-dataset", DatasetView);
    define("console-import", ImportView);
    define("console-connect", ConnectView);
    define("console-connect-form", ConnectForm);
    define("console-connection-offer", ConnectionOffer);
    define("console-record-room", RecordRoom);
    define("console-record-view", RecordView);
    this.nameWindow(words.title);
  }

  override get commands(): readonly Command[] {
    const { router } = this.context;
    return [
      ...(this.mayCreate
        ? [{ label: words.upload, kind: words.title, run: () => router.go("/data/upload") }]
        : []),
      { label: connectWords.connect, kind: words.title, run: () => router.go("/data/connect") },
    ];
  }

  /** Whether the reader may create datasets. */
  private get mayCreate(): boolean {
    return this.context.user.features?.removed?.includes("flag_create_datasets") !== true;
  }

  /** Opens dropped files in the import of the page. */
  override receiveFiles(files: readonly File[]): void {
    const [, view, id] = this.route.parts;
    this.dropped = files;
    if (view !== "upload" && id !== "upload") this.context.router.go("/data/upload");
  }

  private get keyphrase(): string {
    return this.route.query.get("search") ?? "";
  }

  private get showsFavorites(): boolean {
    return this.route.query.get("show") === favourites;
  }

  private list(search: string, showsFavorites: boolean): void {
    const query = new URLSearchParams(search);
    if (showsFavorites) query.set("show", favourites);
    const written = query.toString();
    this.context.router.go(`/data${written === "" ? "" : `?${written}`}`, { replaces: true });
  }

  private async star({ id }: Dataset): Promise<void> {
    const { value } = this.collections;
    if (!value) return;
    try {
      this.collections.set(await changeFavorite(this.context.api, value, id));
      if (this.showsFavorites) await this.found.start();
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  private readonly starColumn: TableColumn<Dataset> = {
    label: words.favorites,
    width: "110px",
    cell: (dataset) =>
      starButton({
        id: dataset.id,
        name: textOf(dataset.name) || dataset.id,
        collections: this.collections.value,
        onStar: () => void this.star(dataset),
      }),
  };

  private async read(offset: number, signal?: AbortSignal) {
    const { keyphrase, showsFavorites } = this;
    const { api, user } = this.context;
    const starred = showsFavorites
      ? [...((await readCollections(api, user.id, signal)).favorites?.ids ?? [])]
      : undefined;
    const found = await datasetSearch(this.context.api, keyphrase, signal);
    return this.context.api.get<Dataset>(
      "securable",
      {
        where: {
          type: "dataset",
          ...(starred && { id: { in: starred } }),
          ...(found && { and: [found] }),
        },
        attributes: ["id", "name", "rows", "storage", "modified_at"],
        include: [
          { model: "User", as: "Owner", attributes: ["id", "name", "email"] },
          { model: "Securable", as: "Dashboards", attributes: ["id"] },
        ],
        order: [["modified_at", "desc"]],
        limit: pageRows,
        offset,
      },
      { signal },
    );
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("route") && !this.route.parts.includes("upload")) this.dropped = [];
    if (!changed.has("route") || this.route.parts.length !== 1) return;
    void this.found.start();
    void this.collections.start();
  }

  protected override render(): TemplateResult {
    const [, view, id, detail] = this.route.parts;
    const { api, router } = this.context;
    switch (view) {
      case undefined:
        return this.renderList("datasets");
      case "upload":
        return this.renderImport(undefined);
      case "connect":
        return html`<console-connect
          .api=${api}
          .router=${router}
          .provider=${id}
        ></console-connect>`;
      case "connections":
        return id === undefined
          ? this.renderList("connections")
          : html`<div class="page">
              <console-record-view
                .context=${this.context}
                .kind=${connectionView}
                .recordId=${id}
              ></console-record-view>
            </div>`;
      default:
        if (id === "upload") return this.renderImport(view);
        return html`<console-dataset
          .api=${api}
          .router=${router}
          .datasetId=${view}
          .view=${id}
          .detail=${detail}
          .query=${this.route.query}
          .hasModel=${this.context.user.features?.assistant === true}
        ></console-dataset>`;
    }
  }

  private renderImport(datasetId: string | undefined): TemplateResult {
    return html`<console-import
      .context=${this.context}
      .datasetId=${datasetId}
      .files=${this.dropped}
    ></console-import>`;
  }

  private renderList(view: "datasets" | "connections"): TemplateResult {
    return html`<div class="page">
      <header class="page-head">
        <div>
          <h1>${words.title}</h1>
          <p>${words.intro}</p>
        </div>
        <a class="button" href="/data/connect">${connectWords.connect}</a>
        ${
          this.mayCreate
            ? html`<a class="button primary" href="/data/upload">${words.upload}</a>`
            : nothing
        }
      </header>
      ${tabs({
        label: words.lists,
        selected: view,
        items: [
          { id: "datasets", label: words.datasets },
          { id: "connections", label: connectWords.title },
        ],
        onSelect: (chosen) =>
          this.context.router.go(chosen === "datasets" ? "/data" : "/data/connections"),
      })}
      <div id="panel-${view}" role="tabpanel" aria-labelledby="tab-${view}" class="stack">
        ${
          view === "datasets"
            ? this.renderDatasets()
            : html`<console-record-room
                .context=${this.context}
                .route=${this.route}
                .kind=${connections}
              ></console-record-room>`
        }
      </div>
    </div>`;
  }

  private renderDatasets(): TemplateResult {
    const { showsFavorites, keyphrase } = this;
    const search = keyphrase === "" ? "" : `?search=${encodeURIComponent(keyphrase)}`;
    return html`<div class="row">
        <input
          class="input data-search"
          type="search"
          aria-label=${words.search}
          placeholder=${words.search}
          .value=${keyphrase}
          @input=${(event: Event) => this.search(elementOf(event.target, HTMLInputElement).value)}
        />
        <button
          class="button"
          aria-pressed=${showsFavorites ? "true" : "false"}
          @click=${() => this.list(search, !showsFavorites)}
        >
          ${words.favorites}
        </button>
      </div>
      ${this.found.show(({ rows, count }) =>
        rows.length === 0
          ? showsFavorites && keyphrase === ""
            ? emptyState({ title: words.noFavorites, text: words.noFavoritesText })
            : keyphrase === ""
              ? emptyState({ title: words.empty, text: words.emptyText })
              : emptyState({ title: words.nothingFound, text: words.nothingFoundText })
          : html`<p class="muted" role="status">${words.count(count)}</p>
              <console-table
                id="datasets"
                .label=${words.title}
                .columns=${[...columns, this.starColumn]}
                .rows=${rows}
                .onEnd=${() => void this.found.more()}
                .onOpen=${(row: Dataset) => this.context.router.go(`/data/${row.id}`)}
              ></console-table>`,
      )}`;
  }
}
