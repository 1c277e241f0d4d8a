import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Found } from "../api/index.ts";
import { ConsoleTable, type TableColumn } from "./consoleTable.ts";
import { createPagedLoad } from "./createPagedLoad.ts";
import { createTypedSearch } from "./createTypedSearch.ts";
import { define } from "./define.ts";
import { elementOf } from "./elementOf.ts";

/**
 * A list of records that the host searches and returns in pages. Properties: `label`, `columns`, `read`, and the text
 * in `searchLabel`, `empty`, `nothingFound` and `countText`. With `onSearch`, the page keeps the search text and passes
 * it as `search`; otherwise the list keeps it. `tools` are shown next to the search box. The list is loaded again when
 * `search` or `version` changes.
 */
export class RecordList<Row = unknown> extends LitElement {
  static override properties = {
    label: { attribute: false },
    columns: { attribute: false },
    searchLabel: { attribute: false },
    search: { attribute: false },
    version: { attribute: false },
    tools: { attribute: false },
    empty: { attribute: false },
    nothingFound: { attribute: false },
    height: { attribute: false },
  };
  declare label: string;
  declare columns: readonly TableColumn<Row>[];
  declare searchLabel: string | undefined;
  declare search: string;
  declare version: unknown;
  declare tools: TemplateResult | undefined;
  /** The content that is shown if no records exist. */
  declare empty: TemplateResult;
  /** The content that is shown if the search finds nothing. */
  declare nothingFound: TemplateResult;
  /** Maximum height of the table in pixels. */
  declare height: number;
  /** Finds the records that match a search text, starting at an offset. */
  declare read: (search: string, offset: number, signal?: AbortSignal) => Promise<Found<Row>>;
  /** Returns the text for the number of records found. */
  declare countText: (count: number) => string;
  declare onSearch: ((search: string) => void) | undefined;
  declare onOpen: ((row: Row) => void) | undefined;
  private readonly found = createPagedLoad<Row>(this, (offset, signal) =>
    this.read(this.search, offset, signal),
  );
  private readonly type = createTypedSearch((query) => {
    const text = new URLSearchParams(query).get("search") ?? "";
    if (this.onSearch) this.onSearch(text);
    else this.search = text;
  });

  constructor() {
    super();
    this.search = "";
    this.height = 560;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    define("console-table", ConsoleTable);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("search") || changed.has("version")) void this.found.start();
  }

  protected override render(): TemplateResult {
    const { searchLabel, tools, search } = this;
    return html`${
      searchLabel === undefined && !tools
        ? nothing
        : html`<div class="row list-head">
            ${
              searchLabel === undefined
                ? html`<span class="grow"></span>`
                : html`<input
                    class="input grow"
                    type="search"
                    aria-label=${searchLabel}
                    placeholder=${searchLabel}
                    .value=${search}
                    @input=${(event: Event) => this.type(elementOf(event.target, HTMLInputElement).value)}
                  />`
            }
            ${tools ?? nothing}
          </div>`
    }
    ${this.found.show((found) => this.renderFound(found), 4)}`;
  }

  private renderFound({ count, rows }: Found<Row>): TemplateResult {
    if (rows.length === 0) return this.search === "" ? this.empty : this.nothingFound;
    return html`<p class="muted small" role="status">${this.countText(count)}</p>
      <console-table
        id="${this.id}-table"
        .label=${this.label}
        .columns=${this.columns}
        .rows=${rows}
        .height=${this.height}
        .onOpen=${this.onOpen}
        .onEnd=${() => void this.found.more()}
      ></console-table>`;
  }
}
