import type { Knex } from "knex";
import type { Records, ResourceRow } from "../../base/index.ts";
import type { Frequency } from "./frequency.ts";
import { dueAfter } from "./dueAfter.ts";

/** The value of `task` for a schedule whose slots evaluate an alert. */
export const alertTask = "alert";

interface Recurring {
  readonly frequency: Frequency;
  readonly zone: string;
}

/** Creates the schedule of a new alert. Its first slot is one period from now. */
export async function makeSchedule(
  records: Records,
  { frequency: { unit, quantity }, zone }: Recurring,
  userId: string,
  transaction: Knex.Transaction,
): Promise<ResourceRow<"schedule">> {
  const startedAt = new Date();
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
      scheduled_at: dueAfter({ ...recurrence, active: true }, startedAt.getTime()),
      task: alertTask,
      user_id: userId,
    },
    transaction,
  );
}
