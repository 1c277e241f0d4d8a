import type { Migration } from "./migration.ts";

/** Adds what a reader had chosen in the dashboard from which an alert was created. */
export const dashboardStates: Migration = {
  name: "013DashboardStates",
  async up(knex) {
    await knex.raw("alter table alert add column dashboard_state jsonb");
  },
};
