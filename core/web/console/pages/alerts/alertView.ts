import { html, type TemplateResult } from "lit";
import { textOf, writeAgo, writeInstant, writeNumber } from "../../language/index.ts";
import { confirmAndRun, notify, type ConsoleContext } from "../../parts/index.ts";
import type { RecordViewKind } from "../../records/index.ts";
import { badgeOf, readAlert, stateOf, type AlertEvent, type AlertRecord } from "./alertRecord.ts";
import { queriedColumns, type QueriedColumns } from "./queriedColumns.ts";
import { ruleFacts } from "./ruleFacts.ts";
import { stateTimeline } from "./stateTimeline.ts";
import { words } from "./words.ts";

interface Shown {
  readonly alert: AlertRecord;
  readonly events: readonly AlertEvent[];
  readonly columns: QueriedColumns;
}

const path = "/alerts";
const shownEvents = 200;
const dayMs = 86_400_000;

/** Returns the time until which an alert is muted; undefined if the alert is not muted. */
const mutedUntil = ({ mute_until: until }: AlertRecord): string | undefined =>
  until !== null && Date.parse(until) > Date.now() ? until : undefined;

/** One alert: its state, its rule, and its past evaluations as a timeline and a list. */
export const alertView: RecordViewKind<Shown> = {
  path,
  words,
  nameOf: ({ alert }) => textOf(alert.name),
  async read({ api }, id, signal) {
    const find = { where: { alert_id: id }, order: [["slot_at", "desc"]], limit: shownEvents };
    const [alert, events] = await Promise.all([
      readAlert(api, id, signal),
      api.get<AlertEvent>("alertevent", find, { signal }),
    ]);
    if (!alert) return undefined;
    document.title = `${textOf(alert.name)} · Manifold`;
    const columns = await queriedColumns(api, alert.query, signal);
    return { alert, events: events.rows, columns };
  },
  note({ alert }) {
    const { frequency, channels = [] } = alert;
    const state = stateOf(alert);
    const until = mutedUntil(alert);
    return html`<span class="row">
      <span class="badge ${badgeOf(state)}">${stateWords[state] ?? state}</span>
      <span>${words.frequency(frequency.unit, frequency.quantity)}</span>
      ${until ? html`<span class="badge warn">${words.muted(writeInstant(until))}</span>` : ""}
      ${channels.map(({ name, type }) => html`<span class="badge">${textOf(name) || type}</span>`)}
    </span>`;
  },
  actions({ alert }, { context }) {
    const { api, router } = context;
    const { id } = alert;
    const isMuted = mutedUntil(alert) !== undefined;
    const next = isMuted ? null : new Date(Date.now() + dayMs).toISOString();
    return [
      { label: words.edit, href: `${path}/${id}/edit` },
      { label: words.testNow, run: () => test(context, id) },
      {
        label: isMuted ? words.unmute : words.mute,
        run: () => api.update("alert", id, { mute_until: next }),
      },
      {
        label: words.remove,
        look: "danger",
        async run() {
          const isDone = await confirmAndRun({
            action: words.remove,
            text: words.removeText(textOf(alert.name)),
            done: words.removed,
            run: () => api.remove("alert", id),
          });
          if (isDone) router.go(path);
          return false;
        },
      },
    ];
  },
  body: ({ alert, events, columns }, { context }) =>
    html`<console-measured-values
        .api=${context.api}
        .alert=${alert}
        .theme=${context.theme}
      ></console-measured-values>
      <console-measured-now
        .api=${context.api}
        .alert=${alert}
        .columns=${columns}
      ></console-measured-now>
      ${ruleFacts(alert, columns)}
      <section class="stack">
        <div>
          <h2>${words.ledger}</h2>
          <p class="muted small">${events.length === 0 ? words.ledgerNone : words.ledgerText}</p>
        </div>
        ${events.length === 0 ? "" : html`${timeline(events)} ${ledger(events)}`}
      </section>`,
};

async function test({ api }: ConsoleContext, id: string): Promise<false> {
  const { rows = 0 } = await api.call<{ readonly rows?: number | readonly unknown[] }>(
    "alert",
    "test",
    { id },
  );
  notify({ text: words.tested(typeof rows === "number" ? rows : rows.length) });
  return false;
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
