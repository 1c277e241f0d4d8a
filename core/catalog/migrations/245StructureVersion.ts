import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- As catalog_version, but rows that are pushed to a dataset do not raise it: of that dataset they change what is
    -- counted, and nothing else.
    alter table access_version add column structure_version bigint not null default 0;
    create or replace function raise_catalog_version() returns trigger language plpgsql as $$
      declare
        counted constant text[] := array['rows', 'shared_storage_version', 'shared_storage_metadata', 'cardinality',
          'minimum', 'maximum', 'minBound', 'maxBound', 'modifier_id', 'modified_at', 'updated_at'];
        transaction_id constant text := pg_current_xact_id()::text;
        is_structure boolean := true;
      begin
        if tg_op = 'UPDATE' and tg_table_name in ('securable', 'column') then
          -- What a copy of a live dataset holds is read with its record.
          is_structure := to_jsonb(new) ->> 'storage' is not distinct from 'client'
            or to_jsonb(new) - counted is distinct from to_jsonb(old) - counted;
        end if;
        -- Each version once a transaction, however many rows it changed.
        if is_structure and current_setting('manifold.structure_raised_by', true) is distinct from transaction_id then
          update access_version set structure_version = structure_version + 1;
          perform set_config('manifold.structure_raised_by', transaction_id, true);
        end if;
        if current_setting('manifold.raised_by', true) is distinct from transaction_id then
          update access_version set catalog_version = catalog_version + 1;
          perform set_config('manifold.raised_by', transaction_id, true);
        end if;
        return null;
      end
    $$;
  `);
}
