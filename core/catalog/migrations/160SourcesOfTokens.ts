import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- From where a token may be used; null for anywhere.
    alter table "authorization"
      add column allowed_origins jsonb,
      add column allowed_addresses jsonb;
  `);
}
