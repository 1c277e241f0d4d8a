import { html, LitElement, type TemplateResult } from "lit";
import { kindOfItem, loadKind, readItem, type DrawKind } from "../../../charts/index.ts";
import { textOf, writeNumber } from "../../language/index.ts";
import {
  createLoad,
  elementOf,
  emptyState,
  notify,
  notifyFailure,
  selectField,
  textField,
  type ConsoleContext,
} from "../../parts/index.ts";
import { askItem, type AskedItem } from "../../pictures/index.ts";
import { itemOf, readDataset, readQuestion, whereOf } from "../../questions/index.ts";
import { alertQuery, type AskedAlert } from "./alertQuery.ts";
import type { ChannelRecord } from "./alertRecord.ts";
import { words } from "./words.ts";

interface Asked {
  readonly asked: AskedItem;
  readonly drawKind: DrawKind;
  readonly where: readonly object[];
  readonly measures: readonly string[];
  readonly channels: readonly ChannelRecord[];
}

interface Backtest {
  readonly slot_count: number;
  readonly ran: boolean;
  readonly slots?: readonly {
    readonly slot_at: string;
    readonly notices?: readonly unknown[];
    readonly status_after?: string;
  }[];
  readonly notified_count?: number;
}

const waitMs = 250;
/** Days of the past that a question without time is tried on. */
const triedDays = 30;

/** Makes an alert from a question: its threshold on the chart, and what it would have done in the past. */
export class NewAlert extends LitElement {
  static override properties = {
    context: { attribute: false },
    query: { attribute: false },
    measure: { state: true },
    operator: { state: true },
    threshold: { state: true },
    unit: { state: true },
    name: { state: true },
    chosen: { state: true },
    backtest: { state: true },
    isSaving: { state: true },
  };
  declare context: ConsoleContext;
  /** The query of the address: `dataset` and `q`. */
  declare query: URLSearchParams;
  declare private measure: number;
  declare private operator: string;
  declare private threshold: number | undefined;
  declare private unit: string;
  /** The reader's own name; "" for one made from the condition. */
  declare private name: string;
  declare private chosen: ReadonlySet<string>;
  declare private backtest: Backtest | "asking" | { readonly failure: string } | undefined;
  declare private isSaving: boolean;
  private running: AbortController | undefined;
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private readonly load = createLoad<Asked | "empty">(this, (signal) => this.read(signal));

  constructor() {
    super();
    [this.measure, this.operator, this.unit, this.name] = [0, "? > ?", "day", ""];
    [this.chosen, this.isSaving] = [new Set(), false];
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override firstUpdated(): void {
    void this.load.start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.waiting);
    this.running?.abort();
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
    if (!asked) return "empty";
    const measures = asked.fields.filter(({ slot }) => slot === "measure");
    if (measures.length === 0) return "empty";
    const cell = asked.fields.length - measures.length;
    const values = asked.rows.map((row) => row[cell]).filter((value) => typeof value === "number");
    const [low, high] = [Math.min(...values), Math.max(...values)];
    this.threshold = values.length > 0 ? Number((low + (high - low) * 0.8).toPrecision(2)) : 0;
    this.unit = alertQuery(item, where, this.condition)?.unit ?? "day";
    this.tryLater();
    return {
      asked,
      drawKind,
      where,
      channels: channels.rows,
      measures: measures.map(({ label }) => textOf(label)),
    };
  }

  private get condition() {
    return { measure: this.measure, operator: this.operator, threshold: this.threshold ?? 0 };
  }

  private get alert(): AskedAlert | undefined {
    const { value } = this.load;
    if (value === undefined || value === "empty") return undefined;
    return alertQuery(value.asked.item, value.where, this.condition);
  }

  private get properties(): Readonly<Record<string, unknown>> {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    return {
      query: this.alert?.query,
      frequency: { unit: this.unit, quantity: 1 },
      timezone_id: timeZone,
    };
  }

  private get usualName(): string {
    const { value } = this.load;
    const measures = value === undefined || value === "empty" ? [] : value.measures;
    const operators: Readonly<Record<string, string>> = words.operators;
    return words.alertOf(
      measures[this.measure] ?? "",
      operators[this.operator] ?? "",
      writeNumber(this.threshold ?? 0),
    );
  }

  /** Tries the past a quarter of a second after the last change. */
  private tryLater(): void {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => void this.tryPast(), waitMs);
  }

  private async tryPast(): Promise<void> {
    this.running?.abort();
    const own = new AbortController();
    this.running = own;
    if (!this.alert) return;
    this.backtest = this.backtest ?? "asking";
    try {
      const answer = await this.context.api.call<Backtest>(
        "alert",
        "backtest",
        { properties: this.properties, options: { ...this.span, run: true } },
        { signal: own.signal },
      );
      if (this.running === own) this.backtest = answer;
    } catch (failure) {
      if (own.signal.aborted) return;
      this.backtest = { failure: failure instanceof Error ? failure.message : String(failure) };
    }
  }

  /** The past of the chart: from its first period to one period after its last. */
  private get span(): { readonly from: string; readonly to?: string } {
    const times = this.times.filter((at) => at !== undefined);
    if (times.length === 0)
      return { from: new Date(Date.now() - triedDays * 86_400_000).toISOString() };
    const step = this.stepMs;
    return {
      from: new Date(Math.min(...times)).toISOString(),
      to: new Date(Math.max(...times) + 2 * step).toISOString(),
    };
  }

  /** When the period that begins at an instant ends. */
  private endOf(atMs: number): number {
    if (this.unit !== "month") return atMs + this.stepMs;
    const end = new Date(atMs);
    return end.setUTCMonth(end.getUTCMonth() + 1);
  }

  /** The length of a period, at most. */
  private get stepMs(): number {
    const lengths: Readonly<Record<string, number>> = { hour: 1, day: 24, week: 168, month: 744 };
    return (lengths[this.unit] ?? 24) * 3_600_000;
  }

  /** The instant of each row's period. */
  private get times(): readonly (number | undefined)[] {
    const { value } = this.load;
    if (value === undefined || value === "empty") return [];
    const at = value.asked.fields.findIndex(({ type, level }) => type === "datetime" && level);
    if (at < 0) return [];
    return value.asked.rows.map((row) => {
      const ms = Date.parse(String(row[at]));
      return Number.isNaN(ms) ? undefined : ms;
    });
  }

  /** The rows of the periods at which a message would have been sent: the period before each slot. */
  private get firedRows(): ReadonlySet<number> {
    const { backtest, times } = this;
    const slots = typeof backtest === "object" && "slots" in backtest ? (backtest.slots ?? []) : [];
    const fired = slots
      .filter(({ notices }) => (notices?.length ?? 0) > 0)
      .map(({ slot_at: at }) => Date.parse(at));
    const rows = new Set<number>();
    for (const slot of fired) {
      const before = times
        .flatMap((at, row) => (at !== undefined && this.endOf(at) <= slot ? [{ at, row }] : []))
        .toSorted((one, other) => other.at - one.at);
      const [last] = before;
      for (const each of before) if (each.at === last?.at) rows.add(each.row);
    }
    return rows;
  }

  private async save(): Promise<void> {
    this.isSaving = true;
    try {
      const { api, places } = this.context;
      const name = this.name.trim() || this.usualName;
      const { id } = await api.create<{ readonly id: string }>("alert", {
        ...this.properties,
        name: { en: name },
      });
      for (const channel of this.chosen)
        await api.associate("alert", id, { role: "Channels", id: channel });
      notify({ text: words.created });
      places.go(`/alerts/${id}`);
    } catch (failure) {
      notifyFailure(failure);
      this.isSaving = false;
    }
  }

  private set(change: () => void): void {
    change();
    this.tryLater();
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

  private renderForm({ asked, drawKind, measures, channels }: Asked): TemplateResult {
    const isDrawn = this.times.length > 0 || asked.rows.length > 1;
    return html`<div class="new-alert">
      <section class="stack" aria-label=${words.backtest}>
        ${
          isDrawn
            ? html`<console-threshold-chart
                .asked=${asked}
                .drawKind=${drawKind}
                .measure=${this.measure}
                .threshold=${this.threshold ?? 0}
                .firedRows=${this.firedRows}
                .theme=${this.context.theme}
                .onThreshold=${(value: number) =>
                  this.set(() => {
                    this.threshold = value;
                  })}
              ></console-threshold-chart>`
            : ""
        }
        ${this.renderBacktest()}
      </section>
      <form
        class="surface"
        @submit=${(event: Event) => {
          event.preventDefault();
          void this.save();
        }}
      >
        <h2>${words.condition}</h2>
        ${
          measures.length > 1
            ? selectField({
                id: "alert-measure",
                label: words.measure,
                value: String(this.measure),
                choices: measures.map((label, index) => ({ value: String(index), label })),
                onSelect: (value) =>
                  this.set(() => {
                    this.measure = Number(value);
                  }),
              })
            : html`<p>${measures[0]}</p>`
        }
        ${selectField({
          id: "alert-operator",
          label: words.operator,
          value: this.operator,
          choices: Object.entries(words.operators).map(([value, label]) => ({ value, label })),
          onSelect: (value) =>
            this.set(() => {
              this.operator = value;
            }),
        })}
        ${textField({
          id: "alert-threshold",
          label: words.threshold,
          type: "text",
          hint: words.thresholdHint,
          value: String(this.threshold ?? ""),
          onInput: (value) => {
            if (Number.isFinite(Number(value)) && value.trim() !== "")
              this.set(() => {
                this.threshold = Number(value);
              });
          },
        })}
        ${selectField({
          id: "alert-unit",
          label: words.unit,
          value: this.unit,
          choices: Object.entries(words.units).map(([value, label]) => ({ value, label })),
          onSelect: (value) =>
            this.set(() => {
              this.unit = value;
            }),
        })}
        <fieldset class="channels">
          <legend>${words.channels}</legend>
          ${
            channels.length === 0
              ? html`<p class="muted small">
                  ${words.noChannels} <a href="/alerts?tab=channels">${words.newChannel}</a>
                </p>`
              : channels.map(
                  ({ id, name, type }) =>
                    html`<label class="row">
                      <input
                        type="checkbox"
                        .checked=${this.chosen.has(id)}
                        @change=${(event: Event) => {
                          const next = new Set(this.chosen);
                          if (elementOf(event.target, HTMLInputElement).checked) next.add(id);
                          else next.delete(id);
                          this.chosen = next;
                        }}
                      />
                      ${textOf(name) || type}
                    </label>`,
                )
          }
        </fieldset>
        ${textField({
          id: "alert-name",
          label: words.name,
          value: this.name,
          placeholder: this.usualName,
          onInput: (value) => {
            this.name = value;
          },
        })}
        <button class="button primary" ?disabled=${this.isSaving}>${words.create}</button>
      </form>
    </div>`;
  }

  private renderBacktest(): TemplateResult {
    const { backtest } = this;
    if (backtest === undefined || backtest === "asking")
      return html`<p class="muted" role="status">${words.backtestAsking}</p>`;
    if ("failure" in backtest) return html`<p class="failure" role="alert">${backtest.failure}</p>`;
    const fired = (backtest.slots ?? []).filter(({ notices }) => (notices?.length ?? 0) > 0).length;
    return html`<div role="status">
      <p>
        <strong
          >${words.backtestFired(backtest.notified_count ?? fired, backtest.slot_count)}</strong
        >
      </p>
      <p class="muted small">${words.backtestNote}</p>
    </div>`;
  }
}
