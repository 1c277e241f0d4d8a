import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- The ssoconfig by which a session began, and with which it ends.
    alter table "authorization"
      add column ssoconfig_id uuid references ssoconfig on delete cascade;
    create index authorization_by_ssoconfig_id on "authorization" (ssoconfig_id) where ssoconfig_id is not null;

    -- Persons of providers, and the users that they are. No query looks it or the next table up, so neither raises the
    -- version of the catalog.
    create table sign_on_identity (
      ssoconfig_id uuid not null references ssoconfig on delete cascade,
      issuer text not null,
      subject text not null,
      user_id uuid not null references "user" on delete cascade,
      created_at timestamptz not null default now(),
      primary key (ssoconfig_id, issuer, subject)
    );
    create index sign_on_identity_by_user_id on sign_on_identity (user_id);

    -- Answers of providers that were used, so that none is used twice.
    create table sign_on_state (
      hash bytea primary key,
      ends_at timestamptz not null
    );
    create index sign_on_state_by_ends_at on sign_on_state (ends_at);
  `);
}
