import { html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import { isRecord, type Api } from "../../api/index.ts";
import { writeNumber } from "../../language/index.ts";
import { createLoad, rowTable } from "../../parts/index.ts";
import type { AlertRecord } from "./alertRecord.ts";
import { conditionOf, isMet } from "./condition.ts";
import type { QueriedColumns } from "./queriedColumns.ts";
import { words } from "./words.ts";

/** Number of values that are listed. */
const mostListed = 10;
/** Number of values that are tested. */
const mostMeasured = 1_000;

interface Measured {
  readonly label: string;
  readonly value: number | null;
  readonly isMet: boolean;
}

/**
 * What the query of an alert measures at this moment, without its condition: one value, or the values that are closest
 * to firing. Properties: `api`, `alert`, `columns`. Empty for conditions that do not compare one value with a
 * threshold.
 */
export class MeasuredNow extends LitElement {
  static override properties = {
    api: { attribute: false },
    alert: { attribute: false },
    columns: { attribute: false },
  };
  declare api: Api;
  declare alert: AlertRecord;
  declare columns: QueriedColumns;
  private readonly load = createLoad<readonly Measured[]>(this, (signal) => this.read(signal));

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("alert") && conditionOf(this.alert.query)) void this.load.start();
  }

  private async read(signal: AbortSignal): Promise<readonly Measured[]> {
    const { query } = this.alert;
    const condition = conditionOf(query);
    if (!condition || !isRecord(query)) return [];
    const { having: _, ...measured } = query;
    const measures = query["measures"];
    const measure: unknown = Array.isArray(measures) ? measures[condition.measure] : undefined;
    const isBelow = condition.operator.includes("<");
    const find = {
      ...measured,
      ...(isRecord(measure) && { order: [{ ...measure, order: isBelow ? "asc" : "desc" }] }),
      limit: { by: mostMeasured },
      options: { ...(isRecord(query["options"]) && query["options"]), cells: "plain" },
    };
    const { data } = await this.api.call<{ readonly data: readonly (readonly unknown[])[] }>(
      "data",
      "get",
      { find },
      { signal },
    );
    const dimensions = Array.isArray(query["dimensions"]) ? query["dimensions"].length : 0;
    return data.map((row) => {
      const value = row[dimensions + condition.measure];
      const isNumber = typeof value === "number";
      return {
        label: row.slice(0, dimensions).map(String).join(", "),
        value: isNumber ? value : null,
        isMet: isNumber && isMet(condition, value),
      };
    });
  }

  protected override render(): TemplateResult | string {
    if (!conditionOf(this.alert.query)) return "";
    return html`<section class="stack">
      <div>
        <h2>${words.now}</h2>
        <p class="muted small">${words.nowText}</p>
      </div>
      ${this.load.show((all) => this.renderValues(all))}
    </section>`;
  }

  private renderValues(all: readonly Measured[]): TemplateResult {
    const condition = conditionOf(this.alert.query);
    const name = this.columns.measures[condition?.measure ?? 0] ?? "";
    const [only] = all;
    if (!only) return html`<p>${words.nowNone}</p>`;
    if (all.length === 1 && only.label === "")
      return html`<p class="row">
        <span>${name}</span>
        <strong>${only.value === null ? "–" : writeNumber(only.value)}</strong>
        ${metBadge(only)}
      </p>`;
    const met = all.filter((each) => each.isMet).length;
    return html`<p>${words.nowMet(met, all.length, all.length === mostMeasured)}</p>
      ${rowTable<Measured>({
        label: words.now,
        columns: [
          { head: "", isName: true, cell: ({ label }) => label },
          {
            head: name,
            isNumeric: true,
            cell: ({ value }) => (value === null ? "–" : writeNumber(value)),
          },
          { head: words.state, cell: metBadge },
        ],
        rows: all.slice(0, mostListed),
      })}
      ${
        all.length > mostListed
          ? html`<p class="muted small">${words.nowListed(mostListed, all.length)}</p>`
          : ""
      }`;
  }
}

const metBadge = (measured: Measured): TemplateResult =>
  html`<span class="badge ${measured.isMet ? "bad" : "good"}"
    >${measured.isMet ? words.isMet : words.isNotMet}</span
  >`;
