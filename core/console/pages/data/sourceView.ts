import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { isList, isRecord, type Api } from "../../api/index.ts";
import { textOf, writeAgo, writeInstant, writeNumber } from "../../language/index.ts";
import {
  confirm,
  createLoad,
  elementOf,
  notify,
  notifyFailure,
  openDialog,
  selectField,
  textField,
} from "../../parts/index.ts";
import type { ColumnRow } from "./columnRow.ts";
import { sourceWords as words } from "./sourceWords.ts";
import { words as pageWords } from "./words.ts";

type Row = Readonly<Record<string, unknown>>;

interface Copy extends Row {
  readonly status: "waiting" | "copying" | "ready" | "failed";
  readonly rows: number | null;
  readonly bytes: number | null;
  readonly copied_rows: number | null;
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

/** The source of a dataset: synchronization, acceleration, and what happened. `api`, `datasetId`, `columns`. */
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
    // A load that is under way is followed to its end.
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
    const { stop: action, stopText: text } = words;
    if (!(await confirm({ title: action, text, action, isDangerous: true }))) return;
    try {
      const target = { role: "Acceleration", id: String(acceleration["id"]) };
      await this.api.dissociate("securable", this.datasetId, target);
    } catch (failure) {
      notifyFailure(failure);
    }
    await this.source.start();
  }

  protected override render(): TemplateResult {
    return this.source.show(
      (source) =>
        html`<div class="source-parts">
            ${this.renderSync(source)} ${this.renderAcceleration(source)}
          </div>
          ${renderEvents(source.events)}`,
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
      <label class="row"
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
                  ? html`<p role="status">${words.copied(writeNumber(copy.copied_rows ?? 0))}</p>`
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

/** The report of a synchronization in words. */
function reportOf(report: Row): string {
  if (report["synced"] !== true) return words.notSynced(String(report["reason"] ?? ""));
  const count = (member: string) => {
    const list = report[member];
    return isList(list) ? list.length : 0;
  };
  const said = (["added", "missing", "returned", "retyped"] as const)
    .filter((member) => count(member) > 0)
    .map((member) => words.changes[member](writeNumber(count(member))));
  return said.length === 0 ? words.unchanged : said.join(", ");
}

function renderEvents(events: readonly Row[]): TemplateResult | typeof nothing {
  if (events.length === 0) return nothing;
  return html`<section class="stack" aria-label=${words.history}>
    <h2>${words.history}</h2>
    <ul class="history">
      ${events.map(({ created_at: when, action, members }) => {
        const changed = isList(members) ? members.join(", ") : "";
        return html`<li>
          <span class="muted">${writeAgo(String(when))}</span> ${action}
          ${changed ? html`<span class="muted">${changed}</span>` : nothing}
        </li>`;
      })}
    </ul>
  </section>`;
}

/** Asks how rows are copied, and starts it. Returns whether it did. */
async function chooseAcceleration(
  api: Api,
  datasetId: string,
  columns: readonly ColumnRow[],
): Promise<boolean> {
  const instants = columns.filter(({ type }) => type === "datetime");
  const state = {
    load: "full",
    unit: "day",
    quantity: "1",
    updatedAt: instants[0]?.id ?? "",
    wrong: "",
  };
  const start = async (): Promise<void> => {
    const made = await api.create<{ readonly id: string }>("acceleration", {
      load_type: state.load,
      schedule: { frequency_unit: state.unit, frequency_quantity: Number(state.quantity) },
      ...(state.load !== "full" && {
        data_storage_strategy: "insert",
        created_at_column_id: state.updatedAt,
      }),
    });
    await api
      .associate("securable", datasetId, { role: "Acceleration", id: made.id })
      .catch(async (failure: unknown) => {
        await api.remove("acceleration", made.id);
        throw failure;
      });
  };
  const started = await openDialog<boolean>({
    title: words.start,
    body(dialog) {
      const choices = ["full", ...(instants.length > 0 ? ["full-delta"] : [])].map((value) => ({
        value,
        label: words.loads[value] ?? value,
      }));
      return html`<p class="muted">${words.startText}</p>
        ${selectField({
          id: "load-type",
          label: words.load,
          value: state.load,
          choices,
          onSelect(value) {
            state.load = value;
            dialog.redraw();
          },
        })}
        ${
          state.load === "full"
            ? nothing
            : selectField({
                id: "load-column",
                label: words.deltaColumn,
                value: state.updatedAt,
                choices: instants.map(({ id, name }) => ({ value: id, label: textOf(name) || id })),
                onSelect: (value) => (state.updatedAt = value),
              })
        }
        <div class="upload-fields">
          ${textField({ id: "load-every", label: words.every, type: "number", value: state.quantity, wrong: state.wrong, onInput: (value) => (state.quantity = value) })}
          ${selectField({
            id: "load-unit",
            label: words.unit,
            value: state.unit,
            choices: Object.entries(words.units).map(([value, label]) => ({ value, label })),
            onSelect: (value) => (state.unit = value),
          })}
        </div>`;
    },
    foot: (dialog) =>
      html`<button class="button" @click=${() => dialog.close(false)}>${pageWords.cancel}</button>
        <button
          class="button primary"
          @click=${() =>
            void start()
              .then(() => dialog.close(true))
              .catch((failure: unknown) => {
                state.wrong = failure instanceof Error ? failure.message : String(failure);
                dialog.redraw();
              })}
        >
          ${words.start}
        </button>`,
  });
  return started === true;
}
