import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- Attempts at passwords and codes, by a hash of what they are counted for. The level rises with each failure and
    -- falls by one per hour; the next attempt waits until ends_at. failed_count is the series without a success.
    create table attempt_wait (
      digest bytea primary key,
      level double precision not null,
      failed_count integer not null,
      at timestamptz not null,
      ends_at timestamptz not null
    );
    create index attempt_wait_by_at on attempt_wait (at);

    -- Browsers that signed a user in, by a hash of the secret in their cookie.
    create table known_device (
      digest bytea not null,
      user_id uuid not null references "user" on delete cascade,
      used_at timestamptz not null,
      primary key (digest, user_id)
    );
    create index known_device_by_user on known_device (user_id, used_at);
  `);
}
