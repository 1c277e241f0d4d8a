import type { Migration } from "./migration.ts";

/** Adds the progress of loads: the share of its rows that a load has copied. */
export const loadProgress: Migration = {
  name: "002LoadProgress",
  async up(knex) {
    await knex.raw("alter table datasetcopy add column progress double precision");
  },
};
