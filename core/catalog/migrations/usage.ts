import type { Migration } from "./migration.ts";

/** Adds the usage of organizations by month: what people did, and who they were. */
export const usage: Migration = {
  name: "005Usage",
  async up(knex) {
    await knex.raw(`
      -- The UUID of zeros and the empty string stand for none, because a key has no nulls.
      create table usage_count (
        organization_id uuid not null references organization on delete cascade,
        month text not null,
        integration_id uuid not null,
        suborganization text not null,
        securable_id uuid not null,
        kind text not null,
        amount bigint not null,
        primary key (organization_id, month, integration_id, suborganization, securable_id, kind)
      );
      create index usage_count_by_month on usage_count (month);

      -- Deleting a user leaves the rows, so that a month's count of viewers stays as it was billed.
      create table usage_viewer (
        organization_id uuid not null references organization on delete cascade,
        month text not null,
        integration_id uuid not null,
        suborganization text not null,
        securable_id uuid not null,
        viewer_id uuid not null,
        primary key (organization_id, month, integration_id, suborganization, securable_id, viewer_id)
      );
      create index usage_viewer_by_month on usage_viewer (month);

      -- Batches that were written, so that a batch whose answer was lost is not counted twice.
      create table usage_batch (
        id uuid primary key,
        created_at timestamptz not null default now()
      );
      create index usage_batch_by_created_at on usage_batch (created_at);
    `);
  },
};
