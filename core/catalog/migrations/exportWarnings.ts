import type { Migration } from "./migration.ts";

/** Adds the warnings of the query to the files that jobs write. */
export const exportWarnings: Migration = {
  name: "004ExportWarnings",
  async up(knex) {
    await knex.raw("alter table exportfile add column warnings jsonb");
  },
};
