import { html, LitElement, type TemplateResult } from "lit";
import { isRecord } from "../../api/index.ts";
import { textOf } from "../../language/index.ts";
import { createLoad, emptyState, notify, type ConsoleContext } from "../../parts/index.ts";
import { draftOf, newDraft, propertiesOf, type AlertDraft } from "./alertDraft.ts";
import { alertForm } from "./alertForm.ts";
import type { AlertEvent, AlertRecord, ChannelRecord } from "./alertRecord.ts";
import { backtestView } from "./backtestView.ts";
import { conditionOf } from "./condition.ts";
import { createBacktest } from "./createBacktest.ts";
import { stepMsOf } from "./pastOf.ts";
import { queriedColumns, type QueriedColumns } from "./queriedColumns.ts";
import { words } from "./words.ts";

interface Loaded extends QueriedColumns {
  readonly alert: AlertRecord;
  readonly channels: readonly ChannelRecord[];
  /** When it was asked first and last, of the last times; empty before the first one. */
  readonly asked: readonly number[];
}

/** Slots of the past on which a change is tried. */
const triedSlots = 60;

/** Changes an alert, and shows what the changed one would have done in the past. */
export class EditAlert extends LitElement {
  static override properties = {
    context: { attribute: false },
    alertId: { attribute: false },
    draft: { state: true },
    isSaving: { state: true },
  };
  declare context: ConsoleContext;
  declare alertId: string;
  declare private draft: AlertDraft;
  declare private isSaving: boolean;
  private readonly load = createLoad<Loaded | "gone">(this, (signal) => this.read(signal));
  private readonly backtest = createBacktest(this, () => {
    const { value } = this.load;
    if (value === undefined || value === "gone") return undefined;
    const stepMs = stepMsOf(this.draft.unit);
    const [oldest = Date.now() - triedSlots * stepMs, newest = Date.now()] = value.asked;
    const [from, to] = [new Date(oldest).toISOString(), new Date(newest + stepMs).toISOString()];
    const expectedCount = Math.ceil((newest - oldest) / stepMs);
    const properties = this.propertiesOf(value);
    return {
      api: this.context.api,
      asked: { id: this.alertId, properties, from, to, expectedCount },
    };
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

  private async read(signal: AbortSignal): Promise<Loaded | "gone"> {
    const { api } = this.context;
    const [alerts, channels, events] = await Promise.all([
      api.get<AlertRecord>(
        "alert",
        { where: { id: this.alertId }, include: [{ model: "Channel" }] },
        { signal },
      ),
      api.get<ChannelRecord>("channel", { attributes: ["id", "name", "type"] }, { signal }),
      api.get<Pick<AlertEvent, "slot_at">>(
        "alertevent",
        {
          where: { alert_id: this.alertId },
          attributes: ["slot_at"],
          order: [["slot_at", "desc"]],
          limit: triedSlots,
        },
        { signal },
      ),
    ]);
    const [alert] = alerts.rows;
    if (!alert) return "gone";
    this.draft = draftOf(alert, textOf(alert.name));
    this.backtest.tryLater();
    const columns = await queriedColumns(api, alert.query, signal);
    const times = events.rows.map(({ slot_at: at }) => Date.parse(at));
    const asked = times.length < 2 ? [] : [Math.min(...times), Math.max(...times)];
    return { alert, channels: channels.rows, asked, ...columns };
  }

  private propertiesOf({ alert: { query } }: Loaded) {
    const isOwnForm = conditionOf(query) !== undefined;
    return propertiesOf(this.draft, isRecord(query) ? query : undefined, isOwnForm);
  }

  private async save(loaded: Loaded): Promise<void> {
    this.isSaving = true;
    try {
      const { api, places } = this.context;
      const { alert } = loaded;
      const name = this.draft.name.trim();
      await api.update("alert", alert.id, {
        ...this.propertiesOf(loaded),
        ...(name !== "" && name !== textOf(alert.name) && { name: { en: name } }),
      });
      const before = new Set((alert.channels ?? []).map(({ id }) => id));
      for (const id of this.draft.channels)
        if (!before.has(id)) await api.associate("alert", alert.id, { role: "Channels", id });
      for (const id of before)
        if (!this.draft.channels.has(id))
          await api.dissociate("alert", alert.id, { role: "Channels", id });
      notify({ text: words.changed });
      places.go(`/alerts/${alert.id}`);
    } catch (failure) {
      this.backtest.refuse(failure);
      this.isSaving = false;
    }
  }

  protected override render(): TemplateResult {
    return html`<div class="page">
      <header class="page-head"><h1>${words.editTitle}</h1></header>
      ${this.load.show((loaded) =>
        loaded === "gone"
          ? emptyState({
              title: words.gone,
              text: words.goneText,
              action: html`<a class="button" href="/alerts">${words.all}</a>`,
            })
          : this.renderForm(loaded),
      )}
    </div>`;
  }

  private renderForm(loaded: Loaded): TemplateResult {
    const { alert, measures, dimensions, channels } = loaded;
    const { draft, backtest, isSaving } = this;
    return html`<div class="new-alert">
      <section class="stack" aria-label=${words.backtest}>
        <h2>${words.backtest}</h2>
        ${backtestView(backtest)}
      </section>
      ${alertForm({
        draft,
        measures: conditionOf(alert.query) ? measures : [],
        dimensions,
        channels,
        usualName: textOf(alert.name),
        wrong: backtest.wrong,
        hasChart: false,
        isSaving,
        action: words.saveChanges,
        onChange: (changes) => {
          this.draft = { ...this.draft, ...changes };
          this.backtest.tryLater();
        },
        onSave: () => void this.save(loaded),
      })}
    </div>`;
  }
}
