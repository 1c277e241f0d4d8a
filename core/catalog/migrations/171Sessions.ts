import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- The token with which a session of the console began, and with which it ends.
    alter table "authorization"
      add column parent_id uuid references "authorization" on delete cascade;
    create index authorization_by_parent_id on "authorization" (parent_id) where parent_id is not null;
  `);
}
