import type { Knex } from "knex";
import { limits } from "../kernel/index.ts";

/**
 * Stores the current state of a chart as its newest version. Deletes the oldest versions beyond `limits.versionCount`,
 * except the approved version. Runs two SQL statements. The script is copied within the database and never passes
 * through the host.
 */
export async function addChartVersion(
  { chartId, versionId }: { readonly chartId: string; readonly versionId: string },
  userId: string,
  transaction: Knex.Transaction,
): Promise<void> {
  await transaction.raw(
    `insert into customchartversion
       (id, name, type, script, slots_config, customchart_id, user_id, created_at, updated_at)
     select ?::uuid, name, type, script, slots_config, id, ?::uuid, clock_timestamp(), clock_timestamp()
       from customchart where id = ?::uuid`,
    [versionId, userId, chartId],
  );
  await transaction.raw(
    `delete from customchartversion where id in (
       select v.id from customchartversion v join customchart c on c.id = v.customchart_id
        where v.customchart_id = ?::uuid and v.id is distinct from c.approved_version_id
        order by v.created_at desc, v.id offset ?)`,
    [chartId, limits.versionCount],
  );
}
