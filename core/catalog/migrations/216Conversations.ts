import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- No query looks up conversations. Each answer of the assistant made every host read again what it remembered.
    drop trigger catalog_changed on aiconversation;
    drop trigger catalog_changed on aimessage;
    drop trigger catalog_changed on aimessageasset;
  `);
}
