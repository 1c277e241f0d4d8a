import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- Rights beyond reading that the credentials had at their last probe.
    alter table account add column access_warnings jsonb;
  `);
}
