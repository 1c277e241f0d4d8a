import { html, type PropertyValues, type TemplateResult } from "lit";
import { textOf, writeAgo, writeInstant } from "../../language/index.ts";
import {
  ConsolePage,
  ConsoleTable,
  createLoad,
  define,
  emptyState,
  tabs,
  type TableColumn,
} from "../../parts/index.ts";
import { adoptStyles, dataTable } from "../../styles/index.ts";
import { SeeAs } from "./seeAs.ts";
import { accessStyles } from "./styles.ts";
import { TokensView } from "./tokensView.ts";
import { words } from "./words.ts";

/** A record of any of the lists; `members` are those of an audit event. */
interface Row extends Readonly<Record<string, unknown>> {
  readonly created_at: string;
  readonly members?: readonly string[];
}

interface View {
  readonly resource: string;
  readonly find: Readonly<Record<string, unknown>>;
  readonly columns: readonly TableColumn<Row>[];
}

const text = (value: unknown): string => (typeof value === "string" && value !== "" ? value : "–");
const cell = (label: string, width: string, member: string): TableColumn<Row> => ({
  label,
  width,
  cell: (row) => text(textOf(row[member])),
});
const created: TableColumn<Row> = {
  label: words.created,
  width: "200px",
  cell: ({ created_at }) => writeInstant(created_at),
};
const tabWords: Readonly<Record<string, string>> = words.tabs;
const newest = { order: [["created_at", "desc"]], limit: 500 };

const views: Readonly<Record<string, View>> = {
  people: {
    resource: "user",
    find: newest,
    columns: [
      cell(words.name, "minmax(160px, 2fr)", "name"),
      cell(words.email, "minmax(180px, 2fr)", "email"),
      cell(words.suborganization, "minmax(140px, 1fr)", "suborganization"),
      created,
    ],
  },
  groups: {
    resource: "group",
    find: newest,
    columns: [cell(words.name, "minmax(200px, 3fr)", "name"), created],
  },
  integrations: {
    resource: "integration",
    find: newest,
    columns: [cell(words.name, "minmax(200px, 3fr)", "name"), created],
  },
  audit: {
    resource: "auditevent",
    find: newest,
    columns: [
      {
        label: words.when,
        width: "140px",
        cell: ({ created_at }) => writeAgo(created_at),
      },
      cell(words.action, "110px", "action"),
      cell(words.resource, "140px", "resource"),
      cell(words.record, "minmax(200px, 1fr)", "record_id"),
      {
        label: words.members,
        width: "minmax(160px, 1fr)",
        cell: ({ members = [] }) => text(members.join(", ")),
      },
    ],
  },
};

/** The page People and access. */
export class AccessPage extends ConsolePage {
  private loaded = "";
  private readonly list = createLoad(this, async (signal) => {
    const { resource, find } = views[this.view] ?? views["people"]!;
    return (await this.context.api.get<Row>(resource, find, { signal })).rows;
  });

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStyles(dataTable, accessStyles);
    define("console-table", ConsoleTable);
    define("console-tokens", TokensView);
    define("console-see-as", SeeAs);
    this.nameWindow(words.title);
  }

  private get view(): string {
    const [, view = "people"] = this.place.parts;
    return view in words.tabs ? view : "people";
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("place") || this.loaded === this.view || !views[this.view]) return;
    this.loaded = this.view;
    this.list.clear();
    void this.list.start();
  }

  protected override render(): TemplateResult {
    const { parts } = this.place;
    const key = parts[1] === "tokens" ? parts[2] : undefined;
    if (key !== undefined)
      return html`<div class="page">
        <header class="page-head">
          <div>
            <h1>${words.seeAs}</h1>
            <p class="key-text">${key}</p>
          </div>
          <a class="button" href="/access/tokens">${words.back}</a>
        </header>
        <console-see-as .api=${this.context.api} .key=${key}></console-see-as>
      </div>`;
    return html`<div class="page">
      <header class="page-head">
        <div>
          <h1>${words.title}</h1>
          <p>${words.intro}</p>
        </div>
      </header>
      ${tabs({
        label: words.views,
        selected: this.view,
        items: Object.entries(words.tabs).map(([id, label]) => ({ id, label })),
        onSelect: (id) => this.context.places.go(`/access/${id}`),
      })}
      <div
        id="panel-${this.view}"
        role="tabpanel"
        class="access-panel"
        aria-labelledby="tab-${this.view}"
      >
        ${this.view === "tokens" ? this.renderTokens() : this.renderList()}
      </div>
    </div>`;
  }

  private renderTokens(): TemplateResult {
    const { api, user, places } = this.context;
    return html`<console-tokens .api=${api} .user=${user} .places=${places}></console-tokens>`;
  }

  private renderList(): TemplateResult {
    const { columns } = views[this.view] ?? views["people"]!;
    const title = this.view === "people" ? words.nobody : words.noRecords;
    return this.list.show((rows) =>
      rows.length === 0
        ? emptyState({ title })
        : html`<console-table
            id="access-list"
            .label=${tabWords[this.view] ?? ""}
            .columns=${columns}
            .rows=${rows}
          ></console-table>`,
    );
  }
}
