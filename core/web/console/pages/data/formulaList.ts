import { html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import type { Api } from "../../api/index.ts";
import { textOf } from "../../language/index.ts";
import { confirmAndRun, createLoad, emptyState, type TableColumn } from "../../parts/index.ts";
import type { ColumnRow } from "./columnRow.ts";
import { withNames } from "./expressionText.ts";
import { words } from "./words.ts";
import { writeExpression, type Expressed } from "./writeExpression.ts";

interface Formula extends Expressed {
  readonly expression: string;
}

/** The formulas of a dataset. Properties: `api`, `datasetId`, `columns`. */
export class FormulaList extends LitElement {
  static override properties = {
    api: { attribute: false },
    datasetId: { attribute: false },
    columns: { attribute: false },
  };
  declare api: Api;
  declare datasetId: string;
  declare columns: readonly ColumnRow[];
  private readonly formulas = createLoad(this, async (signal) => {
    const { rows } = await this.api.get<{ readonly formulas?: readonly Formula[] }>(
      "securable",
      {
        where: { id: this.datasetId },
        attributes: ["id"],
        include: [{ model: "Formula", as: "Formulas" }],
      },
      { signal },
    );
    return rows[0]?.formulas ?? [];
  });

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("datasetId")) void this.formulas.start();
  }

  private async write(existing?: Formula): Promise<void> {
    const { api, datasetId, columns } = this;
    const options = { kind: "formula", datasetId, columns } as const;
    if (await writeExpression(api, existing ? { ...options, existing } : options))
      await this.formulas.start();
  }

  private async delete({ id, name }: Formula): Promise<void> {
    const isDone = await confirmAndRun({
      action: words.deleteFormula,
      title: textOf(name) || words.deleteFormula,
      text: words.deleteFormulaText,
      run: () => this.api.remove("formula", id),
    });
    if (isDone) await this.formulas.start();
  }

  protected override render(): TemplateResult {
    const columns: readonly TableColumn<Formula>[] = [
      {
        label: words.name,
        width: "minmax(140px, 1fr)",
        cell: ({ name, id }) => textOf(name) || id,
      },
      {
        label: words.expression,
        width: "minmax(200px, 3fr)",
        cell: ({ expression }) => withNames(expression, this.datasetId, this.columns),
      },
      {
        label: words.deleteShort,
        width: "100px",
        cell: (formula) =>
          html`<button
            class="button quiet danger"
            aria-label="${words.deleteFormula}: ${textOf(formula.name)}"
            @click=${(event: Event) => {
              event.stopPropagation();
              void this.delete(formula);
            }}
          >
            ${words.deleteShort}
          </button>`,
      },
    ];
    return html`<div class="row">
        <p class="muted grow">${words.formulasText}</p>
        <button class="button" @click=${() => void this.write()}>${words.writeFormula}</button>
      </div>
      ${this.formulas.show((rows) =>
        rows.length === 0
          ? emptyState({ title: words.noFormulas, text: words.noFormulasText })
          : html`<console-table
              id="formulas"
              .label=${words.formulas}
              .columns=${columns}
              .rows=${rows}
              .onOpen=${(formula: Formula) => void this.write(formula)}
            ></console-table>`,
      )}`;
  }
}
