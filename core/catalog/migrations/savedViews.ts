import type { Migration } from "./migration.ts";

/** Adds saved views: what a person chose in a dashboard, under a name. */
export const savedViews: Migration = {
  name: "006SavedViews",
  async up(knex) {
    await knex.raw(`
      create table savedview (
        id uuid primary key,
        name text not null,
        state jsonb not null,
        shared boolean not null,
        is_default boolean not null,
        securable_id uuid not null references securable on delete cascade,
        user_id uuid not null references "user" on delete cascade,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );
      create index savedview_by_securable_id on savedview (securable_id, created_at);
      create index savedview_by_user_id on savedview (user_id);
    `);
  },
};
