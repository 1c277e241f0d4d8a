import type { Migration } from "./migration.ts";

/** Adds recurring quiet hours to alerts, and the time of day to alerts and schedules. */
export const quietHours: Migration = {
  name: "008QuietHours",
  async up(knex) {
    await knex.raw("alter table alert add column quiet_hours jsonb, add column time_of_day text");
    await knex.raw("alter table schedule add column time_of_day text");
  },
};
