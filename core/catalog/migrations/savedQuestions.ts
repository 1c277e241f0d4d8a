import type { Migration } from "./migration.ts";

/** Adds saved questions: what a person asked about a dataset, under a name. */
export const savedQuestions: Migration = {
  name: "012SavedQuestions",
  async up(knex) {
    await knex.raw(`
      create table savedquestion (
        id uuid primary key,
        name text not null,
        question jsonb not null,
        shared boolean not null,
        securable_id uuid not null references securable on delete cascade,
        user_id uuid not null references "user" on delete cascade,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );
      create index savedquestion_by_securable_id on savedquestion (securable_id, created_at);
      create index savedquestion_by_user_id on savedquestion (user_id);
    `);
  },
};
