import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- One message of an alert for one channel. The message is sealed, and gone once it has arrived.
    create table delivery (
      id uuid primary key,
      alertevent_id uuid not null references alertevent on delete cascade,
      channel_id uuid not null references channel on delete cascade,
      outcome text not null,
      attempts double precision not null,
      problem text,
      message text,
      completed_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create unique index delivery_by_alertevent_id on delivery (alertevent_id, channel_id);
    create index delivery_by_channel_id on delivery (channel_id);

    alter table channel add column disabled_reason text;
  `);
}
