import type { Knex } from "knex";
import { arrayBinding } from "../../catalog/index.ts";
import type { Records, ResourceRow } from "../../base/index.ts";

/** An alert, and the user that it is evaluated as. */
type Owned = Pick<ResourceRow<"alert">, "id" | "user_id">;

/**
 * Finds the channels of each alert, by the alert's id. Includes only enabled channels that the alert's user may still
 * use. These are the user's own channels, and channels shared with the user or the user's organization. Alerts without
 * such channels are absent. Runs two statements.
 */
export async function channelsOf(
  alerts: readonly Owned[],
  records: Records,
  transaction: Knex.Transaction,
  resource: "alert" | "schedule" = "alert",
): Promise<ReadonlyMap<string, readonly ResourceRow<"channel">[]>> {
  const { rows: links }: { rows: { alert_id: string; channel_id: string }[] } =
    await transaction.raw(
      `select a.id as alert_id, c.id as channel_id
         from unnest(?::uuid[], ?::uuid[]) as a (id, user_id)
         join ${resource}_channel l on l.${resource}_id = a.id
         join channel c on c.id = l.channel_id
        where c.disabled_reason is null
          and (c.user_id = a.user_id
            or exists (select 1 from channel_user u where u.channel_id = c.id and u.user_id = a.user_id)
            or exists (select 1 from channel_organization o
                         join organization_user m on m.organization_id = o.organization_id
                        where o.channel_id = c.id and m.user_id = a.user_id))`,
      [arrayBinding(alerts.map(({ id }) => id)), arrayBinding(alerts.map((each) => each.user_id))],
    );
  if (links.length === 0) return new Map();
  const ids = [...new Set(links.map(({ channel_id }) => channel_id))];
  const channels = await records.find("channel", { id: ids }, transaction);
  const byId = new Map(channels.map((channel) => [channel.id, channel]));
  const linksOf = Map.groupBy(links, ({ alert_id }) => alert_id);
  return new Map(
    [...linksOf].map(([alertId, own]) => [
      alertId,
      own.flatMap(({ channel_id }) => byId.get(channel_id) ?? []),
    ]),
  );
}
