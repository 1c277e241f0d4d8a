import type { Knex } from "knex";
import { ApiError, type ResourceRow } from "../../base/index.ts";
import type { HookCall, KeyChange, LinkChange, Values } from "../kernel/index.ts";
import { scheduleChannel } from "../rights/links.ts";

type Schedule = ResourceRow<"schedule">;

/**
 * Records whether the user of a schedule has confirmed it. Users who take over a schedule confirm it. The channels of
 * the schedule are then unlinked, so that data that the new user may read is not sent where another user chose. A user
 * whom somebody else names has not confirmed the schedule.
 */
export async function confirmUser(
  { action, key, holder, target }: KeyChange<Schedule>,
  { principal }: HookCall,
  transaction: Knex.Transaction,
): Promise<Values | void> {
  const { userId } = principal;
  if (action !== "associate" || key !== "user_id" || target.id !== userId) return;
  if (holder.confirmed_by === userId) return;
  await transaction(scheduleChannel.table).where({ schedule_id: holder.id }).delete();
  return { confirmed_by: userId };
}

/**
 * Refuses to link a channel to another user's schedule, because the exports of the schedule are rendered with that
 * user's rights.
 * @throws {ApiError} FORBIDDEN
 */
export async function expectOwnExport(
  { action, link, own }: LinkChange<Schedule>,
  { principal }: HookCall,
): Promise<void> {
  if (action !== "associate" || link.table !== scheduleChannel.table) return;
  if (own.user_id === principal.userId && own.confirmed_by === principal.userId) return;
  throw new ApiError("FORBIDDEN", [
    "act as the user of the schedule, because its exports run with that user's rights; take the schedule over first",
  ]);
}
