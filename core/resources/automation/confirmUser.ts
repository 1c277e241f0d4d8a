import type { Knex } from "knex";
import { ApiError, type ResourceRow } from "../../base/index.ts";
import type { HookCall, KeyChange, LinkChange, Values } from "../kernel/index.ts";
import { scheduleChannel } from "../rights/links.ts";

type Schedule = ResourceRow<"schedule">;

/**
 * Notes whether the user of a schedule confirmed it: a user who takes it over does, and its channels are unlinked, so
 * that data which this user may read does not go where another user sends it. A user whom somebody else names has not.
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
 * Refuses to link a channel to the schedule of another user: its exports are drawn with the rights of its user.
 * @throws {ApiError} FORBIDDEN
 */
export async function expectOwnExport(
  { action, link, own }: LinkChange<Schedule>,
  { principal }: HookCall,
): Promise<void> {
  if (action !== "associate" || link.table !== scheduleChannel.table) return;
  if (own.user_id === principal.userId && own.confirmed_by === principal.userId) return;
  throw new ApiError("FORBIDDEN", [
    "act as the user of the schedule, or take it over first: its exports run with the rights of its user",
  ]);
}
