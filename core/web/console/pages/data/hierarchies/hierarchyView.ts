import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Api } from "../../../api/index.ts";
import { textOf, writeNumber } from "../../../language/index.ts";
import type { Router } from "../../../navigation/index.ts";
import {
  RecordList,
  createLoad,
  define,
  emptyState,
  selectField,
  type TableColumn,
} from "../../../parts/index.ts";
import { editLevel } from "./editLevel.ts";
import { editValue } from "./editValue.ts";
import type { LabelledValue, Level, TextColumn } from "./hierarchy.ts";
import { readSeenValues, readStoredValues, shownValues } from "./readValues.ts";
import { words } from "./words.ts";

const shownLevels = 200;

const swatch = (color: string | null): TemplateResult | string =>
  color === null
    ? "–"
    : html`<span class="swatch" aria-hidden="true" .style=${`background: ${color}`}></span>
        ${color}`;

const columns: readonly TableColumn<LabelledValue>[] = [
  { label: words.value, width: "minmax(140px, 2fr)", cell: ({ id }) => id || words.emptyText },
  {
    label: words.label,
    width: "minmax(140px, 2fr)",
    cell: ({ name }) => textOf(name) || "–",
  },
  { label: words.color, width: "120px", cell: ({ color }) => swatch(color) },
  {
    label: words.rows,
    width: "90px",
    isNumber: true,
    cell: ({ count }) => (count === undefined ? "–" : writeNumber(count)),
  },
];

/** The hierarchy of a text column: its levels, and the labels and colours of its values. */
export class HierarchyView extends LitElement {
  static override properties = {
    api: { attribute: false },
    router: { attribute: false },
    datasetId: { attribute: false },
    column: { attribute: false },
    query: { attribute: false },
    version: { state: true },
  };
  declare api: Api;
  declare router: Router;
  declare datasetId: string;
  declare column: TextColumn;
  declare query: URLSearchParams;
  declare private version: number;
  private readonly levels = createLoad(this, async (signal) => {
    const where = { column_id: this.column.id };
    const find = { where, order: [["level", "asc"]], limit: shownLevels };
    return (await this.api.get<Level>("hierarchylevel", find, { signal })).rows;
  });

  constructor() {
    super();
    this.version = 0;
    this.query = new URLSearchParams();
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    define("console-records", RecordList);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("column") && changed.get("column")?.id !== this.column.id)
      void this.levels.start();
  }

  private get isStored(): boolean {
    return this.query.get("values") === "labelled";
  }

  private go(changes: Readonly<Record<string, string>>): void {
    const query = new URLSearchParams(this.query);
    for (const [name, value] of Object.entries(changes))
      if (value === "") query.delete(name);
      else query.set(name, value);
    const text = query.size > 0 ? `?${query.toString()}` : "";
    const path = `/data/${this.datasetId}/hierarchies/${this.column.id}`;
    this.router.go(path + text, { replaces: true });
  }

  private async openLevel(level?: Level): Promise<void> {
    const { api, column } = this;
    const next = Math.max(0, ...(this.levels.value ?? []).map(({ level: each }) => each)) + 1;
    const options = { api, columnId: column.id, next };
    if (await editLevel(level ? { ...options, level } : options)) await this.levels.start();
  }

  private async openValue(value?: LabelledValue): Promise<void> {
    const { api, levels } = this;
    const columnId = this.column.id;
    if (await editValue({ api, columnId, value, levels: levels.value ?? [] })) this.version++;
  }

  protected override render(): TemplateResult {
    return html`<div class="row">
        <h2 class="grow truncate">${textOf(this.column.name) || this.column.id}</h2>
        <a class="button" href="/data/${this.datasetId}/hierarchies">${words.back}</a>
      </div>
      ${this.renderLevels()} ${this.renderValues()}`;
  }

  private renderLevels(): TemplateResult {
    return html`<section class="stack" aria-labelledby="levels-title">
      <div class="row">
        <h3 class="grow" id="levels-title">${words.levels}</h3>
        <button class="button" @click=${() => void this.openLevel()}>${words.addLevel}</button>
      </div>
      ${this.levels.show(
        (levels) =>
          levels.length === 0
            ? html`<p class="muted">${words.noLevels}</p>`
            : html`<ol class="levels">
                ${levels.map(
                  (level) =>
                    html`<li class="row surface">
                      <span class="badge">${writeNumber(level.level)}</span>
                      <span class="grow truncate">${textOf(level.name) || level.id}</span>
                      ${level.color === null ? nothing : html`<span>${swatch(level.color)}</span>`}
                      <button
                        class="button"
                        aria-label="${words.change}: ${textOf(level.name)}"
                        @click=${() => void this.openLevel(level)}
                      >
                        ${words.change}
                      </button>
                    </li>`,
                )}
              </ol>`,
        2,
      )}
    </section>`;
  }

  private renderValues(): TemplateResult {
    const { api, datasetId, column, isStored } = this;
    const at = { datasetId, columnId: column.id };
    const common = html`${selectField({
        id: "values-kind",
        label: words.show,
        value: isStored ? "labelled" : "",
        choices: [
          { value: "", label: words.seen },
          { value: "labelled", label: words.stored },
        ],
        onSelect: (values) => this.go({ values, search: "" }),
      })}<button class="button" @click=${() => void this.openValue()}>${words.addValue}</button>`;
    return html`<section class="stack" aria-labelledby="values-title">
      <h3 id="values-title">${words.values}</h3>
      <console-records
        id="values"
        .label=${words.values}
        .columns=${columns}
        .searchLabel=${isStored ? undefined : words.search}
        .search=${isStored ? "" : (this.query.get("search") ?? "")}
        .version=${`${column.id} ${isStored} ${this.version}`}
        .onSearch=${(search: string) => this.go({ search })}
        .read=${(search: string, offset: number, signal?: AbortSignal) =>
          isStored
            ? readStoredValues(api, column.id, offset, signal)
            : readSeenValues(api, at, search, signal)}
        .countText=${(count: number) =>
          !isStored && count >= shownValues
            ? words.firstValues(writeNumber(count))
            : words.countValues(count)}
        .onOpen=${(value: LabelledValue) => void this.openValue(value)}
        .empty=${emptyState({ title: isStored ? words.noLabels : words.noValues })}
        .nothingFound=${emptyState({ title: words.nothingFound })}
        .tools=${common}
      ></console-records>
    </section>`;
  }
}
