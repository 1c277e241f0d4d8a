import type { Migration } from "./migration.ts";

/** Adds one-time links with which people choose a password. Only the hash of a link's secret is stored. */
export const passwordLinks: Migration = {
  name: "009PasswordLinks",
  async up(knex) {
    await knex.raw(`
      create table password_link (
        digest bytea primary key,
        user_id uuid not null references "user" on delete cascade,
        -- The address for which the link was made, in the form in which addresses are compared.
        email text not null,
        -- invitation, or password for a forgotten one.
        kind text not null,
        expires_at timestamptz not null,
        created_at timestamptz not null default now()
      );
      create index password_link_by_user_id on password_link (user_id);
      create index password_link_by_expires_at on password_link (expires_at);
    `);
  },
};
