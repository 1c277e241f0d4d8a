import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- Filters on the rows of a dataset that come with a share of it.
    alter table securable_user add column filters jsonb;
    alter table securable_group add column filters jsonb;
    alter table securable_integration add column filters jsonb;
    create or replace view securable_access as
      select l.* from securable_user l join securable r on r.id = l.securable_id where r.owner_id <> l.user_id
      union all
      select id, owner_id, true, true, true, true, created_at, created_at, null from securable;
    create index securable_user_filtered on securable_user (user_id, securable_id) where filters is not null;
    create index securable_group_filtered on securable_group (securable_id) where filters is not null;
    create index securable_integration_filtered on securable_integration (securable_id) where filters is not null;

    -- What a user made on the record of another does not go with the user.
    alter table "column" drop constraint column_user_id_fkey,
      add foreign key (user_id) references "user" on delete set null;
    alter table hierarchylevel alter column user_id drop not null, drop constraint hierarchylevel_user_id_fkey,
      add foreign key (user_id) references "user" on delete set null;
    -- A connection is not taken from under its datasets, nor a plugin from under its connections.
    alter table securable drop constraint securable_account_id_fkey,
      add foreign key (account_id) references account;
    alter table account drop constraint account_plugin_id_fkey,
      add foreign key (plugin_id) references plugin;

    -- What owners of the organization set for a user, and who did.
    alter table "user"
      add column account_overrides text,
      add column parameter_overrides text,
      add column metadata jsonb,
      add column overrides_by uuid references "user" on delete set null;
    create index user_by_overrides_by on "user" (overrides_by);
    create constraint trigger user_overridden
      after update of account_overrides, parameter_overrides, metadata, overrides_by on "user"
      deferrable initially deferred for each row execute function raise_access_version();

    -- A password and the e-mail address that it goes with, in the form in which the two are compared.
    create table user_password (
      user_id uuid primary key references "user" on delete cascade,
      email text not null,
      salt bytea not null,
      hash bytea not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create index user_password_by_email on user_password (email);

    alter table share
      add column view_count double precision not null default 0,
      add column query_count double precision not null default 0,
      add column last_viewed_at timestamptz;
    create table sharestatistic (
      id uuid primary key default gen_random_uuid(),
      share_id text not null references share on delete cascade,
      day text not null,
      view_count double precision not null default 0,
      query_count double precision not null default 0,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (share_id, day)
    );
  `);
}
