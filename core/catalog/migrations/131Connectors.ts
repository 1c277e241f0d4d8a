import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- What the connector of an account declares, where its provider is no plugin.
    alter table account add column connector_properties jsonb;

    -- The parameters of a dataset that is a statement.
    alter table securable add column source_parameters jsonb;

    -- The place of a column in its source, and since when the source does not have it any more.
    alter table "column" add column source_order double precision;
    alter table "column" add column missing_since timestamptz;
    update "column" c set source_order = c."order"
      from securable s where s.id = c.securable_id and s.storage = 'client' and c.source_name is not null;
  `);
}
