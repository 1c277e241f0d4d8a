import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- Users and groups that a provider keeps by SCIM, as it described them. No query looks them up, so neither table
    -- raises the version of the catalog.
    create table provisioned_user (
      ssoconfig_id uuid not null references ssoconfig on delete cascade,
      user_id uuid not null references "user" on delete cascade,
      user_name text not null,
      external_id text,
      active boolean not null,
      described jsonb not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (ssoconfig_id, user_id)
    );
    create unique index provisioned_user_by_name on provisioned_user (ssoconfig_id, lower(user_name));
    create unique index provisioned_user_by_external_id on provisioned_user (ssoconfig_id, external_id);
    create index provisioned_user_by_user_id on provisioned_user (user_id);

    create table provisioned_group (
      ssoconfig_id uuid not null references ssoconfig on delete cascade,
      group_id uuid not null references "group" on delete cascade,
      external_id text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (ssoconfig_id, group_id)
    );
    create index provisioned_group_by_group_id on provisioned_group (group_id);
  `);
}
