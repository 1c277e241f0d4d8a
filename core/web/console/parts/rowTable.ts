import { html, type TemplateResult } from "lit";

export interface RowTableColumn<Row> {
  readonly head: string | TemplateResult;
  /** Whether the cells are numbers, which end at the same edge. @default false */
  readonly isNumeric?: boolean;
  /** Whether the cells name their rows. @default false */
  readonly isName?: boolean;
  cell(row: Row): unknown;
}

/** A plain table of rows, which scrolls sideways if it is wider than its place. Needs the styles `dataTable`. */
export function rowTable<Row>({
  label,
  columns,
  rows,
}: {
  /** The name of the table for assistive technology. */
  readonly label: string;
  readonly columns: readonly RowTableColumn<Row>[];
  readonly rows: readonly Row[];
}): TemplateResult {
  const classOf = ({ isNumeric = false }: RowTableColumn<Row>) => (isNumeric ? "right" : "");
  return html`<div class="data-scroll" tabindex="0" role="region" aria-label=${label}>
    <table class="data-table">
      <thead>
        <tr>
          ${columns.map((each) => html`<th scope="col" class=${classOf(each)}>${each.head}</th>`)}
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
