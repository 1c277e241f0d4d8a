import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- What the conformance kit found when it last checked the plugin.
    alter table plugin
      add column verification text not null default 'unchecked',
      add column checked_at timestamptz,
      add column check_report jsonb,
      -- A hash of what the plugin declared then.
      add column checked_declaration text;
  `);
}
