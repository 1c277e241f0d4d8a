import { html, type TemplateResult } from "lit";

export interface RowTableColumn<Row> {
  /** "" for no heading. */
  readonly head: string | TemplateResult;
  /** Whether the cells are numbers, which end at the same edge. @default false */
  readonly isNumeric?: boolean;
  /** Whether the cells name their rows. @default false */
  readonly isName?: boolean;
  cell(row: Row): unknown;
}

export interface RowTableOptions<Row> {
  /** The name of the table for assistive technology. */
  readonly label: string;
  readonly columns: readonly RowTableColumn<Row>[];
  readonly rows: readonly Row[];
  /** Classes of the box around the table, such as `surface`. */
  readonly look?: string;
  /** Whether other rows are about to replace these. @default false */
  readonly isBusy?: boolean;
}

/** A plain table of rows, which scrolls sideways if it is wider than its place. Needs the styles `dataTable`. */
export function rowTable<Row>(options: RowTableOptions<Row>): TemplateResult {
  const { label, columns, rows, look = "", isBusy = false } = options;
  const classOf = ({ isNumeric = false }: RowTableColumn<Row>) => (isNumeric ? "right" : "");
  return html`<div
    class="data-scroll ${look}"
    tabindex="0"
    role="region"
    aria-label=${label}
    aria-busy=${isBusy ? "true" : "false"}
  >
    <table class="data-table">
      <thead>
        <tr>
          ${columns.map((each) =>
            each.head === ""
              ? html`<td></td>`
              : html`<th scope="col" class=${classOf(each)}>${each.head}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${columns.map((each) =>
                each.isName
                  ? html`<th scope="row" class=${classOf(each)}>${each.cell(row)}</th>`
                  : html`<td class=${classOf(each)}>${each.cell(row)}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
