import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- Pushes whose callers named them, for a day: the same call again gets the same answer.
    create table push_request (
      authorization_id uuid not null,
      request_id text not null,
      digest text not null,
      -- Null while the push is under way, and when it ended without its answer.
      answer text,
      -- Of a push that ended without its answer: taken, or unknown.
      outcome text,
      securable_id uuid not null,
      created_at timestamptz not null default clock_timestamp(),
      primary key (authorization_id, request_id)
    );
    create index push_request_by_created_at on push_request (created_at);
    -- The call of a push, and how to know whether the store took its rows.
    alter table outbox add column authorization_id uuid;
    alter table outbox add column request_id text;
    alter table outbox add column rows_before bigint;
    alter table outbox add column rows_added bigint;
  `);
}
