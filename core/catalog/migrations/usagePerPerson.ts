import type { Migration } from "./migration.ts";

/** Adds what each person did to the people whom the host counts by month. Zero for months before this step. */
export const usagePerPerson: Migration = {
  name: "011UsagePerPerson",
  async up(knex) {
    await knex.raw(`
      alter table usage_viewer
        add column view_count bigint not null default 0,
        add column question_count bigint not null default 0,
        add column export_count bigint not null default 0,
        add column model_call_count bigint not null default 0;
    `);
  },
};
