import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- Limits that the operator set for an organization in the place of the settings.
    create table quota (
      organization_id uuid not null references organization on delete cascade,
      name text not null,
      soft bigint not null,
      hard bigint not null check (soft <= hard),
      primary key (organization_id, name)
    );
    -- What hosts took of the minute or the day under way; callers without an organization have a count too.
    create table quota_usage (
      organization_id uuid not null,
      name text not null,
      starts_at timestamptz not null,
      used bigint not null,
      -- What the last host took.
      granted bigint not null,
      primary key (organization_id, name, starts_at)
    );
    -- Places for queries that a host holds.
    create table quota_place (
      organization_id uuid not null,
      host_id uuid not null,
      place_count integer not null,
      expires_at timestamptz not null,
      primary key (organization_id, host_id)
    );
    -- Bytes of the values that were pushed to a dataset, whatever the store makes of them.
    create table datasetsize (
      securable_id uuid primary key references securable on delete cascade,
      byte_count bigint not null
    );
    -- Rows and bytes of a push under way, and whose they are.
    alter table outbox add column organization_id uuid;
    alter table outbox add column row_count bigint;
    alter table outbox add column byte_count bigint;
    create index outbox_by_organization_id on outbox (organization_id) where organization_id is not null;

    create constraint trigger catalog_changed after insert or update or delete on quota
      deferrable initially deferred for each row execute function raise_catalog_version();
  `);
}
