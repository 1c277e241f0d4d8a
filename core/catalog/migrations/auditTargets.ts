import type { Migration } from "./migration.ts";

/** Adds an index, so that the events at whose other end a record stands are found as fast as its own. */
export const auditTargets: Migration = {
  name: "014AuditTargets",
  async up(knex) {
    await knex.raw("create index auditevent_by_target_id on auditevent ((target #>> '{id}'))");
  },
};
