import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    alter table alert
      add column notify text not null default 'every',
      add column "for" jsonb,
      add column keep_firing_for jsonb,
      add column instance_by jsonb,
      add column no_data text not null default 'ok',
      add column error text not null default 'keep',
      add column recovery jsonb,
      add column mute_until timestamptz,
      add column status text not null default 'ok',
      add column stopped_reason text,
      add column evaluated_at timestamptz,
      add column instances jsonb not null default '[]',
      add column is_of_token boolean not null default false,
      add column sticky_parameters text;

    -- One row for each slot of an alert that was evaluated.
    create table alertevent (
      id uuid primary key,
      alert_id uuid not null references alert on delete cascade,
      slot_at timestamptz not null,
      started_at timestamptz not null,
      completed_at timestamptz not null,
      outcome text not null,
      reason text,
      rows double precision,
      status_before text not null,
      status_after text not null,
      transitions jsonb not null,
      notices jsonb not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create unique index alertevent_by_slot on alertevent (alert_id, slot_at desc);

    -- Evaluations write them as they go, and no query looks them up.
    drop trigger catalog_changed on alert;
    drop trigger catalog_changed on schedule;

    create index schedule_by_scheduled_at on schedule (scheduled_at) where active;
  `);
}
