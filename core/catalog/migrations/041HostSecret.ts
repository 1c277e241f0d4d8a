import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- A text sealed with the host's secret, by which a start sees that it has another one. No query looks it up.
    create table host_secret (
      id boolean primary key default true check (id),
      sealed text not null
    );
  `);
}
