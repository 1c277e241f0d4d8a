import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- How many stages of hashing the stored hash has passed; those of before had one.
    alter table user_password add column stage_count smallint not null default 1;

    alter table "authorization"
      -- The second factor that the sign-in took; null for none.
      add column factor text,
      -- When the person proved who it is; null where a key pair or a provider stood for it.
      add column proved_at timestamptz,
      -- The User-Agent of the sign-in.
      add column device text;

    alter table organization add column require_second_factor boolean not null default false;
    create constraint trigger organization_changed
      after update of require_second_factor on organization
      deferrable initially deferred for each row execute function raise_access_version();

    -- Authenticator apps (secret, last_step) and passkeys (credential_id, public_key, counter). No query looks any of
    -- these tables up, so none raises the version of the catalog.
    create table second_factor (
      id uuid primary key,
      user_id uuid not null references "user" on delete cascade,
      type text not null,
      name text not null,
      secret text,
      last_step bigint,
      credential_id text unique,
      public_key bytea,
      counter bigint,
      last_used_at timestamptz,
      created_at timestamptz not null default now()
    );
    create index second_factor_by_user_id on second_factor (user_id);

    create table recovery_code (
      user_id uuid not null references "user" on delete cascade,
      hash bytea not null,
      primary key (user_id, hash)
    );

    -- Wrong codes of a person since the last right one, over all hosts.
    create table second_factor_wait (
      user_id uuid primary key references "user" on delete cascade,
      failed_count integer not null default 0,
      ends_at timestamptz not null default now()
    );

    -- Challenges that were used, so that none is used twice.
    create table used_challenge (
      hash bytea primary key,
      ends_at timestamptz not null
    );
    create index used_challenge_by_ends_at on used_challenge (ends_at);

    create index auditevent_by_failed_sign_in on auditevent (user_id, created_at)
      where action = 'sign_in_failed';

    -- The hash of the recovery key of the first owner.
    create table owner_recovery (
      id boolean primary key default true check (id),
      hash bytea not null,
      created_at timestamptz not null default now()
    );
  `);
}
