import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- Sign-ins that failed, by a hash of the e-mail address: what is owed, and when that was so.
    create table sign_in_limit (
      digest bytea primary key,
      owed double precision not null,
      at timestamptz not null
    );
    create index sign_in_limit_by_at on sign_in_limit (at);
  `);
}
