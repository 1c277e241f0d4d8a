import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { localized, textOf, writeNumber } from "../../language/index.ts";
import {
  createLoad,
  emptyState,
  notify,
  notifyFailure,
  type ConsoleContext,
} from "../../parts/index.ts";
import { newDraft, propertiesOf, type AlertDraft } from "./alertDraft.ts";
import { alertForm } from "./alertForm.ts";
import type { ChannelRecord } from "./alertRecord.ts";
import { backtestView } from "./backtestView.ts";
import type { Json } from "./condition.ts";
import { createBacktest } from "./createBacktest.ts";
import type { EditedAlert } from "./editedAlert.ts";
import { hasValueAxis } from "./hasValueAxis.ts";
import { firedRowsOf, timesOf } from "./pastOf.ts";
import { openNewAlert } from "./openNewAlert.ts";
import { openNewChannel } from "./openNewChannel.ts";
import { readNewAlert } from "./readNewAlert.ts";
import { readStoredAlert } from "./readStoredAlert.ts";
import { withMeasure } from "./withMeasure.ts";
import { words } from "./words.ts";

/**
 * Creates or edits an alert and shows what it would have done in the past. The threshold of a new alert is shown on a
 * chart. Properties: `context`, `source`.
 */
export class AlertEditor extends LitElement {
  static override properties = {
    context: { attribute: false },
    source: { attribute: false },
    draft: { state: true },
    isSaving: { state: true },
  };
  declare context: ConsoleContext;
  /** The id of an existing alert. For a new alert, the query of the address with `dataset` and `q`. */
  declare source: string | URLSearchParams;
  declare private draft: AlertDraft;
  declare private isSaving: boolean;
  /** The channels that the reader created in this form. */
  private made: readonly ChannelRecord[] = [];
  private readonly load = createLoad(this, async (signal) => {
    const { source } = this;
    const { api } = this.context;
    const edited =
      typeof source === "string"
        ? await readStoredAlert(api, source, signal)
        : await readNewAlert(api, source, signal);
    if (edited) this.change(edited.draft);
    return { edited };
  });
  private readonly backtest = createBacktest(this, () => {
    const edited = this.load.value?.edited;
    if (!edited) return undefined;
    const { alert } = edited;
    const span = edited.spanOf(this.draft.unit);
    const properties = this.propertiesOf(edited);
    return {
      api: this.context.api,
      input: { ...(alert && { id: alert.id }), properties, ...span },
    };
  });

  constructor() {
    super();
    [this.draft, this.isSaving] = [newDraft, false];
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("source")) void this.load.start();
  }

  private readonly change = (changes: Partial<AlertDraft>): void => {
    this.draft = { ...this.draft, ...changes };
    this.backtest.tryLater();
  };

  /** Creates a channel without leaving the form, and chooses it. */
  private async addChannel(): Promise<void> {
    const channel = await openNewChannel(this.context.api);
    if (!channel) return;
    this.made = [...this.made, channel];
    this.change({ channels: new Set([...this.draft.channels, channel.id]) });
  }

  private propertiesOf({ query, isOwnForm }: EditedAlert): Json {
    return propertiesOf(this.draft, query, isOwnForm);
  }

  /** Returns the default name of an alert: its present name, or a description of its condition. */
  private usualName({ alert, measures }: EditedAlert): string {
    if (alert) return textOf(alert.name);
    const { measure, operator, threshold } = this.draft;
    const operators: Readonly<Record<string, string>> = words.operators;
    const test = operators[operator] ?? "";
    return words.alertOf(measures[measure] ?? "", test, writeNumber(threshold));
  }

  private async save(edited: EditedAlert): Promise<void> {
    const { api, router } = this.context;
    const { alert } = edited;
    this.isSaving = true;
    try {
      const name = this.draft.name.trim() || this.usualName(edited);
      const properties = {
        ...this.propertiesOf(edited),
        ...(name !== textOf(alert?.name) && { name: localized(name) }),
      };
      const { id } = alert
        ? await api.update<{ readonly id: string }>("alert", alert.id, properties)
        : await api.create<{ readonly id: string }>("alert", properties);
      const before = new Set((alert?.channels ?? []).map((channel) => channel.id));
      const target = (channel: string) => ({ role: "Channels", id: channel });
      for (const channel of this.draft.channels)
        if (!before.has(channel)) await api.associate("alert", id, target(channel));
      for (const channel of before)
        if (!this.draft.channels.has(channel)) await api.dissociate("alert", id, target(channel));
      notify({ text: alert ? words.changed : words.created });
      router.go(`/alerts/${id}`);
    } catch (failure) {
      this.backtest.refuse(failure);
      this.isSaving = false;
    }
  }

  protected override render(): TemplateResult {
    const isNew = typeof this.source !== "string";
    return html`<div class="page">
      <header class="page-head"><h1>${isNew ? words.newTitle : words.editTitle}</h1></header>
      ${this.load.show(({ edited }) => {
        if (edited) return this.renderForm(edited);
        return isNew
          ? emptyState({
              title: words.noMeasure,
              text: words.noMeasureText,
              action: html`<button
                class="button primary"
                @click=${() => void openNewAlert(this.context).catch(notifyFailure)}
              >
                ${words.chooseValue}
              </button>`,
            })
          : emptyState({
              title: words.absent,
              text: words.absentText,
              action: html`<a class="button" href="/alerts">${words.all}</a>`,
            });
      })}
    </div>`;
  }

  private renderForm(edited: EditedAlert): TemplateResult {
    const { alert, measures, dimensions, filters } = edited;
    const { draft, backtest, isSaving } = this;
    const channels = [...edited.channels, ...this.made];
    const chart = this.renderChart(edited);
    return html`<div class="alert-editor">
      <section class="stack" aria-label=${words.backtest}>
        ${chart === nothing ? html`<h2>${words.backtest}</h2>` : chart} ${backtestView(backtest)}
      </section>
      ${alertForm({
        draft,
        measures,
        dimensions,
        channels,
        filters,
        usualName: this.usualName(edited),
        wrong: backtest.wrong,
        hasChart: chart !== nothing && hasValueAxis(edited.answered?.item.type ?? ""),
        isSaving,
        action: alert ? words.saveChanges : words.create,
        onChange: this.change,
        onNewChannel: () => void this.addChannel().catch(notifyFailure),
        onSave: () => void this.save(edited),
      })}
    </div>`;
  }

  /** Renders the threshold on the chart of the query; nothing if the answer is a single number. */
  private renderChart({ answered, drawKind }: EditedAlert): TemplateResult | typeof nothing {
    if (!answered) return nothing;
    const { draft, backtest } = this;
    const times = timesOf(answered);
    if (times.length === 0 && answered.rows.length <= 1) return nothing;
    return html`<console-threshold-chart
      .answered=${withMeasure(answered, draft.measure)}
      .drawKind=${drawKind}
      .threshold=${draft.threshold}
      .firedRows=${firedRowsOf(times, draft.unit, backtest.answer?.slots ?? [])}
      .theme=${this.context.theme}
      .onThreshold=${(threshold: number) => this.change({ threshold })}
    ></console-threshold-chart>`;
  }
}
