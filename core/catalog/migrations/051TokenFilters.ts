import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- Finds the tokens whose filters test a dataset, when one of its columns is changed.
    create index authorization_by_filters on "authorization" using gin (filters jsonb_path_ops)
      where filters is not null;
  `);
}
