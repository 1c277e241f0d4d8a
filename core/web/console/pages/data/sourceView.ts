import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { isRecord, type Api } from "../../api/index.ts";
import { textOf, writeInstant, writeNumber } from "../../language/index.ts";
import { confirmAndRun, createLoad, elementOf, notify, notifyFailure } from "../../parts/index.ts";
import { chooseAcceleration } from "./chooseAcceleration.ts";
import type { ColumnRow } from "./columnRow.ts";
import { historyOf } from "./historyOf.ts";
import { reportOf } from "./reportOf.ts";
import { sourceWords as words } from "./sourceWords.ts";

type Row = Readonly<Record<string, unknown>>;

interface Copy extends Row {
  readonly status: "waiting" | "copying" | "ready" | "failed";
  readonly rows: number | null;
  readonly bytes: number | null;
  readonly copied_rows: number | null;
  readonly progress: number | null;
  readonly as_of: string | null;
  readonly full_at: string | null;
  readonly failure: string | null;
  readonly failed_at: string | null;
}
interface Source {
  readonly record: Row | undefined;
  readonly account: Row | undefined;
  readonly acceleration: Row | undefined;
  readonly copy: Copy | undefined;
  readonly schedules: readonly Row[];
  readonly events: readonly Row[];
}

const followMs = 2_000;
const shownEvents = 50;
const marks = { ready: "good", failed: "bad", copying: "info", waiting: "" } as const;
const at = (value: unknown): string => (typeof value === "string" ? writeInstant(value) : "–");

/**
 * The source of a dataset: synchronization, acceleration and past changes. Properties: `api`, `datasetId`, `columns`.
 */
export class SourceView extends LitElement {
  static override properties = {
    api: { attribute: false },
    datasetId: { attribute: false },
    columns: { attribute: false },
  };
  declare api: Api;
  declare datasetId: string;
  declare columns: readonly ColumnRow[];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly source = createLoad<Source>(this, (signal) => this.read(signal));

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("datasetId")) void this.source.start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  private async read(signal: AbortSignal): Promise<Source> {
    const own = { securable_id: this.datasetId };
    const first = async (resource: string, where: Row) =>
      (await this.api.get<Row>(resource, { where, limit: 1 }, { signal })).rows[0];
    const [record, copies, schedules, events] = await Promise.all([
      first("securable", { id: this.datasetId }),
      this.api.get<Copy>("datasetcopy", { where: own, limit: 1 }, { signal }),
      this.api.get<Row>("schedule", { where: own, limit: 50 }, { signal }),
      this.api.get<Row>(
        "auditevent",
        {
          where: { record_id: this.datasetId },
          order: [["created_at", "desc"]],
          limit: shownEvents,
        },
        { signal },
      ),
    ]);
    const { account_id: accountId, acceleration_id: accelerationId } = record ?? {};
    const [account, acceleration] = await Promise.all([
      accountId ? first("account", { id: accountId }) : undefined,
      accelerationId ? first("acceleration", { id: accelerationId }) : undefined,
    ]);
    const copy = accelerationId ? copies.rows[0] : undefined;
    clearTimeout(this.timer);
    // A running load is polled until it finishes.
    if (copy && (copy.status === "copying" || copy.status === "waiting") && this.isConnected)
      this.timer = setTimeout(() => void this.source.start(), followMs);
    return {
      record,
      account,
      acceleration,
      copy,
      schedules: schedules.rows,
      events: events.rows,
    };
  }

  private async change(properties: Row): Promise<void> {
    try {
      const answer = await this.api.update<Row>("securable", this.datasetId, properties);
      const report = answer["metadata_sync"];
      if (isRecord(report)) notify({ text: reportOf(report), isBad: report["synced"] !== true });
    } catch (failure) {
      notifyFailure(failure);
    }
    await this.source.start();
  }

  private async accelerate(): Promise<void> {
    if (await chooseAcceleration(this.api, this.datasetId, this.columns)) await this.source.start();
  }

  private async stop(acceleration: Row): Promise<void> {
    const target = { role: "Acceleration", id: String(acceleration["id"]) };
    const isDone = await confirmAndRun({
      action: words.stop,
      text: words.stopText,
      run: () => this.api.dissociate("securable", this.datasetId, target),
    });
    if (isDone) await this.source.start();
  }

  protected override render(): TemplateResult {
    return this.source.show(
      (source) =>
        html`<div class="source-parts">
            ${this.renderSync(source)} ${this.renderAcceleration(source)}
          </div>
          ${historyOf(source.events)}`,
    );
  }

  private renderSync({ record = {}, account }: Source): TemplateResult {
    if (record["storage"] !== "client")
      return html`<section class="surface source-part">
        <h2>${words.storedTitle}</h2>
        <p class="muted">${words.storedText}</p>
      </section>`;
    const isInherited = record["meta_sync_inherit"] === true;
    return html`<section class="surface source-part" aria-label=${words.synchronization}>
      <h2>${words.synchronization}</h2>
      <dl class="facts">
        ${fact(
          words.connection,
          account
            ? html`<a href="/data/connections/${account["id"]}"
                >${textOf(account["name"]) || account["provider"]}</a
              >`
            : "–",
        )}
        ${fact(words.table, record["source_sheet"] ?? words.statement)}
        ${fact(words.lastSync, at(record["last_metadata_sync_at"]))}
        ${fact(words.lastAttempt, at(record["last_metadata_sync_attempt_at"]))}
      </dl>
      <label class="check"
        ><input
          type="checkbox"
          .checked=${record["meta_sync_enabled"] === true}
          @change=${(event: Event) =>
            void this.change({
              meta_sync_enabled: elementOf(event.target, HTMLInputElement).checked,
            })}
        />${isInherited ? words.byConnection : words.byItself(String(record["meta_sync_interval"]))}</label
      >
      <button class="button" @click=${() => void this.change({ update_metadata: true })}>
        ${words.synchronizeNow}
      </button>
    </section>`;
  }

  private renderAcceleration({
    record = {},
    acceleration,
    copy,
    schedules,
  }: Source): TemplateResult | typeof nothing {
    if (record["storage"] !== "client") return nothing;
    const schedule = schedules.find(({ task }) => task === "acceleration");
    return html`<section class="surface source-part" aria-label=${words.acceleration}>
      <h2>
        ${words.acceleration}
        ${copy ? html`<span class="badge ${marks[copy.status] ?? ""}">${words.states[copy.status] ?? copy.status}</span>` : nothing}
      </h2>
      ${
        acceleration && copy
          ? html`<dl class="facts">
                ${fact(words.load, words.loads[String(acceleration["load_type"])] ?? "–")}
                ${fact(words.rows, copy.rows === null ? "–" : writeNumber(copy.rows))}
                ${fact(words.size, copy.bytes === null ? "–" : `${writeNumber(copy.bytes / 2 ** 20)} MB`)}
                ${fact(words.asOf, at(copy.as_of))} ${fact(words.fullAt, at(copy.full_at))}
                ${fact(words.next, at(schedule?.["scheduled_at"]))}
              </dl>
              ${
                copy.status === "copying"
                  ? html`<p role="status">
                      ${words.copied(writeNumber(copy.copied_rows ?? 0), copy.progress)}
                    </p>`
                  : nothing
              }
              ${
                copy.failure
                  ? html`<p class="failure">
                      ${copy.failure} <span class="muted small">${at(copy.failed_at)}</span>
                    </p>`
                  : nothing
              }
              <button class="button danger" @click=${() => void this.stop(acceleration)}>
                ${words.stop}
              </button>`
          : html`<p class="muted">${words.accelerationText}</p>
              <button class="button" @click=${() => void this.accelerate()}>${words.start}</button>`
      }
    </section>`;
  }
}

const fact = (label: string, value: unknown): TemplateResult =>
  html`<div>
    <dt>${label}</dt>
    <dd class="small-fact">${value}</dd>
  </div>`;
