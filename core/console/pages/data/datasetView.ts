import { html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import type { Api } from "../../api/index.ts";
import { textOf, writeNumber } from "../../language/index.ts";
import { createLoad, emptyState, type TableColumn, tabs } from "../../parts/index.ts";
import { editColumn } from "./editColumn.ts";
import { deriveColumn } from "./deriveColumn.ts";
import { words } from "./words.ts";
import type { ColumnRow } from "./columnRow.ts";

interface Linked extends ColumnRow {
  readonly joins?: readonly ColumnRow[];
}

const typeWords: Readonly<Record<string, string>> = words.types;
const typeWord = (type: string): string => typeWords[type] ?? type;
const columns: readonly TableColumn<ColumnRow>[] = [
  { label: words.name, width: "minmax(160px, 2fr)", cell: ({ name, id }) => textOf(name) || id },
  { label: words.type, width: "100px", cell: ({ type }) => typeWord(type) },
  { label: words.format, width: "100px", cell: ({ format }) => format ?? "–" },
  {
    label: words.expression,
    width: "minmax(120px, 2fr)",
    cell: ({ expression, hidden }) => (hidden ? words.hidden : (expression ?? "–")),
  },
];
const shownRows = 100;

/** One dataset: its columns, its first rows, its links. `api`, `datasetId`. */
export class DatasetView extends LitElement {
  static override properties = {
    api: { attribute: false },
    datasetId: { attribute: false },
    view: { state: true },
  };
  declare api: Api;
  declare datasetId: string;
  declare private view: "columns" | "rows" | "links";
  private readonly loaded = createLoad(this, async (signal) => {
    const where = { id: this.datasetId };
    const attributes = ["id", "name", "rows", "description", "storage"];
    const include = [{ model: "Column", as: "Joins" }];
    const [found, listed] = await Promise.all([
      this.api.get("securable", { where, attributes }, { signal }),
      this.api.get<Linked>(
        "column",
        {
          where: { securable_id: this.datasetId },
          include,
          order: [["order", "asc"]],
          limit: 1_000,
        },
        { signal },
      ),
    ]);
    const [record] = found.rows;
    return { record, columns: listed.rows };
  });
  private readonly rows = createLoad(this, async (signal) => {
    const of = this.loaded.value?.columns ?? [];
    const dimensions = of.map(({ id }) => ({ dataset_id: this.datasetId, column_id: id }));
    const find = {
      dimensions,
      limit: { by: shownRows },
      options: { rollup_data: false, cells: "plain" },
    };
    const { data } = await this.api.call<{ readonly data: readonly (readonly unknown[])[] }>(
      "data",
      "get",
      { find },
      { signal },
    );
    return data;
  });

  constructor() {
    super();
    this.view = "columns";
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("datasetId")) void this.loaded.start();
  }

  protected override render(): TemplateResult {
    return html`<div class="page">
      ${this.loaded.show(({ record, columns: of }) =>
        record
          ? html`<header class="page-head">
                <div>
                  <h1>${textOf(record["name"]) || String(record["id"])}</h1>
                  <p>
                    ${words.rows}:
                    ${typeof record["rows"] === "number" ? writeNumber(record["rows"]) : "–"}
                  </p>
                </div>
                <a class="button" href="/data">${words.back}</a>
                <a class="button" href="/explore/${this.datasetId}">${words.explore}</a>
              </header>
              ${tabs({
                label: words.views,
                selected: this.view,
                items: [
                  { id: "columns", label: words.columns },
                  { id: "rows", label: words.firstRows },
                  { id: "links", label: words.links },
                ],
                onSelect: (id) => this.choose(id),
              })}
              <div
                id="panel-${this.view}"
                role="tabpanel"
                aria-labelledby="tab-${this.view}"
                class="stack"
              >
                ${this.renderView(of)}
              </div>`
          : emptyState({
              title: words.nothingFound,
              action: html`<a class="button" href="/data">${words.back}</a>`,
            }),
      )}
    </div>`;
  }

  private choose(view: "columns" | "rows" | "links"): void {
    this.view = view;
    if (view === "rows") void this.rows.start();
  }

  private renderView(of: readonly Linked[]): TemplateResult {
    if (this.view === "rows") return this.rows.show((rows) => renderRows(of, rows));
    if (this.view === "links") return renderLinks(of);
    return html`<div class="row">
        <button
          class="button"
          @click=${() => void deriveColumn(this.api, this.datasetId, of).then((made) => (made ? this.loaded.start() : undefined))}
        >
          ${words.derive}
        </button>
      </div>
      <console-table
        id="columns"
        .label=${words.columns}
        .columns=${columns}
        .rows=${of}
        .onOpen=${(row: ColumnRow) => void editColumn(this.api, row).then((changed) => (changed ? this.loaded.start() : undefined))}
      ></console-table>`;
  }
}

function renderRows(
  of: readonly ColumnRow[],
  rows: readonly (readonly unknown[])[],
): TemplateResult {
  return html`<div
    class="surface data-scroll"
    tabindex="0"
    role="region"
    aria-label=${words.firstRows}
  >
    <table class="data-table">
      <thead>
        <tr>
          ${of.map(({ name, type }) => html`<th class=${type === "numeric" ? "right" : ""}>${textOf(name)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell) => html`<td class=${typeof cell === "number" ? "right" : ""}>${typeof cell === "number" ? writeNumber(cell) : (cell ?? "–")}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function renderLinks(of: readonly Linked[]): TemplateResult {
  const links = of.flatMap((column) => (column.joins ?? []).map((other) => ({ column, other })));
  if (links.length === 0) return emptyState({ title: words.noLinks, text: words.noLinksText });
  return html`<ul>
    ${links.map(
      ({ column, other }) =>
        html`<li>
          <a href="/data/${other.securable_id}"
            >${words.linkTo(textOf(column.name), textOf(other.name))}</a
          >
        </li>`,
    )}
  </ul>`;
}
