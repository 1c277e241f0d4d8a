import { writeAudits } from "../../../catalog/index.ts";
import { actorOf, type ScimCall } from "./scimCall.ts";

/**
 * Stops the scheduled work of a user, because its channels may send data out of the company. Deactivates the user's
 * schedules unless they also run other users' alerts, and removes the user's alerts from schedules that continue.
 */
export async function stopWork(call: ScimCall, userId: string): Promise<void> {
  const { transaction, records } = call;
  const stopped: readonly { readonly id: string }[] = await transaction("schedule as s")
    .where({ "s.user_id": userId, "s.active": true })
    .whereRaw("not exists (select 1 from alert a where a.schedule_id = s.id and a.user_id <> ?)", [
      userId,
    ])
    .update({ active: false, scheduled_at: null, updated_at: new Date() })
    .returning("s.id");
  const { rows: left }: { rows: readonly { readonly id: string; readonly schedule_id: string }[] } =
    await transaction.raw(
      `update alert a set schedule_id = null, updated_at = now()
         from schedule s
        where s.id = a.schedule_id and s.active and a.user_id = ?
      returning a.id, s.id as schedule_id`,
      [userId],
    );
  await writeAudits(
    records,
    actorOf(call),
    [
      ...stopped.map(({ id }) => ({
        action: "update" as const,
        resource: "schedule",
        recordId: id,
        members: ["active"],
      })),
      ...left.map(({ id, schedule_id }) => ({
        action: "dissociate" as const,
        resource: "alert",
        recordId: id,
        target: { role: "Schedule", resource: "schedule", id: schedule_id },
      })),
    ],
    transaction,
  );
}
