import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- The host to whose folder the rows of a store belong, as long as it gives signs of life.
    create table store_host (
      store text primary key,
      folder_id uuid not null,
      place text not null,
      host_id uuid not null,
      expires_at timestamptz not null
    );
  `);
}
