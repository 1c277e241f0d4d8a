import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- A delivery is one message to one recipient: of an evaluation, or about a channel that does not work. Without a
    -- channel it goes to the address of the user.
    alter table delivery
      alter column alertevent_id drop not null,
      alter column channel_id drop not null,
      add column user_id uuid references "user" on delete cascade,
      add column kind text not null default 'alert',
      add column recipient text,
      add column next_attempt_at timestamptz,
      add constraint delivery_goes_somewhere check (num_nonnulls(channel_id, user_id) = 1);
    drop index delivery_by_alertevent_id;
    create unique index delivery_by_alertevent_id
      on delivery (alertevent_id, channel_id, coalesce(recipient, '')) where alertevent_id is not null;
    create index delivery_by_user_id on delivery (user_id) where user_id is not null;

    alter table channel
      -- Failures since the last success, and until when the breaker holds messages back.
      add column failures double precision not null default 0,
      add column paused_until timestamptz,
      -- When the owner was told that it does not work.
      add column told_at timestamptz,
      -- Addresses that ended their messages.
      add column unsubscribed jsonb not null default '[]';

    -- Text messages of an organization by day of UTC: the limit of a day counts attempts.
    create table textmessage_day (
      organization_id uuid not null references organization on delete cascade,
      day date not null,
      count integer not null,
      primary key (organization_id, day)
    );

    -- Deliveries change channels as they go, and no query looks channels up.
    drop trigger catalog_changed on channel;

    alter table alertevent
      -- The user as whom it was asked, and what was found: kept for backtests, read by that user alone.
      add column user_id uuid references "user" on delete cascade,
      add column observation text;
    update alertevent e set user_id = a.user_id from alert a where a.id = e.alert_id;
    alter table alertevent alter column user_id set not null;
    create index alertevent_by_user_id on alertevent (user_id);
  `);
}
