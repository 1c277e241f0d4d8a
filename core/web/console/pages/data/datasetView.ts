import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Api } from "../../api/index.ts";
import { textOf, writeNumber } from "../../language/index.ts";
import { makeDashboard } from "../../firstBoard/index.ts";
import type { Router } from "../../navigation/index.ts";
import {
  confirmAndRun,
  createLoad,
  define,
  elementOf,
  emptyState,
  type TableColumn,
  tabs,
} from "../../parts/index.ts";
import { exampleOf, type ColumnRow } from "./columnRow.ts";
import { editColumn } from "./editColumn.ts";
import { ExpressionField } from "./expressionField.ts";
import { withNames } from "./expressionText.ts";
import { FormulaList } from "./formulaList.ts";
import { HierarchiesView } from "./hierarchies/index.ts";
import { mayChangeRows } from "./imports/index.ts";
import { LinkGraph, type LinkedColumn } from "./linkGraph.ts";
import { RowsView } from "./rowsView.ts";
import { SourceView } from "./sourceView.ts";
import { words } from "./words.ts";
import { writeExpression } from "./writeExpression.ts";

const views = ["columns", "hierarchies", "formulas", "links", "rows", "source"] as const;
type View = (typeof views)[number];

const typeWords: Readonly<Record<string, string>> = words.types;
const pageColumns = 1_000;

/** One dataset: its columns, hierarchies, formulas, links, rows and source. */
export class DatasetView extends LitElement {
  static override properties = {
    api: { attribute: false },
    router: { attribute: false },
    datasetId: { attribute: false },
    hasModel: { attribute: false },
    view: { attribute: false },
    detail: { attribute: false },
    query: { attribute: false },
    keyphrase: { state: true },
    isMaking: { state: true },
  };
  declare api: Api;
  declare router: Router;
  declare datasetId: string;
  /** Whether a model can describe the dataset. */
  declare hasModel: boolean | undefined;
  /** Name of the view in the address; any other value shows the columns. */
  declare view: string | undefined;
  /** Part of the address after the view: the column of a hierarchy. */
  declare detail: string | undefined;
  declare query: URLSearchParams;
  declare private keyphrase: string;
  /** Whether a dashboard of the dataset is being made. */
  declare private isMaking: boolean;
  private readonly loaded = createLoad(this, async (signal) => {
    const where = { id: this.datasetId };
    const attributes = ["id", "name", "rows", "description", "storage"];
    const [found, columns] = await Promise.all([
      this.api.get("securable", { where, attributes }, { signal }),
      this.readColumns(signal),
    ]);
    const [record] = found.rows;
    const isStored = record !== undefined && record["storage"] !== "client";
    const mayAdd = isStored && (await mayChangeRows(this.api, this.datasetId, signal));
    return { record, columns, mayAdd };
  });

  constructor() {
    super();
    [this.keyphrase, this.isMaking] = ["", false];
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    define("console-expression", ExpressionField);
    define("console-formulas", FormulaList);
    define("console-hierarchies", HierarchiesView);
    define("console-links", LinkGraph);
    define("console-rows", RowsView);
    define("console-source", SourceView);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("datasetId")) return;
    this.keyphrase = "";
    this.loaded.clear();
    void this.loaded.start();
  }

  /** Fetches all columns with their links, page by page. */
  private async readColumns(signal: AbortSignal): Promise<readonly LinkedColumn[]> {
    const columns: LinkedColumn[] = [];
    for (;;) {
      const { count, rows } = await this.api.get<LinkedColumn>(
        "column",
        {
          where: { securable_id: this.datasetId },
          include: [{ model: "Column", as: "Joins" }],
          order: [["order", "asc"]],
          limit: pageColumns,
          offset: columns.length,
        },
        { signal },
      );
      columns.push(...rows);
      if (rows.length === 0 || columns.length >= count) return columns;
    }
  }

  private get shown(): View {
    return views.find((each) => each === this.view) ?? "columns";
  }

  private async delete(): Promise<void> {
    const isDone = await confirmAndRun({
      action: words.deleteDataset,
      text: words.deleteDatasetText,
      run: () => this.api.remove("securable", this.datasetId),
    });
    if (isDone) this.router.go("/data", { replaces: true });
  }

  private async makeDashboard(): Promise<void> {
    const { api, router, datasetId } = this;
    this.isMaking = true;
    await makeDashboard({ api, router }, datasetId);
    this.isMaking = false;
  }

  private async open(column: LinkedColumn, columns: readonly LinkedColumn[]): Promise<void> {
    const { api, datasetId } = this;
    const isChanged = await editColumn(api, column, async () => {
      const { id, name, expression } = column;
      const existing = { id, name, expression };
      return writeExpression(api, { kind: "column", datasetId, columns, existing });
    });
    if (isChanged) await this.loaded.start();
  }

  private async derive(columns: readonly LinkedColumn[]): Promise<void> {
    const { api, datasetId } = this;
    if (await writeExpression(api, { kind: "column", datasetId, columns }))
      await this.loaded.start();
  }

  protected override render(): TemplateResult {
    const { shown } = this;
    return html`<div class="page">
      ${this.loaded.show(({ record, columns, mayAdd }) =>
        record
          ? html`<header class="page-head">
                <div>
                  <h1>${textOf(record["name"]) || String(record["id"])}</h1>
                  <p>
                    ${words.size(
                      typeof record["rows"] === "number" ? record["rows"] : undefined,
                      columns.length,
                    )}
                    ${textOf(record["description"])}
                  </p>
                </div>
                <a class="button" href="/data">${words.back}</a>
                ${
                  this.hasModel
                    ? html`<a class="button" href="/ask/describe/${this.datasetId}"
                        >${words.describe}</a
                      >`
                    : ""
                }
                ${
                  mayAdd
                    ? html`<a class="button" href="/data/${this.datasetId}/upload"
                        >${words.addRows}</a
                      >`
                    : nothing
                }
                <a class="button" href="/explore/${this.datasetId}">${words.explore}</a>
                <button
                  class="button primary"
                  ?disabled=${this.isMaking}
                  @click=${() => void this.makeDashboard()}
                >
                  ${this.isMaking ? words.makingDashboard : words.makeDashboard}
                </button>
                <button class="button danger" @click=${() => void this.delete()}>
                  ${words.deleteDataset}
                </button>
              </header>
              ${tabs({
                label: words.views,
                selected: shown,
                items: views.map((id) => ({ id, label: words.viewNames[id] })),
                onSelect: (id) =>
                  this.router.go(`/data/${this.datasetId}${id === "columns" ? "" : `/${id}`}`, {
                    replaces: true,
                  }),
              })}
              <div
                id="panel-${shown}"
                role="tabpanel"
                aria-labelledby="tab-${shown}"
                class="stack dataset-panel"
              >
                ${this.renderView(shown, textOf(record["name"]), columns)}
              </div>`
          : emptyState({
              title: words.nothingFound,
              action: html`<a class="button" href="/data">${words.back}</a>`,
            }),
      )}
    </div>`;
  }

  private renderView(shown: View, name: string, columns: readonly LinkedColumn[]): TemplateResult {
    const { api, datasetId } = this;
    switch (shown) {
      case "formulas":
        return html`<console-formulas
          class="stack"
          .api=${api}
          .datasetId=${datasetId}
          .columns=${columns}
        ></console-formulas>`;
      case "hierarchies":
        return html`<console-hierarchies
          class="stack"
          .api=${api}
          .router=${this.router}
          .datasetId=${datasetId}
          .columns=${columns}
          .columnId=${this.detail}
          .query=${this.query}
        ></console-hierarchies>`;
      case "links":
        return html`<console-links
          class="stack"
          .api=${api}
          .datasetId=${datasetId}
          .name=${name}
          .columns=${columns}
          .onChanged=${() => void this.loaded.start()}
        ></console-links>`;
      case "rows":
        return html`<console-rows
          class="stack"
          .api=${api}
          .datasetId=${datasetId}
          .columns=${columns}
        ></console-rows>`;
      case "source":
        return html`<console-source
          class="stack"
          .api=${api}
          .datasetId=${datasetId}
          .columns=${columns}
        ></console-source>`;
      case "columns":
        return this.renderColumns(columns);
    }
  }

  private renderColumns(all: readonly LinkedColumn[]): TemplateResult {
    const phrase = this.keyphrase.trim().toLowerCase();
    const found = all.filter(
      ({ name, description }) =>
        textOf(name).toLowerCase().includes(phrase) ||
        textOf(description).toLowerCase().includes(phrase),
    );
    const columns: readonly TableColumn<ColumnRow>[] = [
      {
        label: words.name,
        width: "minmax(160px, 2fr)",
        cell: ({ name, id, hidden }) =>
          html`${textOf(name) || id}
          ${hidden ? html`<span class="badge">${words.hidden}</span>` : nothing}`,
      },
      { label: words.type, width: "90px", cell: ({ type }) => typeWords[type] ?? type },
      { label: words.format, width: "150px", cell: exampleOf },
      {
        label: words.description,
        width: "minmax(140px, 2fr)",
        cell: ({ description }) => textOf(description) || "–",
      },
      {
        label: words.expression,
        width: "minmax(140px, 2fr)",
        cell: ({ expression }) =>
          expression === null ? "–" : withNames(expression, this.datasetId, all),
      },
    ];
    return html`<div class="row">
        <input
          class="input data-search grow"
          type="search"
          aria-label=${words.searchColumns}
          placeholder=${words.searchColumns}
          .value=${this.keyphrase}
          @input=${(event: Event) => (this.keyphrase = elementOf(event.target, HTMLInputElement).value)}
        />
        <span class="muted grow" role="status"
          >${words.shownColumns(writeNumber(found.length), writeNumber(all.length))}</span
        >
        <button class="button" @click=${() => void this.derive(all)}>${words.derive}</button>
      </div>
      <console-table
        id="columns"
        .label=${words.columns}
        .columns=${columns}
        .rows=${found}
        .onOpen=${(row: LinkedColumn) => void this.open(row, all)}
      ></console-table>`;
  }
}
