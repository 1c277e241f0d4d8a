import { html, LitElement, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import type { Api } from "../api/index.ts";
import { define, selectField } from "../parts/index.ts";
import {
  FilterFields,
  nameOf,
  type ExploredColumn,
  type Filter,
  type FilteredColumn,
} from "../questions/index.ts";
import type { DatasetChoice } from "./datasetChoice.ts";
import { rowFilterZone } from "./rowFilter.ts";
import { words } from "./words.ts";

/**
 * Lets the reader choose the rows of a dataset: a column, and a test of its values in the words of questions.
 * Properties: `api`, `columns`, `choice`, `onChange`.
 */
export class RowPicker extends LitElement {
  static override properties = {
    api: { attribute: false },
    columns: { attribute: false },
    choice: { attribute: false },
  };
  declare api: Api;
  declare columns: readonly FilteredColumn[];
  declare choice: DatasetChoice;
  declare onChange: (choice: DatasetChoice) => void;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    define("console-filter-fields", FilterFields);
    this.addEventListener("keydown", confirmField);
  }

  protected override render(): TemplateResult {
    const { columns, choice } = this;
    if (columns.length === 0) return html`<p class="muted">${words.noColumns}</p>`;
    const column = columns.find(({ id }) => id === choice.columnId);
    return html`${selectField({
      id: `rows-${choice.datasetId}`,
      label: words.column,
      value: choice.columnId,
      choices: [
        ...(column ? [] : [{ value: "", label: words.chooseColumn }]),
        ...columns.map((each) => ({ value: each.id, label: nameOf(each) })),
      ],
      onSelect: (columnId) => this.onChange({ ...choice, columnId, filter: undefined }),
    })}
    ${column ? keyed(column.id, this.renderFilter(column)) : nothing}`;
  }

  private renderFilter(column: FilteredColumn): TemplateResult {
    const { filter, datasetId } = this.choice;
    return html`<console-filter-fields
        .api=${this.api}
        .datasetId=${datasetId}
        .column=${column}
        .timezoneId=${rowFilterZone}
        .filter=${filter && { id: column.id, test: filter.expression, value: filter.value }}
        .onChange=${(next: Filter | undefined) => this.change(column, next)}
      ></console-filter-fields>
      ${hasInstants(column) ? html`<p class="muted small">${words.daysInUtc}</p>` : nothing}`;
  }

  private change({ id }: FilteredColumn, next: Filter | undefined): void {
    const { choice } = this;
    if (choice.columnId !== id) return;
    const filter = next && {
      securable_id: choice.datasetId,
      column_id: id,
      expression: next.test,
      ...(next.value !== undefined && { value: next.value }),
    };
    this.onChange({ ...choice, filter });
  }
}

/** Returns whether the values of a column are instants, whose days depend on the time zone. */
const hasInstants = ({ type, subtype }: Pick<ExploredColumn, "type" | "subtype">): boolean =>
  type === "datetime" && subtype !== "date";

/** Takes the value of a field at Enter. Without this, Enter would send the form that contains the fields. */
function confirmField(event: KeyboardEvent): void {
  const { key, target } = event;
  if (key !== "Enter" || !(target instanceof HTMLInputElement)) return;
  event.preventDefault();
  target.dispatchEvent(new Event("change", { bubbles: true }));
}
