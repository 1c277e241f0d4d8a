import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- What the store has to do for a change of the catalog; no foreign key, as the records are gone by then.
    create table outbox (
      id bigint generated always as identity primary key,
      action text not null,
      securable_id uuid not null,
      column_id uuid,
      attempt_count integer not null default 0,
      problem text,
      due_at timestamptz not null,
      created_at timestamptz not null default now()
    );
    create index outbox_by_due_at on outbox (due_at, id);
  `);
}
