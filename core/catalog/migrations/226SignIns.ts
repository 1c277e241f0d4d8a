import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- The begin of each session, by which lists of users say when somebody signed in last.
    create index auditevent_of_sign_ins on auditevent (user_id, created_at)
      where resource = 'authorization' and action = 'create' and record_id = authorization_id::text;
  `);
}
