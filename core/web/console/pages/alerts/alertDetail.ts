import { html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import { textOf, writeAgo, writeInstant, writeNumber } from "../../language/index.ts";
import {
  confirm,
  createLoad,
  emptyState,
  notify,
  notifyFailure,
  type ConsoleContext,
} from "../../parts/index.ts";
import { badgeOf, stateOf, type AlertEvent, type AlertRecord } from "./alertRecord.ts";
import { queriedColumns, type QueriedColumns } from "./queriedColumns.ts";
import { ruleFacts } from "./ruleFacts.ts";
import { stateTimeline } from "./stateTimeline.ts";
import { words } from "./words.ts";

interface Loaded {
  readonly alert: AlertRecord;
  readonly events: readonly AlertEvent[];
  readonly columns: QueriedColumns;
}

const shownEvents = 200;
const dayMs = 86_400_000;

/** One alert: its state, its ledger as a timeline and a list, a test. */
export class AlertDetail extends LitElement {
  static override properties = {
    context: { attribute: false },
    alertId: { attribute: false },
  };
  declare context: ConsoleContext;
  declare alertId: string;
  private readonly load = createLoad<Loaded | "gone">(this, (signal) => this.read(signal));

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("alertId")) void this.load.start();
  }

  private async read(signal: AbortSignal): Promise<Loaded | "gone"> {
    const { api } = this.context;
    const [alerts, events] = await Promise.all([
      api.get<AlertRecord>(
        "alert",
        { where: { id: this.alertId }, include: [{ model: "Channel" }] },
        { signal },
      ),
      api.get<AlertEvent>(
        "alertevent",
        { where: { alert_id: this.alertId }, order: [["slot_at", "desc"]], limit: shownEvents },
        { signal },
      ),
    ]);
    const [alert] = alerts.rows;
    if (!alert) return "gone";
    document.title = `${textOf(alert.name)} · Manifold`;
    const columns = await queriedColumns(api, alert.query, signal);
    return { alert, events: events.rows, columns };
  }

  private async test(): Promise<void> {
    try {
      const answer = await this.context.api.call<{ readonly rows?: number | readonly unknown[] }>(
        "alert",
        "test",
        { id: this.alertId },
      );
      const { rows = 0 } = answer;
      notify({ text: words.tested(typeof rows === "number" ? rows : rows.length) });
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  private async mute({ mute_until: until }: AlertRecord): Promise<void> {
    const isMuted = until !== null && Date.parse(until) > Date.now();
    const next = isMuted ? null : new Date(Date.now() + dayMs).toISOString();
    try {
      await this.context.api.update("alert", this.alertId, { mute_until: next });
      await this.load.start();
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  private async delete({ name }: AlertRecord): Promise<void> {
    const isAgreed = await confirm({
      title: words.remove,
      text: words.removeText(textOf(name)),
      action: words.remove,
      isDangerous: true,
    });
    if (!isAgreed) return;
    try {
      await this.context.api.remove("alert", this.alertId);
      notify({ text: words.removed });
      this.context.places.go("/alerts");
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  protected override render(): TemplateResult {
    return html`<div class="page">
      ${this.load.show((loaded) =>
        loaded === "gone"
          ? emptyState({
              title: words.gone,
              text: words.goneText,
              action: html`<a class="button" href="/alerts">${words.all}</a>`,
            })
          : this.renderAlert(loaded),
      )}
    </div>`;
  }

  private renderAlert({ alert, events, columns }: Loaded): TemplateResult {
    const state = stateOf(alert);
    const { unit, quantity } = alert.frequency;
    const until = alert.mute_until;
    const isMuted = until !== null && Date.parse(until) > Date.now();
    return html`<header class="page-head">
        <div>
          <h1>${textOf(alert.name)}</h1>
          <p class="row">
            <span class="badge ${badgeOf(state)}">${stateWords[state] ?? state}</span>
            <span>${words.frequency(unit, quantity)}</span>
            ${isMuted ? html`<span class="badge warn">${words.muted(writeInstant(until))}</span>` : ""}
            ${(alert.channels ?? []).map(
              ({ name, type }) => html`<span class="badge">${textOf(name) || type}</span>`,
            )}
          </p>
        </div>
        <div class="row">
          <a class="button" href="/alerts/${alert.id}/edit">${words.edit}</a>
          <button class="button" @click=${() => void this.test()}>${words.testNow}</button>
          <button class="button" @click=${() => void this.mute(alert)}>
            ${isMuted ? words.unmute : words.mute}
          </button>
          <button class="button danger" @click=${() => void this.delete(alert)}>
            ${words.remove}
          </button>
        </div>
      </header>
      ${ruleFacts(alert, columns)}
      <section class="stack">
        <div>
          <h2>${words.ledger}</h2>
          <p class="muted small">${events.length === 0 ? words.ledgerNone : words.ledgerText}</p>
        </div>
        ${events.length === 0 ? "" : html`${timeline(events)} ${ledger(events)}`}
      </section>`;
  }
}

const stateWords: Readonly<Record<string, string>> = words.states;

const timeline = (events: readonly AlertEvent[]): TemplateResult =>
  stateTimeline(
    events.toReversed().map(({ slot_at: at, outcome, status_after: state, notices }) => ({
      at,
      state: outcome === "answered" ? state : "error",
      isSent: notices.length > 0,
    })),
  );

function ledger(events: readonly AlertEvent[]): TemplateResult {
  return html`<console-table
    .label=${words.ledger}
    .height=${460}
    .rows=${events}
    .columns=${[
      {
        label: words.slot,
        width: "minmax(150px, 1.4fr)",
        cell: ({ slot_at: at }: AlertEvent) =>
          html`<span title=${writeAgo(at)}>${writeInstant(at)}</span>`,
      },
      {
        label: words.state,
        width: "minmax(90px, 1fr)",
        cell: ({ status_after: state }: AlertEvent) =>
          html`<span class="badge ${badgeOf(state)}">${stateWords[state] ?? state}</span>`,
      },
      {
        label: words.outcome,
        width: "minmax(90px, 1fr)",
        cell: ({ outcome }: AlertEvent) => words.outcomes[outcome] ?? outcome,
      },
      {
        label: words.rows,
        width: "minmax(70px, 0.6fr)",
        isNumber: true,
        cell: ({ rows }: AlertEvent) => (rows === null ? "–" : writeNumber(rows)),
      },
      {
        label: words.notices,
        width: "minmax(80px, 0.6fr)",
        isNumber: true,
        cell: ({ notices }: AlertEvent) => writeNumber(notices.length),
      },
      {
        label: words.reason,
        width: "minmax(140px, 2fr)",
        cell: ({ reason }: AlertEvent) => reason ?? "",
      },
    ]}
  ></console-table>`;
}
