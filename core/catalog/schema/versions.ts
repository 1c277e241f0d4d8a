/** Versions of the catalog, and the triggers that increase them with every change. */
export const versions = `
  -- Versions by which hosts cache records. version increases with every change that may end or narrow a token, and
  -- catalog_version with every change of records that queries look up. structure_version does too, except when rows are
  -- pushed to a dataset. One row holds all three, so that transactions that increase several wait for one lock.
  create table access_version (
    id boolean primary key default true check (id),
    version bigint not null,
    catalog_version bigint not null default 0,
    structure_version bigint not null default 0
  );

  insert into access_version (version) values (0);

  -- Columns and links that decide what a token may do.
  create function raise_access_version() returns trigger language plpgsql as $$
    begin
      update access_version set version = version + 1;
      return null;
    end
  $$;
  create constraint trigger authorization_changed
    after delete or update of type, expiry, token_hash, user_id, maker_id, deleted_at on "authorization"
    deferrable initially deferred for each row when (old.expiry > now())
    execute function raise_access_version();
  create constraint trigger user_changed
    after delete or update of name, email, suborganization on "user"
    deferrable initially deferred for each row execute function raise_access_version();
  create constraint trigger organization_user_changed
    after delete or update on organization_user
    deferrable initially deferred for each row execute function raise_access_version();
  create constraint trigger user_overridden
    after update of account_overrides, parameter_overrides, metadata, overrides_by on "user"
    deferrable initially deferred for each row execute function raise_access_version();
  create constraint trigger user_features_changed
    after update of feature_overrides on "user"
    deferrable initially deferred for each row
    when (old.feature_overrides is distinct from new.feature_overrides)
    execute function raise_access_version();
  create constraint trigger organization_changed
    after update of require_second_factor on organization
    deferrable initially deferred for each row execute function raise_access_version();
  create constraint trigger organization_addresses_changed
    after update of allowed_addresses on organization
    deferrable initially deferred for each row execute function raise_access_version();

  create function raise_catalog_version() returns trigger language plpgsql as $$
    declare
      counted constant text[] := array['rows', 'shared_storage_version', 'shared_storage_metadata', 'cardinality',
        'minimum', 'maximum', 'minBound', 'maxBound', 'modifier_id', 'modified_at', 'updated_at'];
      transaction_id constant text := pg_current_xact_id()::text;
      is_structure boolean := true;
    begin
      if tg_op = 'UPDATE' and tg_table_name in ('securable', 'column') then
        -- The copy of a live dataset is read with its record.
        is_structure := to_jsonb(new) ->> 'storage' is not distinct from 'client'
          or to_jsonb(new) - counted is distinct from to_jsonb(old) - counted;
      end if;
      -- Each version increases once per transaction, however many rows changed.
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

  -- The tables whose records queries look up; calls, evaluations and deliveries do not write to them. Tokens have their
  -- own version. The triggers are deferred, so that the lock on the version is held only for the commit, not for the
  -- time of a push.
  do $$
    declare
      remembered constant text[] := array[
        'acceleration', 'account', 'account_group', 'account_user', 'alert_channel', 'channel_organization',
        'channel_user', 'collection', 'collection_group', 'collection_securable', 'collection_user',
        'column', 'column_joins', 'country', 'currency', 'customchart', 'customchartversion',
        'embedfiltergroup', 'embedfiltergroup_securable', 'formula', 'formula_group', 'formula_user',
        'group', 'group_user', 'hierarchy_element', 'hierarchylevel', 'integration', 'integration_group',
        'integration_user', 'locale', 'organization', 'organization_thumbnail', 'plugin',
        'plugin_organization', 'plugin_thumbnail', 'plugin_user', 'quota', 'reference_version', 'securable',
        'securable_dataset', 'securable_favorite', 'securable_formula', 'securable_group',
        'securable_integration', 'securable_tag', 'securable_thumbnail', 'securable_user',
        'securableversion', 'ssoconfig', 'tag', 'theme', 'thumbnail', 'timezone', 'user_thumbnail'];
      changed text;
    begin
      foreach changed in array remembered loop
        execute format(
          'create constraint trigger catalog_changed after insert or update or delete on %I
           deferrable initially deferred for each row execute function raise_catalog_version()', changed);
      end loop;
      -- Nobody queries as a user who was just inserted, and embed tokens insert many users.
      foreach changed in array array['user', 'organization_user'] loop
        execute format(
          'create constraint trigger catalog_changed after update or delete on %I
           deferrable initially deferred for each row execute function raise_catalog_version()', changed);
      end loop;
    end
  $$;
`;
