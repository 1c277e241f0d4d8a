import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    alter table "authorization"
      add column maker_id uuid references "user" on delete cascade,
      add column username text,
      add column name text,
      add column email text,
      add column suborganization text,
      add column role text,
      add column access jsonb,
      add column securables jsonb,
      add column filters jsonb,
      add column parameter_overrides text,
      add column account_overrides text,
      add column hidden_columns jsonb,
      add column metadata jsonb,
      add column feature_overrides jsonb,
      add column iq jsonb,
      add column theme jsonb,
      add column css text,
      add column ip text,
      add column width double precision,
      add column height double precision,
      alter column theme_id type text;
    create index authorization_by_maker_id on "authorization" (maker_id);
    create index authorization_by_expiry on "authorization" (expiry) where type <> 'api';

    create table end_user (
      user_id uuid primary key references "user" on delete cascade,
      organization_id uuid not null references organization on delete cascade,
      username text not null,
      unique (organization_id, username)
    );

    create table embedfiltergroup (
      id uuid primary key,
      organization_id uuid not null unique references organization on delete cascade,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );

    create table embedfiltergroup_securable (
      embedfiltergroup_id uuid not null references embedfiltergroup on delete cascade,
      securable_id uuid not null references securable on delete cascade,
      filters jsonb not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (embedfiltergroup_id, securable_id)
    );
    create index embedfiltergroup_securable_by_securable_id on embedfiltergroup_securable (securable_id);

    create table auditevent (
      id uuid primary key,
      organization_id uuid not null,
      user_id uuid not null,
      authorization_id uuid not null,
      request_id text,
      action text not null,
      resource text not null,
      record_id text not null,
      members jsonb not null,
      target jsonb,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create index auditevent_by_organization_id on auditevent (organization_id, created_at);
    create index auditevent_by_record_id on auditevent (record_id);

    -- Rises with every change that may end or narrow a token; hosts keep what they know of tokens under it.
    create table access_version (
      id boolean primary key default true check (id),
      version bigint not null
    );
    insert into access_version (version) values (0);
    create function raise_access_version() returns trigger language plpgsql as $$
      begin
        update access_version set version = version + 1;
        return null;
      end
    $$;
    create constraint trigger authorization_changed
      after delete or update of type, expiry, token_hash, user_id, maker_id, deleted_at on "authorization"
      deferrable initially deferred for each row when (old.expiry > now())
      execute function raise_access_version();
    create constraint trigger user_changed
      after delete or update of name, email, suborganization on "user"
      deferrable initially deferred for each row execute function raise_access_version();
    create constraint trigger organization_user_changed
      after delete or update on organization_user
      deferrable initially deferred for each row execute function raise_access_version();
  `);
}
