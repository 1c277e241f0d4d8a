import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- The secret of a plugin before a change: both are good until an instant.
    alter table plugin
      add column previous_secret text,
      add column previous_secret_until timestamptz;

    -- From where people and api tokens of an organization may call; null for anywhere.
    alter table organization add column allowed_addresses jsonb;
    create constraint trigger organization_addresses_changed
      after update of allowed_addresses on organization
      deferrable initially deferred for each row execute function raise_access_version();
  `);
}
