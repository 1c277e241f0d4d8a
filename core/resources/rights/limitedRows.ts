import type { Declaration } from "../kernel/index.ts";

/** Selects the datasets of other users that are shared with filters, so that a user sees only some of the rows. */
const limited = `
  select l.securable_id from securable_user l join securable r on r.id = l.securable_id
   where l.user_id = ? and l.filters is not null and r.owner_id <> ?
  union all
  select l.securable_id from securable_group l join securable r on r.id = l.securable_id
    join membership m on m.group_id = l.group_id
   where m.user_id = ? and l.filters is not null and r.owner_id <> ?
  union all
  select l.securable_id from securable_integration l join securable r on r.id = l.securable_id
    join integration_membership m on m.integration_id = l.integration_id
   where m.user_id = ? and l.filters is not null and r.owner_id <> ?`;

/**
 * Returns SQL that is true if a record's dataset (`key`) is shared with the caller under filters. The datasets are
 * looked up once per statement.
 */
export function limitedRows(key: string): NonNullable<Declaration["isLimited"]> {
  return (knex, alias, { userId }) =>
    knex.raw(`??.?? = any(array(${limited}))`, [alias, key, ...Array<string>(6).fill(userId)]);
}
