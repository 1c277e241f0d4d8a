import { html } from "lit";
import { searchOf, type Api } from "../../api/index.ts";
import { localized, readerZone, textOf } from "../../language/index.ts";
import { choicesOf, openForm, selectField, textField } from "../../parts/index.ts";
import { pickRecord } from "../../records/index.ts";
import type { ChannelRecord } from "./alertRecord.ts";
import { checkbox } from "./checkbox.ts";
import { dashboardName, timeOf, type ScheduleRecord } from "./scheduleRecord.ts";
import { timeOfDayFields } from "./timeFields.ts";
import { words } from "./words.ts";

interface DashboardRow {
  readonly id: string;
  readonly name: unknown;
}

/** Maximum number of dashboards that a search lists. */
const mostFound = 50;
const members = [
  "frequency_quantity",
  "frequency_unit",
  "time_of_day",
  "timezone",
  "export",
] as const;

/**
 * Lets the reader choose the dashboard of a new schedule, and then fills in its form. Resolves to whether it was saved.
 */
export async function createSchedule(
  api: Api,
  channels: readonly ChannelRecord[],
): Promise<boolean> {
  const dashboard = await pickRecord<DashboardRow>({
    title: words.chooseDashboard,
    label: words.findDashboard,
    none: words.noDashboard,
    nameOf: ({ id, name }) => textOf(name) || id,
    read: (search) =>
      api.get<DashboardRow>("securable", {
        where: { type: "dashboard", is_variant: false },
        ...searchOf(search),
        attributes: ["id", "name"],
        order: [["updated_at", "desc"]],
        limit: mostFound,
      }),
  });
  if (!dashboard) return false;
  return openSchedule({ api, channels, dashboard, schedule: undefined });
}

/** Opens the form of an existing schedule. Resolves to whether it was saved. */
export async function editSchedule(
  api: Api,
  channels: readonly ChannelRecord[],
  schedule: ScheduleRecord,
): Promise<boolean> {
  const dashboard = { id: schedule.securable_id ?? "", name: localized(dashboardName(schedule)) };
  return openSchedule({ api, channels, dashboard, schedule });
}

interface OpenOptions {
  readonly api: Api;
  readonly channels: readonly ChannelRecord[];
  readonly dashboard: DashboardRow;
  /** The schedule to change; undefined for a new schedule. */
  readonly schedule: ScheduleRecord | undefined;
}

async function openSchedule({ api, channels, dashboard, schedule }: OpenOptions): Promise<boolean> {
  const { type = "pdf", data = "", least_rows: leastRows } = schedule?.export ?? {};
  const draft = {
    type,
    data,
    leastRows: leastRows === undefined ? "" : String(leastRows),
    quantity: String(schedule?.frequency_quantity ?? 1),
    unit: schedule?.frequency_unit ?? "week",
    time: schedule ? timeOf(schedule) : "08:00",
    zone: schedule?.timezone ?? readerZone,
    channels: new Set((schedule?.channels ?? []).map(({ id }) => id)),
  };
  const isPicture = () => draft.type === "pdf" || draft.type === "png";
  const saved = await openForm<{ readonly id: string }>({
    title: schedule ? words.editSchedule : words.newSchedule,
    action: schedule ? words.saveChanges : words.createSchedule,
    isUnchecked: true,
    members,
    body: (form) =>
      html`<p>${words.dashboard}: <strong>${textOf(dashboard.name)}</strong></p>
        ${selectField({
          id: "schedule-type",
          label: words.fileType,
          value: draft.type,
          choices: choicesOf(words.fileTypes),
          wrong: form.mistakeOf("export"),
          onSelect: (value) => (draft.type = value),
        })}
        ${
          isPicture()
            ? selectField({
                id: "schedule-data",
                label: words.moreData,
                value: draft.data,
                choices: choicesOf(words.moreDataChoices),
                onSelect: (value) => (draft.data = value),
              })
            : ""
        }
        <div class="two">
          ${textField({
            id: "schedule-quantity",
            label: words.unit,
            value: draft.quantity,
            wrong: form.mistakeOf("frequency_quantity"),
            onInput: (value) => (draft.quantity = value),
          })}
          ${selectField({
            id: "schedule-unit",
            label: words.period,
            value: draft.unit,
            choices: choicesOf(words.units),
            wrong: form.mistakeOf("frequency_unit"),
            onSelect: (value) => (draft.unit = value),
          })}
        </div>
        ${timeOfDayFields({
          id: "schedule",
          time: draft.time,
          zone: draft.zone,
          wrongTime: form.mistakeOf("time_of_day"),
          wrongZone: form.mistakeOf("timezone"),
          onTime: (value) => (draft.time = value),
          onZone: (value) => (draft.zone = value),
        })}
        ${textField({
          id: "schedule-least-rows",
          label: words.leastRows,
          hint: words.leastRowsHint,
          value: draft.leastRows,
          onInput: (value) => (draft.leastRows = value),
        })}
        <fieldset class="channels">
          <legend>${words.channels}</legend>
          ${channels.map((channel) =>
            checkbox(
              textOf(channel.name) || channel.type,
              draft.channels.has(channel.id),
              (isOn) => {
                if (isOn) draft.channels.add(channel.id);
                else draft.channels.delete(channel.id);
              },
            ),
          )}
          <span class="hint">${words.ownMail}</span>
        </fieldset>
        ${form.wrong ? html`<p class="wrong" role="alert">${form.wrong}</p>` : ""}`,
    async save() {
      const { data: _, least_rows: _least, type: _type, ...others } = schedule?.export ?? {};
      const properties = {
        frequency_quantity: Number(draft.quantity),
        frequency_unit: draft.unit,
        timezone: draft.zone.trim(),
        time_of_day: draft.time || null,
        export: {
          ...others,
          type: draft.type,
          ...(isPicture() && draft.data !== "" && { data: draft.data }),
          ...(draft.leastRows.trim() !== "" && { least_rows: Number(draft.leastRows) }),
        },
      };
      if (!schedule)
        return api.call<{ readonly id: string }>("schedule", "create", {
          properties: { ...properties, task: "export" },
          associations: [
            { role: "Securable", id: dashboard.id },
            ...[...draft.channels].map((id) => ({ role: "Channels", id })),
          ],
        });
      const { id } = schedule;
      await api.update("schedule", id, properties);
      const before = new Set((schedule.channels ?? []).map((each) => each.id));
      const target = (channel: string) => ({ role: "Channels", id: channel });
      for (const channel of draft.channels)
        if (!before.has(channel)) await api.associate("schedule", id, target(channel));
      for (const channel of before)
        if (!draft.channels.has(channel)) await api.dissociate("schedule", id, target(channel));
      return { id };
    },
  });
  return saved !== undefined;
}
