import type { Migration } from "./migration.ts";

/** Adds the titles that people give to versions of dashboards. */
export const versionTitles: Migration = {
  name: "010VersionTitles",
  async up(knex) {
    await knex.raw("alter table securableversion add column title text");
  },
};
