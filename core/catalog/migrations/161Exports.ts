import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- A file that a job writes: it leaves with its user and with the token that asked for it.
    create table exportfile (
      id uuid primary key,
      organization_id uuid not null references organization on delete cascade,
      user_id uuid not null references "user" on delete cascade,
      authorization_id uuid not null references "authorization" on delete cascade,
      status text not null check (status in ('waiting', 'running', 'done', 'failed')),
      -- What is exported, until it is done.
      request jsonb,
      type text not null,
      cell_count double precision,
      -- Bytes on the disk of the host, so far.
      size_bytes double precision not null default 0,
      failure text,
      expires_at timestamptz not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      completed_at timestamptz
    );
    create index exportfile_by_organization_id on exportfile (organization_id);
    create index exportfile_by_user_id on exportfile (user_id);
    create index exportfile_by_authorization_id on exportfile (authorization_id);
    create index exportfile_by_expires_at on exportfile (expires_at);
  `);
}
