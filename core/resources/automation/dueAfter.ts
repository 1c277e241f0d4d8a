import type { ResourceRow } from "../../base/index.ts";
import { nextDue } from "./nextDue.ts";

type Schedule = ResourceRow<"schedule">;
type Recurring = {
  readonly [
    Member in
      | "active"
      | "frequency"
      | "frequency_quantity"
      | "frequency_unit"
      | "started_at"
      | "timezone"
      | "created_at"
  ]?: Schedule[Member] | undefined;
};

/**
 * Returns the first time after an instant at which a schedule is due; null if it does not recur or is not active. Slots
 * are counted from `started_at`. A schedule with the obsolete member `frequency` recurs after that many minutes.
 */
export function dueAfter(schedule: Recurring, afterMs: number): Date | null {
  const { frequency_unit: unit = null, timezone } = schedule;
  const quantity = (unit === null ? schedule.frequency : schedule.frequency_quantity) ?? null;
  if (schedule.active === false || quantity === null) return null;
  const anchorMs = (schedule.started_at ?? schedule.created_at)?.getTime() ?? afterMs;
  const zone = timezone ?? "UTC";
  return new Date(nextDue({ anchorMs, zone, unit: unit ?? "minute", quantity }, afterMs));
}
