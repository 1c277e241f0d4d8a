import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- Rises with every change of records that queries look up; hosts remember those records under it. It is in the
    -- row of the other version, so that transactions which raise both wait for one lock.
    alter table access_version add column catalog_version bigint not null default 0;
    create function raise_catalog_version() returns trigger language plpgsql as $$
      begin
        -- Once a transaction, however many rows it changed.
        if current_setting('manifold.raised_by', true) is distinct from pg_current_xact_id()::text then
          update access_version set catalog_version = catalog_version + 1;
          perform set_config('manifold.raised_by', pg_current_xact_id()::text, true);
        end if;
        return null;
      end
    $$;
    do $$
      declare
        changed text;
        events text;
      begin
        for changed in
          select tablename from pg_tables
           where schemaname = current_schema()
             -- What calls write as they go, and what no query looks up. Tokens have the version of their own.
             and tablename not in ('migration', 'access_version', 'authorization', 'outbox', 'auditevent',
                                   'share', 'sharestatistic', 'user_password', 'end_user')
        loop
          -- Nobody asks as a user who is not there yet; users come in masses, with the tokens of browsers.
          events := case when changed in ('user', 'organization_user') then '' else 'insert or ' end;
          -- Deferred: the lock on the version is held for the commit alone, not for the time of a push.
          execute format(
            'create constraint trigger catalog_changed after %supdate or delete on %I
             deferrable initially deferred for each row execute function raise_catalog_version()',
            events, changed);
        end loop;
      end
    $$;
  `);
}
