import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    alter table schedule
      -- The form of the file that its slots send.
      add column export jsonb,
      -- The user who made it or took it over. Its exports run while that is its user, so that nobody sends with the
      -- rights of another one. Schedules that were made before have nobody.
      add column confirmed_by uuid references "user" on delete set null;
    create index schedule_by_confirmed_by on schedule (confirmed_by);

    create table schedule_channel (
      schedule_id uuid not null references schedule on delete cascade,
      channel_id uuid not null references channel on delete cascade,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (schedule_id, channel_id)
    );
    create index schedule_channel_by_channel_id on schedule_channel (channel_id);

    -- One slot of a schedule that sends a dashboard. The id follows from schedule and slot.
    create table exportevent (
      id uuid primary key,
      schedule_id uuid not null references schedule on delete cascade,
      slot_at timestamptz not null,
      started_at timestamptz not null,
      completed_at timestamptz not null,
      outcome text not null,
      reason text,
      type text,
      size_bytes double precision,
      user_id uuid not null references "user" on delete cascade,
      -- The file, sealed, for as long as its messages may be sent.
      content text,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      unique (schedule_id, slot_at)
    );
    create index exportevent_by_completed_at on exportevent (completed_at);
    create index exportevent_by_content on exportevent (completed_at) where content is not null;
    create index exportevent_by_user_id on exportevent (user_id);

    alter table delivery add column exportevent_id uuid references exportevent on delete cascade;
    -- Each address gets one message, over how many channels it may come; without addresses, each channel.
    create unique index delivery_by_exportevent_id
      on delivery (exportevent_id, coalesce(recipient, channel_id::text, '')) where exportevent_id is not null;

    -- A file for the recipients of a schedule has no token: it ends with its user.
    alter table exportfile alter column authorization_id drop not null;
  `);
}
