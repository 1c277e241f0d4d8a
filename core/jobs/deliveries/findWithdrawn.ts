import type { Knex } from "knex";
import type { FeatureName } from "../../identity/index.ts";

const ofAlert: FeatureName = "flag_alerting";
const ofExport: FeatureName = "flag_export";

/** The tables `exportevent` and `alertevent` contain the user for whom a message was created. */
const statement = `
  select d.id, case when e.id is null then :ofAlert else :ofExport end as flag
    from delivery d
    left join alertevent a on a.id = d.alertevent_id
    left join exportevent e on e.id = d.exportevent_id
    join "user" u on u.id = coalesce(e.user_id, a.user_id)
   where d.outcome = 'waiting' and (d.id = :deliveryId or d.digest_id = :digestId)
     and jsonb_typeof(u.feature_overrides) = 'array'
     and jsonb_exists(u.feature_overrides, case when e.id is null then :ofAlert else :ofExport end)`;

/**
 * Finds the waiting deliveries, of a single message or of a digest, whose user has lost the right to alerts or exports.
 * These deliveries must no longer be sent. Returns the reason for each delivery, by its id.
 */
export async function findWithdrawn(
  {
    deliveryId = null,
    digestId = null,
  }: { readonly deliveryId?: string | null; readonly digestId?: string | null },
  knex: Knex,
): Promise<ReadonlyMap<string, string>> {
  const flags = { ofAlert: `!${ofAlert}`, ofExport: `!${ofExport}` };
  const { rows }: { rows: { readonly id: string; readonly flag: string }[] } = await knex.raw(
    statement,
    { ...flags, deliveryId, digestId },
  );
  return new Map(
    rows.map(({ id, flag }) => [
      id,
      `${flag} removes this feature from the user of the alert or schedule`,
    ]),
  );
}
