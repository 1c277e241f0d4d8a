import type { Api } from "../../api/index.ts";
import type { Duration } from "./duration.ts";

/** Recurring hours without messages, as the API returns them. Weekdays are 1 (Monday) to 7. */
export interface StoredQuietHours {
  readonly timezone_id: string;
  readonly periods: readonly {
    readonly weekdays?: readonly number[];
    readonly from: string;
    readonly to: string;
  }[];
}

/** An alert as the API returns it. */
export interface AlertRecord {
  readonly id: string;
  readonly name: unknown;
  readonly status: string;
  readonly stopped_reason: string | null;
  readonly query: unknown;
  readonly recovery: unknown;
  readonly frequency: Duration;
  readonly evaluated_at: string | null;
  readonly notify: string;
  readonly for: Duration | null;
  readonly keep_firing_for: Duration | null;
  readonly instance_by: readonly string[] | null;
  readonly no_data: string;
  readonly error: string;
  readonly mute_until: string | null;
  readonly timezone_id: string | null;
  readonly time_of_day: string | null;
  readonly quiet_hours: StoredQuietHours | null;
  readonly channels?: readonly ChannelRecord[];
}

export interface ChannelRecord {
  readonly id: string;
  readonly name: unknown;
  readonly type: string;
  readonly failures: number;
  readonly disabled_reason: string | null;
  readonly paused_until: string | null;
  readonly config: Readonly<Record<string, unknown>>;
}

/** One evaluation of an alert, as the ledger contains it. */
export interface AlertEvent {
  readonly id: string;
  readonly slot_at: string;
  readonly outcome: string;
  readonly reason: string | null;
  readonly rows: number | null;
  readonly status_before: string;
  readonly status_after: string;
  readonly notices: readonly unknown[];
}

/**
 * Returns the state that readers see. A stopped alert and an alert that has not run have states of their own, because
 * nobody knows whether their condition is met.
 */
export const stateOf = ({
  status,
  stopped_reason: stopped,
  evaluated_at: evaluated,
}: Pick<AlertRecord, "status" | "stopped_reason" | "evaluated_at">): string => {
  if (stopped !== null) return "stopped";
  return evaluated === null ? "new" : status;
};

/** Returns the CSS class for the badge of a state. */
export function badgeOf(state: string): string {
  if (state === "ok" || state === "resolved") return "good";
  if (state === "new") return "";
  if (state === "firing" || state === "error" || state === "stopped") return "bad";
  return "warn";
}

/** Fetches an alert with its channels; undefined if the reader cannot see it. */
export async function readAlert(
  api: Api,
  id: string,
  signal: AbortSignal,
): Promise<AlertRecord | undefined> {
  const find = { where: { id }, include: [{ model: "Channel" }] };
  return (await api.get<AlertRecord>("alert", find, { signal })).rows[0];
}

/** Fetches the channels to which an alert can send. */
export async function readChannels(
  api: Api,
  signal: AbortSignal,
): Promise<readonly ChannelRecord[]> {
  const find = { attributes: ["id", "name", "type"] };
  return (await api.get<ChannelRecord>("channel", find, { signal })).rows;
}
