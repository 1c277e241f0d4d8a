import type { Knex } from "knex";
import { limits } from "../kernel/index.ts";

/**
 * Stores a chart as its newest version, and deletes the oldest versions beyond `limits.versionCount`. Two statements;
 * the script does not leave the database.
 */
export async function addChartVersion(
  chartId: string,
  userId: string,
  transaction: Knex.Transaction,
): Promise<void> {
  await transaction.raw(
    `insert into customchartversion
       (id, name, type, script, slots_config, customchart_id, user_id, created_at, updated_at)
     select gen_random_uuid(), name, type, script, slots_config, id, ?::uuid, clock_timestamp(), clock_timestamp()
       from customchart where id = ?::uuid`,
    [userId, chartId],
  );
  await transaction.raw(
    `delete from customchartversion where id in (
       select id from customchartversion where customchart_id = ?::uuid order by created_at desc, id offset ?)`,
    [chartId, limits.versionCount],
  );
}
