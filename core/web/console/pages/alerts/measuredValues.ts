import { html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import {
  fetchItem,
  kindOfItem,
  loadKind,
  loadWords,
  readColumns,
  readItem,
  type ChartCell,
  type DrawKind,
} from "../../../charts/index.ts";
import type { Api } from "../../api/index.ts";
import { readerLocale } from "../../language/index.ts";
import { createLoad } from "../../parts/index.ts";
import { createSend } from "../../pictures/index.ts";
import { itemOf, readDataset } from "../../questions/index.ts";
import type { AlertRecord } from "./alertRecord.ts";
import { conditionOf, isMet, type Condition } from "./condition.ts";
import { measuredQuestion } from "./measuredQuestion.ts";
import type { MeasuredAnswer } from "./thresholdChart.ts";
import { words } from "./words.ts";

interface Measured {
  readonly answered: MeasuredAnswer;
  readonly drawKind: DrawKind;
  readonly condition: Condition;
  readonly timezoneId: string;
}

/**
 * What an alert measures, as a chart with its threshold and as a table: the values of the latest periods, or of all
 * groups. Empty for alerts that measure a single number. Properties: `api`, `alert`, `theme`.
 */
export class MeasuredValues extends LitElement {
  static override properties = {
    api: { attribute: false },
    alert: { attribute: false },
    theme: { attribute: false },
  };
  declare api: Api;
  declare alert: AlertRecord;
  declare theme: "light" | "dark";
  private readonly load = createLoad<Measured | undefined>(this, (signal) => this.read(signal));

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("alert")) void this.load.start();
  }

  private async read(signal: AbortSignal): Promise<Measured | undefined> {
    const { query } = this.alert;
    const condition = conditionOf(query);
    const measured = condition && measuredQuestion(query, condition);
    if (!condition || !measured) return undefined;
    const { datasetId, question, where, timezoneId } = measured;
    const dataset = await readDataset(this.api, datasetId, signal);
    const known = new Map(dataset?.columns.map(({ id, type }) => [id, type]));
    const groupings = [...question.rows, ...(question.color ? [question.color] : [])];
    // Groups of numbers would be drawn as bins, which the alert does not have.
    if (!dataset || groupings.some(({ id }) => (known.get(id) ?? "numeric") === "numeric"))
      return undefined;
    const item = readItem(itemOf(question, dataset));
    const [answer, drawKind] = await Promise.all([
      fetchItem(item, { localeId: readerLocale, timezoneId, where }, createSend(this.api, signal)),
      loadKind(kindOfItem(item.type)?.kind ?? "table", readerLocale),
      loadWords(readerLocale),
    ]);
    return answer && { answered: { ...answer, item }, drawKind, condition, timezoneId };
  }

  protected override render(): TemplateResult {
    const { value, failure } = this.load;
    if (failure === undefined && (!value || value.answered.rows.length < 2)) return html``;
    return html`<section class="stack">
      <div>
        <h2>${words.values}</h2>
        <p class="muted small">${words.valuesText}</p>
      </div>
      ${this.load.show((measured) => (measured ? this.renderMeasured(measured) : html``))}
    </section>`;
  }

  private renderMeasured({ answered, drawKind, condition, timezoneId }: Measured): TemplateResult {
    const { rows, fields } = answered;
    const met = rows.flatMap((row, index) => {
      const cell = row[fields.length - 1];
      return typeof cell === "number" && isMet(condition, cell) ? [index] : [];
    });
    // The table has the newest period first, as the history below.
    const isTimed = fields[0]?.type === "datetime";
    const columns = readColumns({ fields, localeId: readerLocale, timezoneId });
    return html`<console-threshold-chart
        class="small-chart"
        .answered=${answered}
        .drawKind=${drawKind}
        .threshold=${condition.threshold}
        .firedRows=${new Set(met)}
        .theme=${this.theme}
        .timezoneId=${timezoneId}
      ></console-threshold-chart>
      <details class="rule">
        <summary>${words.asTable}</summary>
        <console-table
          .label=${words.values}
          .height=${320}
          .rows=${isTimed ? rows.toReversed() : rows}
          .columns=${columns.map(({ name, isNumeric, text }, index) => ({
            label: name,
            width: "minmax(110px, 1fr)",
            isNumber: isNumeric,
            cell: (row: readonly ChartCell[]) => text(row[index]),
          }))}
        ></console-table>
      </details>`;
  }
}
