import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- Calls of the model and their tokens: of an organization or a user, in a day of UTC or a minute.
    create table assistant_usage (
      scope_id uuid not null,
      span text not null check (span in ('day', 'minute')),
      starts_at timestamptz not null,
      call_count integer not null,
      token_count bigint not null,
      primary key (scope_id, span, starts_at)
    );
    -- A conversation under a token of a browser goes on under that token alone, whose filters it was held under.
    alter table aiconversation add column authorization_id uuid;
  `);
}
