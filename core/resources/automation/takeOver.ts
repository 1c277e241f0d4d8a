import type { Knex } from "knex";
import { ApiError, type ResourceRow } from "../../base/index.ts";
import { type HookCall, type KeyChange, selectAllowed, type Values } from "../kernel/index.ts";
import { alertChannel } from "../rights/links.ts";

/**
 * Lets callers make only themselves the user of an alert, because an alert runs with its user's rights. Owners of the
 * organization may take over alerts. Channels that the new user may not use are unlinked, so that rows that this user
 * may read are not sent where another user chose. Parameters stored for the former user are deleted.
 * @throws {ApiError} FORBIDDEN
 */
export async function takeOver(
  { action, key, holder, target }: KeyChange<ResourceRow<"alert">>,
  { context, principal }: HookCall,
  transaction: Knex.Transaction,
): Promise<Values | void> {
  if (action !== "associate" || key !== "user_id") return;
  const isOwner = holder.user_id === principal.userId;
  const isAllowed = isOwner || principal.organizationRole === "owner";
  if (target.id !== principal.userId || !isAllowed)
    throw new ApiError("FORBIDDEN", [
      "take the alert over; only owners of the organization can, and only for themselves, because the alert runs with the rights of its user",
    ]);
  if (isOwner) return;
  const channel = context.declarations.get("channel");
  if (!channel) throw new TypeError("there is no resource channel");
  const linked = await transaction(alertChannel.table).where({ alert_id: holder.id });
  const ids = linked.map(({ channel_id }) => String(channel_id));
  const usable = await selectAllowed(transaction, channel, ids, "use", principal);
  await transaction(alertChannel.table)
    .where({ alert_id: holder.id })
    .whereNotIn(
      "channel_id",
      usable.map(({ id }) => String(id)),
    )
    .delete();
  return { is_of_token: false, sticky_parameters: null };
}
