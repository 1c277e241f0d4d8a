import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- The destination for which the secrets of an account were entered, sealed. Null: of a host before this column.
    alter table account add column confirmed_for text;
    -- How the connection was protected when the source last accepted it: verified, encrypted or clear. Null: not known,
    -- or there is no network between.
    alter table account add column encryption text;
  `);
}
