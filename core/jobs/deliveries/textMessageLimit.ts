import type { Knex } from "knex";

/**
 * Counts one text message against the number that a user's organization may send per UTC day. Resolves to false if the
 * limit is reached. The limit is exact across all hosts, and failed attempts count too.
 */
export async function takeTextMessage(
  knex: Knex,
  userId: string,
  perDay: number,
  nowMs: number,
): Promise<boolean> {
  const day = new Date(nowMs).toISOString().slice(0, 10);
  const { rows }: { rows: unknown[] } = await knex.raw(
    `insert into textmessage_day as d (organization_id, day, count)
     select organization_id, ?::date, 1 from organization_user where user_id = ? and ? > 0 limit 1
     on conflict (organization_id, day) do update set count = d.count + 1 where d.count < ?
     returning d.count`,
    [day, userId, perDay, perDay],
  );
  return rows.length > 0;
}
