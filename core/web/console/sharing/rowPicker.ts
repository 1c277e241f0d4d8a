import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Api } from "../api/index.ts";
import { isolated, writeNumber } from "../language/index.ts";
import { createLoad, elementOf, selectField } from "../parts/index.ts";
import { nameOf, readValues } from "../questions/index.ts";
import type { DatasetChoice } from "./datasetChoice.ts";
import { words } from "./words.ts";

/** A column by which rows can be chosen. */
export interface PickedColumn {
  readonly id: string;
  readonly name: unknown;
}

/**
 * Lets the reader choose the rows of a dataset: a column, and its values with their numbers of rows. Properties: `api`,
 * `columns`, `choice`, `onChange`.
 */
export class RowPicker extends LitElement {
  static override properties = {
    api: { attribute: false },
    columns: { attribute: false },
    choice: { attribute: false },
    search: { state: true },
  };
  declare api: Api;
  declare columns: readonly PickedColumn[];
  declare choice: DatasetChoice;
  declare onChange: (choice: DatasetChoice) => void;
  declare private search: string;
  /** The column whose values are listed. */
  private listedId = "";
  private readonly found = createLoad(this, () =>
    readValues(this.api, this.choice.datasetId, this.choice.columnId, this.search),
  );

  constructor() {
    super();
    this.search = "";
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    const isOther = this.choice.columnId !== this.listedId;
    this.listedId = this.choice.columnId;
    if (isOther) {
      this.search = "";
      this.found.clear();
    }
    if ((isOther || changed.has("search")) && this.choice.columnId !== "") void this.found.start();
  }

  protected override render(): TemplateResult {
    const { columns, choice } = this;
    if (columns.length === 0) return html`<p class="muted">${words.noColumns}</p>`;
    return html`${selectField({
      id: `rows-${choice.datasetId}`,
      label: words.column,
      value: choice.columnId,
      choices: [
        ...(choice.columnId === "" ? [{ value: "", label: words.chooseColumn }] : []),
        ...columns.map((each) => ({ value: each.id, label: nameOf(each) })),
      ],
      onSelect: (columnId) => this.onChange({ ...choice, columnId, values: new Set() }),
    })}
    ${choice.columnId === "" ? nothing : this.renderValues()}`;
  }

  private renderValues(): TemplateResult {
    const { columns, choice } = this;
    const column = columns.find(({ id }) => id === choice.columnId);
    const label = words.values(isolated(column ? nameOf(column) : ""));
    return html`<input
        class="input"
        type="search"
        aria-label=${words.searchValues}
        placeholder=${words.searchValues}
        .value=${this.search}
        @input=${(event: Event) => {
          this.search = elementOf(event.target, HTMLInputElement).value;
        }}
      />
      ${this.found.show((found) => {
        const listed = new Set<unknown>(found.map(({ value }) => value));
        const others =
          this.search === "" ? [...choice.values].filter((value) => !listed.has(value)) : [];
        return html`<div class="share-values" role="group" aria-label=${label}>
          ${others.map((value) => this.renderValue(value, undefined))}
          ${found.map(({ value, count }) => this.renderValue(value, count))}
          ${found.length === 0 ? html`<p class="muted">${words.noValues}</p>` : nothing}
        </div>`;
      }, 4)}`;
  }

  private renderValue(value: unknown, count: number | undefined): TemplateResult {
    const { choice } = this;
    return html`<label class="share-value">
      <input
        type="checkbox"
        .checked=${choice.values.has(value)}
        @change=${(event: Event) => {
          const values = new Set(choice.values);
          if (elementOf(event.target, HTMLInputElement).checked) values.add(value);
          else values.delete(value);
          this.onChange({ ...choice, values });
        }}
      />
      <span class="grow truncate">${value === null ? words.empty : String(value)}</span>
      ${count === undefined ? nothing : html`<span class="muted small">${writeNumber(count)}</span>`}
    </label>`;
  }
}
