import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- The secrets that hosts of this catalog have or had, by the id that sealed texts and marks carry. No query looks it
    -- up, so it does not raise the version of the catalog.
    create table secret_key (
      id text primary key,
      -- The key of marks, sealed: events of the audit verify when the secret itself is gone.
      mark_key text not null,
      created_at timestamptz not null default now(),
      -- A rotation found nothing that it sealed.
      emptied_at timestamptz,
      -- A host started without it, and missed nothing.
      closed_at timestamptz,
      -- What it sealed was given up.
      lost_at timestamptz
    );
  `);
}
