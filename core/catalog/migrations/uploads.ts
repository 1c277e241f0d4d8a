import type { Migration } from "./migration.ts";

/** Adds the settings with which a file was read to its dataset, and the progress of uploads. */
export const uploads: Migration = {
  name: "003Uploads",
  async up(knex) {
    await knex.raw(`
      alter table securable add column file_settings jsonb;
      create table upload_progress (
        authorization_id uuid not null,
        request_id text not null,
        state text not null,
        received_bytes bigint not null,
        size_bytes bigint,
        row_count bigint not null,
        share double precision,
        updated_at timestamptz not null default now(),
        primary key (authorization_id, request_id)
      );
      create index upload_progress_by_updated_at on upload_progress (updated_at);
    `);
  },
};
