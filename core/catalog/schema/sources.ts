import { defaultTimes, rights, times } from "./sharedColumns.ts";

/** Tables for plugins, and for the accounts that connect to sources. */
export const sources = `
  create table plugin (
    id uuid primary key,
    slug text not null,
    name jsonb not null,
    description jsonb,
    base_url text not null,
    pushdown boolean not null,
    authorize text not null,
    properties jsonb,
    protocol_version text,
    -- The version that the plugin at base_url answered when the host last asked. Null until it has answered.
    answered_version text,
    search boolean not null,
    supports_distinctcount boolean not null,
    supports_order_limit boolean not null,
    supports_join boolean not null,
    supports_like boolean not null,
    supports_nested_filters boolean not null,
    supports_sql boolean not null,
    tiles boolean not null,
    color text,
    url text,
    license text,
    public boolean not null,
    reviewed boolean not null,
    secret text not null,
    user_id uuid not null references "user" on delete cascade,
    organization_id uuid not null references organization on delete cascade,
    -- The result of the conformance kit's last check of the plugin.
    verification text not null default 'unchecked',
    checked_at timestamptz,
    check_report jsonb,
    -- A hash of the plugin's declaration at that time.
    checked_declaration text,
    -- The former secret. Both are valid until an instant.
    previous_secret text,
    previous_secret_until timestamptz,
    ${times},
    unique (organization_id, slug)
  );
  create index plugin_by_user_id on plugin (user_id);

  create table plugin_organization (
    plugin_id uuid not null references plugin on delete cascade,
    organization_id uuid not null references organization on delete cascade,
    ${defaultTimes},
    primary key (plugin_id, organization_id)
  );
  create index plugin_organization_by_organization_id on plugin_organization (organization_id);

  create table plugin_user (
    plugin_id uuid not null references plugin on delete cascade,
    user_id uuid not null references "user" on delete cascade,
    ${defaultTimes},
    primary key (plugin_id, user_id)
  );
  create index plugin_user_by_user_id on plugin_user (user_id);

  create view plugin_access as
    select l.* from plugin_user l join plugin r on r.id = l.plugin_id where r.user_id <> l.user_id
    union all
    select id, user_id, created_at, created_at from plugin;

  create table account (
    id uuid primary key,
    name jsonb,
    description jsonb,
    provider text not null,
    properties text,
    date timestamptz,
    expiry timestamptz,
    scope text,
    host text,
    port text,
    identifier text,
    token text,
    code text,
    active boolean not null,
    invalid boolean not null,
    cache double precision not null,
    datasets_meta_sync_enabled boolean not null,
    datasets_meta_sync_interval double precision not null,
    synced boolean not null,
    version text,
    shareable_id uuid not null unique,
    plugin_id uuid references plugin,
    user_id uuid not null references "user" on delete cascade,
    -- The properties that the account's connector declares, if its provider is not a plugin.
    connector_properties jsonb,
    -- Rights beyond reading that the credentials had at their last probe.
    access_warnings jsonb,
    -- The destination for which the account's secrets were entered, sealed.
    confirmed_for text,
    -- How the connection was protected when the source last accepted it: verified, encrypted or clear. Null if unknown,
    -- or if no network is involved.
    encryption text,
    ${times}
  );
  create index account_by_user_id on account (user_id);
  create index account_by_plugin_id on account (plugin_id);

  create table account_user (
    account_id uuid not null references account on delete cascade,
    user_id uuid not null references "user" on delete cascade,
    ${rights},
    ${defaultTimes},
    primary key (account_id, user_id)
  );
  create index account_user_by_user_id on account_user (user_id, account_id)
    include ("flagRead", "flagUse", "flagModify", "flagOwn");

  create table account_group (
    account_id uuid not null references account on delete cascade,
    group_id uuid not null references "group" on delete cascade,
    ${rights},
    ${defaultTimes},
    primary key (account_id, group_id)
  );
  create index account_group_by_group_id on account_group (group_id, account_id)
    include ("flagRead", "flagUse", "flagModify", "flagOwn");

  create view account_access as
    select l.* from account_user l join account r on r.id = l.account_id where r.user_id <> l.user_id
    union all
    select id, user_id, true, true, true, true, created_at, created_at from account;
`;
