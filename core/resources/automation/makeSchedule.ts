import type { Knex } from "knex";
import type { Records, ResourceRow } from "../../base/index.ts";
import type { Frequency } from "./frequency.ts";
import { dueAfter } from "./dueAfter.ts";
import { atTimeOfDay } from "./timeOfDay.ts";

/** The value of `task` for a schedule whose slots evaluate an alert. */
export const alertTask = "alert";

interface Recurring {
  readonly frequency: Frequency;
  readonly zone: string;
  /** The local time from which slots are counted, such as `07:30`; null to count them from now. */
  readonly timeOfDay: string | null;
}

/** Creates the schedule of a new alert. Its first slot is one period from now, or the next time of day. */
export async function makeSchedule(
  records: Records,
  { frequency: { unit, quantity }, zone, timeOfDay }: Recurring,
  userId: string,
  transaction: Knex.Transaction,
): Promise<ResourceRow<"schedule">> {
  const now = new Date();
  const startedAt = timeOfDay === null ? now : atTimeOfDay(now, timeOfDay, zone);
  const recurrence = {
    frequency_unit: unit,
    frequency_quantity: quantity,
    timezone: zone,
    started_at: startedAt,
  };
  return records.insert(
    "schedule",
    {
      ...recurrence,
      scheduled_at: dueAfter({ ...recurrence, active: true }, now.getTime()),
      task: alertTask,
      user_id: userId,
    },
    transaction,
  );
}
