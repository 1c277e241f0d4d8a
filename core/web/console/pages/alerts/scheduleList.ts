import { html, LitElement, type TemplateResult } from "lit";
import { textOf, writeAgo, writeInstant } from "../../language/index.ts";
import {
  confirmAndRun,
  createLoad,
  emptyState,
  notify,
  notifyFailure,
  type ConsoleContext,
} from "../../parts/index.ts";
import { questionWords } from "../../questions/index.ts";
import { readChannels } from "./alertRecord.ts";
import { createSchedule, editSchedule } from "./openSchedule.ts";
import {
  dashboardName,
  filesText,
  readSchedules,
  whenText,
  type ScheduleRecord,
} from "./scheduleRecord.ts";
import { words } from "./words.ts";

/** The dashboards that are sent on a schedule, with their next and last runs, and forms to create and change them. */
export class ScheduleList extends LitElement {
  static override properties = { context: { attribute: false } };
  declare context: ConsoleContext;
  private readonly load = createLoad(this, async (signal) => {
    const { api } = this.context;
    const [schedules, channels] = await Promise.all([
      readSchedules(api, signal),
      readChannels(api, signal),
    ]);
    return { schedules, channels };
  });

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override firstUpdated(): void {
    void this.load.start();
  }

  private async run(work: () => Promise<boolean>, done?: string): Promise<void> {
    try {
      if (!(await work())) return;
      if (done !== undefined) notify({ text: done });
      await this.load.start();
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  private create(): Promise<void> {
    const { api } = this.context;
    const channels = this.load.value?.channels ?? [];
    return this.run(() => createSchedule(api, channels), words.scheduleCreated);
  }

  protected override render(): TemplateResult {
    const create = html`<button class="button primary" @click=${() => void this.create()}>
      ${words.newSchedule}
    </button>`;
    return this.load.show(({ schedules }) =>
      schedules.length === 0
        ? emptyState({ title: words.noSchedule, text: words.noScheduleText, action: create })
        : html`<div class="row">${create}</div>
            <ul class="channel-list surface">
              ${schedules.map((schedule) => this.renderSchedule(schedule))}
            </ul>
            <p class="muted small" role="status">${words.scheduleCount(schedules.length)}</p>`,
    );
  }

  private renderSchedule(schedule: ScheduleRecord): TemplateResult {
    const { api } = this.context;
    const { id, active, failure, scheduled_at: next, completed_at: last, channels = [] } = schedule;
    const name = dashboardName(schedule);
    const to = channels.map((channel) => textOf(channel.name) || channel.type).join(", ");
    const all = this.load.value?.channels ?? [];
    const setActive = async () => {
      await api.update("schedule", id, { active: !active });
      return true;
    };
    const remove = () =>
      confirmAndRun({
        action: words.removeSchedule,
        text: words.removeScheduleText(name),
        run: () => api.remove("schedule", id),
      });
    return html`<li>
      <span class="grow">
        <a href="/dashboards/${schedule.securable_id}">${name}</a>
        <span class="muted small">${filesText(schedule)} → ${to || words.toYou}</span><br />
        <span class="small">${whenText(schedule)}</span>
        <span class="muted small">
          · ${questionWords.labelled(words.nextRun, active && next ? writeInstant(next) : "–")} ·
          ${questionWords.labelled(words.lastRun, last ? writeAgo(last) : words.never)}
        </span>
        ${failure ? html`<br /><span class="wrong small">${failure}</span>` : ""}
      </span>
      ${active ? "" : html`<span class="badge warn">${words.paused}</span>`}
      ${failure ? html`<span class="badge bad">${words.failed}</span>` : ""}
      <button
        class="button"
        @click=${() => void this.run(() => editSchedule(api, all, schedule), words.changedSchedule)}
      >
        ${words.edit}
      </button>
      <button class="button" @click=${() => void this.run(setActive)}>
        ${active ? words.pause : words.resume}
      </button>
      <button class="button danger" @click=${() => void this.run(remove)}>
        ${words.removeSchedule}
      </button>
    </li>`;
  }
}
