import type { Api } from "../../api/index.ts";
import { textOf } from "../../language/index.ts";
import type { ChannelRecord } from "./alertRecord.ts";
import { words } from "./words.ts";

/** A schedule that sends a dashboard, as the API returns it. */
export interface ScheduleRecord {
  readonly id: string;
  readonly frequency_unit: string | null;
  readonly frequency_quantity: number | null;
  readonly timezone: string | null;
  readonly time_of_day: string | null;
  readonly started_at: string | null;
  readonly active: boolean;
  readonly export: {
    readonly type?: string;
    readonly data?: string;
    readonly least_rows?: number;
  } | null;
  readonly scheduled_at: string | null;
  readonly completed_at: string | null;
  readonly failure: string | null;
  readonly securable_id: string | null;
  readonly securable?: {
    readonly id: string;
    readonly type: string;
    readonly name: unknown;
  } | null;
  readonly channels?: readonly ChannelRecord[];
}

const mostListed = 1_000;

/** Fetches the schedules that send dashboards, next run first. */
export async function readSchedules(
  api: Api,
  signal: AbortSignal,
): Promise<readonly ScheduleRecord[]> {
  const find = {
    include: [{ model: "Securable", attributes: ["id", "type", "name"] }, { model: "Channel" }],
    order: [["scheduled_at", "asc"]],
    limit: mostListed,
  };
  const { rows } = await api.get<ScheduleRecord>("schedule", find, { signal });
  return rows.filter(({ securable }) => securable?.type === "dashboard");
}

export const dashboardName = ({ securable }: Pick<ScheduleRecord, "securable">): string =>
  textOf(securable?.name) || words.deletedDashboard;

/** Names the files that a schedule sends, such as `PDF, Excel`. */
export function filesText({ export: form }: Pick<ScheduleRecord, "export">): string {
  const names: Readonly<Record<string, string>> = words.fileNames;
  const { type = "pdf", data } = form ?? {};
  const types = [...new Set([type, ...(data ? [data] : [])])];
  return types.map((each) => names[each] ?? each).join(", ");
}

/** Describes when a schedule runs, such as `every day at 07:30 (Europe/Brussels)`. */
export function whenText(schedule: ScheduleRecord): string {
  const { frequency_unit: unit, frequency_quantity: quantity, timezone } = schedule;
  if (unit === null || quantity === null) return "–";
  return words.atTime(words.frequency(unit, quantity), timeOf(schedule), timezone ?? "UTC");
}

/** Returns the local time of a schedule's runs, such as `07:30`; "" if it runs more often than daily. */
export function timeOf(schedule: ScheduleRecord): string {
  const { time_of_day: time, started_at: startedAt, timezone, frequency_unit: unit } = schedule;
  if (time !== null) return time;
  if (startedAt === null || unit === "minute" || unit === "hour") return "";
  const form = new Intl.DateTimeFormat("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    timeZone: timezone ?? "UTC",
  });
  return form.format(new Date(startedAt));
}
