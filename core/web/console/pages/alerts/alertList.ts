import { html, LitElement, type TemplateResult } from "lit";
import type { Found } from "../../api/index.ts";
import { textOf, writeAgo } from "../../language/index.ts";
import {
  createLoad,
  emptyState,
  notifyFailure,
  type ConsoleContext,
  type TableColumn,
} from "../../parts/index.ts";
import { badgeOf, stateOf, type AlertRecord } from "./alertRecord.ts";
import { openNewAlert } from "./openNewAlert.ts";
import { words } from "./words.ts";

const mostListed = 1_000;
const states: Readonly<Record<string, string>> = words.states;

const columns: readonly TableColumn<AlertRecord>[] = [
  {
    label: words.name,
    width: "minmax(180px, 3fr)",
    cell: ({ id, name }) => html`<a href="/alerts/${id}">${textOf(name) || id}</a>`,
  },
  {
    label: words.state,
    width: "minmax(90px, 1fr)",
    cell: (alert) =>
      html`<span class="badge ${badgeOf(stateOf(alert))}"
        >${states[stateOf(alert)] ?? stateOf(alert)}</span
      >`,
  },
  {
    label: words.every,
    width: "minmax(110px, 1fr)",
    cell: ({ frequency: { unit, quantity } }) => words.frequency(unit, quantity),
  },
  {
    label: words.evaluated,
    width: "minmax(120px, 1fr)",
    cell: ({ evaluated_at: at }) => (at ? writeAgo(at) : words.never),
  },
];

/** The reader's alerts. Alerts with problems come first. */
export class AlertList extends LitElement {
  static override properties = { context: { attribute: false } };
  declare context: ConsoleContext;
  private readonly load = createLoad<Found<AlertRecord>>(this, (signal) =>
    this.context.api.get<AlertRecord>(
      "alert",
      {
        attributes: [
          "id",
          "name",
          "status",
          "stopped_reason",
          "frequency",
          "evaluated_at",
          "mute_until",
        ],
        order: [["updated_at", "desc"]],
        limit: mostListed,
      },
      { signal },
    ),
  );

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override firstUpdated(): void {
    void this.load.start();
  }

  protected override render(): TemplateResult {
    return this.load.show(({ count, rows }) => {
      const create = html`<button
        class="button primary"
        @click=${() => void openNewAlert(this.context).catch(notifyFailure)}
      >
        ${words.newTitle}
      </button>`;
      if (count === 0)
        return emptyState({ title: words.none, text: words.noneText, action: create });
      const isCalm = (alert: AlertRecord) => Number(badgeOf(stateOf(alert)) === "good");
      return html`<div class="row">${create}</div>
        <console-table
          .label=${words.title}
          .columns=${columns}
          .rows=${rows.toSorted((one, other) => isCalm(one) - isCalm(other))}
          .height=${600}
          .onOpen=${({ id }: AlertRecord) => this.context.router.go(`/alerts/${id}`)}
        ></console-table>
        <p class="muted small" role="status">${words.count(count)}</p>`;
    });
  }
}
