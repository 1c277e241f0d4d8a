import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Api } from "../../api/index.ts";
import { textOf, writeNumber } from "../../language/index.ts";
import { createLoad, emptyState, rowTable } from "../../parts/index.ts";
import { cellWriter } from "../../questions/index.ts";
import type { ColumnRow } from "./columnRow.ts";
import { words } from "./words.ts";

const shownRows = 100;
/** Number of columns drawn at a time. */
const shownColumns = 30;

/** The first rows of a dataset, with some of its columns at a time. Properties: `api`, `datasetId`, `columns`. */
export class RowsView extends LitElement {
  static override properties = {
    api: { attribute: false },
    datasetId: { attribute: false },
    columns: { attribute: false },
    from: { state: true },
  };
  declare api: Api;
  declare datasetId: string;
  declare columns: readonly ColumnRow[];
  declare private from: number;
  private readonly rows = createLoad(this, async (signal) => {
    const columns = this.seen;
    const dimensions = columns.map(({ id }) => ({ dataset_id: this.datasetId, column_id: id }));
    if (dimensions.length === 0) return { columns, rows: [] };
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
    return { columns, rows: data };
  });

  constructor() {
    super();
    this.from = 0;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("datasetId") || changed.has("columns") || changed.has("from"))
      void this.rows.start();
  }

  private get seen(): readonly ColumnRow[] {
    return this.columns.slice(this.from, this.from + shownColumns);
  }

  protected override render(): TemplateResult {
    const { from } = this;
    const all = this.columns.length;
    const to = Math.min(all, from + shownColumns);
    return html`${
      all > shownColumns
        ? html`<div class="row">
            <span class="muted grow" role="status"
              >${words.columnsFromTo(writeNumber(from + 1), writeNumber(to), writeNumber(all))}</span
            >
            <button
              class="button"
              ?disabled=${from === 0}
              @click=${() => (this.from = Math.max(0, from - shownColumns))}
            >
              ${words.earlier}
            </button>
            <button
              class="button"
              ?disabled=${to >= all}
              @click=${() => (this.from = from + shownColumns)}
            >
              ${words.later}
            </button>
          </div>`
        : nothing
    }
    ${this.rows.show(({ columns, rows }) =>
      rows.length === 0 ? emptyState({ title: words.noRowsYet }) : renderTable(columns, rows),
    )}`;
  }
}

function renderTable(
  columns: readonly ColumnRow[],
  rows: readonly (readonly unknown[])[],
): TemplateResult {
  const writers = columns.map(cellWriter);
  return rowTable({
    label: words.firstRows,
    look: "surface",
    columns: columns.map(({ name, type }, at) => ({
      head: textOf(name),
      isNumeric: type === "numeric",
      cell: (row: readonly unknown[]) => writers[at]?.(row[at]) || "–",
    })),
    rows,
  });
}
