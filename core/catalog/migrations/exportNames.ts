import type { Migration } from "./migration.ts";

/** Adds the names of the files that jobs write. */
export const exportNames: Migration = {
  name: "007ExportNames",
  async up(knex) {
    await knex.raw("alter table exportfile add column name text");
  },
};
