import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- One message that reports many evaluations to one recipient of a channel. It takes deliveries until it is closed.
    create table digest (
      id uuid primary key,
      channel_id uuid not null references channel on delete cascade,
      recipient text,
      opened_at timestamptz not null default now(),
      closed_at timestamptz
    );
    create unique index digest_is_open on digest (channel_id, (coalesce(recipient, ''))) where closed_at is null;
    create index digest_by_channel_id on digest (channel_id);
    create index digest_by_opened_at on digest (opened_at);

    alter table delivery add column digest_id uuid references digest on delete set null;
    create index delivery_by_digest_id on delivery (digest_id) where digest_id is not null;

    -- The messages of a channel in the last minute are counted; a channel keeps months of them.
    drop index delivery_by_channel_id;
    create index delivery_by_channel_id on delivery (channel_id, created_at);
  `);
}
