import { html, LitElement, type TemplateResult } from "lit";
import { kindOfItem, loadKind, readItem, type DrawKind } from "../../../charts/index.ts";
import { textOf, writeNumber } from "../../language/index.ts";
import { createLoad, emptyState, notify, type ConsoleContext } from "../../parts/index.ts";
import { askItem, type AskedItem } from "../../pictures/index.ts";
import { itemOf, readDataset, readQuestion, whereOf } from "../../questions/index.ts";
import { newDraft, propertiesOf, type AlertDraft } from "./alertDraft.ts";
import { alertForm } from "./alertForm.ts";
import { alertQuery, type AskedAlert } from "./alertQuery.ts";
import type { ChannelRecord } from "./alertRecord.ts";
import { backtestView } from "./backtestView.ts";
import { createBacktest } from "./createBacktest.ts";
import { firedRowsOf, spanOf, timesOf } from "./pastOf.ts";
import { withMeasure } from "./withMeasure.ts";
import { words } from "./words.ts";

interface Asked {
  readonly asked: AskedItem;
  readonly drawKind: DrawKind;
  readonly alert: AskedAlert;
  readonly measures: readonly string[];
  readonly dimensions: readonly { readonly id: string; readonly label: string }[];
  readonly channels: readonly ChannelRecord[];
}

/** Makes an alert from a question: its threshold on the chart, and its states in the past. */
export class NewAlert extends LitElement {
  static override properties = {
    context: { attribute: false },
    query: { attribute: false },
    draft: { state: true },
    isSaving: { state: true },
  };
  declare context: ConsoleContext;
  /** The query of the address: `dataset` and `q`. */
  declare query: URLSearchParams;
  declare private draft: AlertDraft;
  declare private isSaving: boolean;
  private readonly load = createLoad<Asked | "empty">(this, (signal) => this.read(signal));
  private readonly backtest = createBacktest(this, () => {
    const { value } = this.load;
    if (value === undefined || value === "empty") return undefined;
    const properties = propertiesOf(this.draft, value.alert.query);
    const asked = { properties, ...spanOf(timesOf(value.asked), this.draft.unit) };
    return { api: this.context.api, asked };
  });

  constructor() {
    super();
    [this.draft, this.isSaving] = [newDraft, false];
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override firstUpdated(): void {
    void this.load.start();
  }

  private async read(signal: AbortSignal): Promise<Asked | "empty"> {
    const { api } = this.context;
    const dataset = await readDataset(api, this.query.get("dataset") ?? "", signal);
    const question = readQuestion(this.query.get("q"));
    if (!dataset || question.measures.length === 0) return "empty";
    const item = readItem(itemOf(question, dataset));
    const where = whereOf(question.filters, dataset.id);
    const [asked, drawKind, channels] = await Promise.all([
      askItem(api, item, { where, signal }),
      loadKind(kindOfItem(item.type)?.kind ?? "table"),
      api.get<ChannelRecord>("channel", { attributes: ["id", "name", "type"] }, { signal }),
    ]);
    const alert = alertQuery(item, where);
    if (!asked || !alert) return "empty";
    const measures = asked.fields.filter(({ slot }) => slot === "measure");
    if (measures.length === 0) return "empty";
    const cell = asked.fields.length - measures.length;
    const values = asked.rows.map((row) => row[cell]).filter((value) => typeof value === "number");
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const threshold = values.length > 0 ? Number((low + (high - low) * 0.8).toPrecision(2)) : 0;
    this.draft = { ...this.draft, threshold, unit: alert.unit ?? "day" };
    this.backtest.tryLater();
    return {
      asked,
      drawKind,
      alert,
      channels: channels.rows,
      measures: measures.map(({ label }) => textOf(label)),
      dimensions: asked.fields
        .filter(({ slot, level }) => slot !== "measure" && !level)
        .flatMap(({ columnId, label }) =>
          columnId ? [{ id: columnId, label: textOf(label) }] : [],
        ),
    };
  }

  private change(changes: Partial<AlertDraft>): void {
    this.draft = { ...this.draft, ...changes };
    this.backtest.tryLater();
  }

  private usualName({ measures }: Asked): string {
    const { measure, operator, threshold } = this.draft;
    const operators: Readonly<Record<string, string>> = words.operators;
    return words.alertOf(
      measures[measure] ?? "",
      operators[operator] ?? "",
      writeNumber(threshold),
    );
  }

  private async save(loaded: Asked): Promise<void> {
    this.isSaving = true;
    try {
      const { api, places } = this.context;
      const name = this.draft.name.trim() || this.usualName(loaded);
      const { id } = await api.create<{ readonly id: string }>("alert", {
        ...propertiesOf(this.draft, loaded.alert.query),
        name: { en: name },
      });
      for (const channel of this.draft.channels)
        await api.associate("alert", id, { role: "Channels", id: channel });
      notify({ text: words.created });
      places.go(`/alerts/${id}`);
    } catch (failure) {
      this.backtest.refuse(failure);
      this.isSaving = false;
    }
  }

  protected override render(): TemplateResult {
    return html`<div class="page">
      <header class="page-head"><h1>${words.newTitle}</h1></header>
      ${this.load.show((loaded) =>
        loaded === "empty"
          ? emptyState({
              title: words.noMeasure,
              text: words.noMeasureText,
              action: html`<a class="button" href="/explore">${words.explore}</a>`,
            })
          : this.renderForm(loaded),
      )}
    </div>`;
  }

  private renderForm(loaded: Asked): TemplateResult {
    const { asked, drawKind, measures, dimensions, channels } = loaded;
    const { draft, backtest, isSaving } = this;
    const times = timesOf(asked);
    const isDrawn = times.length > 0 || asked.rows.length > 1;
    return html`<div class="new-alert">
      <section class="stack" aria-label=${words.backtest}>
        ${
          isDrawn
            ? html`<console-threshold-chart
                .asked=${withMeasure(asked, draft.measure)}
                .drawKind=${drawKind}
                .threshold=${draft.threshold}
                .firedRows=${firedRowsOf(times, draft.unit, backtest.answer?.slots ?? [])}
                .theme=${this.context.theme}
                .onThreshold=${(threshold: number) => this.change({ threshold })}
              ></console-threshold-chart>`
            : ""
        }
        ${backtestView(backtest)}
      </section>
      ${alertForm({
        draft,
        measures,
        dimensions,
        channels,
        usualName: this.usualName(loaded),
        wrong: backtest.wrong,
        hasChart: isDrawn,
        isSaving,
        action: words.create,
        onChange: (changes) => this.change(changes),
        onSave: () => void this.save(loaded),
      })}
    </div>`;
  }
}
