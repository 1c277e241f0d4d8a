import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- The promises of a plugin that do not hold for a column of a live dataset; null where all hold.
    alter table "column" add column narrowed jsonb;
  `);
}
