import type { Knex } from "knex";
import { limits } from "../kernel/index.ts";

/**
 * Stores the current state of a dashboard as its newest version. Of the unpublished versions beyond
 * `limits.versionCount`, deletes the oldest ones, those with a title last and the newest never. Executes two SQL
 * statements, which copy the contents within the database.
 */
export async function addVersion(
  securableId: string,
  userId: string,
  transaction: Knex.Transaction,
): Promise<void> {
  await transaction.raw(
    `insert into securableversion (id, name, contents, css, securable_id, user_id, created_at, updated_at)
     select gen_random_uuid(), name, contents, css, id, ?::uuid, clock_timestamp(), clock_timestamp()
       from securable where id = ?::uuid and type = 'dashboard'`,
    [userId, securableId],
  );
  await transaction.raw(
    `delete from securableversion where id in (
       select id from securableversion where securable_id = ?::uuid and environment is null
        order by (created_at = max(created_at) over ()) desc, title is null, created_at desc, id offset ?)`,
    [securableId, limits.versionCount],
  );
}
