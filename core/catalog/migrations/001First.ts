import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    create table organization (
      id uuid primary key,
      name jsonb not null,
      custom_metadata jsonb,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );

    create table "user" (
      id uuid primary key,
      email text not null,
      name text,
      city text,
      phone text,
      company text,
      role text,
      suborganization text,
      theme jsonb,
      locale text,
      locale_id text,
      timezone_id text,
      custom_metadata jsonb,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );

    create table organization_user (
      organization_id uuid not null references organization on delete cascade,
      user_id uuid primary key references "user" on delete cascade,
      "flagMember" boolean not null default true,
      "flagEditor" boolean not null default false,
      "flagOwn" boolean not null default false,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create index organization_user_by_organization_id on organization_user (organization_id);

    create table "authorization" (
      id uuid primary key,
      type text not null,
      description text,
      expiry timestamptz not null,
      token_hash bytea not null,
      user_id uuid not null references "user" on delete cascade,
      inactivity_interval double precision,
      screenmode text,
      environment text,
      locale_id text,
      timezone_id text,
      currency_id text,
      integration_id uuid,
      theme_id uuid,
      last_used_at timestamptz,
      deleted_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create index authorization_by_user_id on "authorization" (user_id);

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
      created_at timestamptz not null,
      updated_at timestamptz not null,
      unique (organization_id, slug)
    );
    create index plugin_by_user_id on plugin (user_id);

    create table plugin_organization (
      plugin_id uuid not null references plugin on delete cascade,
      organization_id uuid not null references organization on delete cascade,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (plugin_id, organization_id)
    );
    create index plugin_organization_by_organization_id on plugin_organization (organization_id);

    create table plugin_user (
      plugin_id uuid not null references plugin on delete cascade,
      user_id uuid not null references "user" on delete cascade,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (plugin_id, user_id)
    );
    create index plugin_user_by_user_id on plugin_user (user_id);

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
      plugin_id uuid references plugin on delete set null,
      user_id uuid not null references "user" on delete cascade,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create index account_by_user_id on account (user_id);
    create index account_by_plugin_id on account (plugin_id);

    create table account_user (
      account_id uuid not null references account on delete cascade,
      user_id uuid not null references "user" on delete cascade,
      "flagRead" boolean not null default true,
      "flagUse" boolean not null default false,
      "flagModify" boolean not null default false,
      "flagOwn" boolean not null default false,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (account_id, user_id)
    );
    create index account_user_by_user_id on account_user (user_id);

    create table securable (
      id uuid primary key,
      type text not null,
      subtype text,
      name jsonb,
      description jsonb,
      subtitle jsonb,
      custom_metadata jsonb,
      ai_context text,
      contents jsonb,
      css text,
      source_dataset text,
      source_sheet text,
      source_query text,
      transformation text,
      rows double precision,
      featured boolean not null,
      derived boolean not null,
      cache double precision not null,
      storage text,
      is_variant boolean not null,
      migrated_rows double precision,
      uses_strata_experimental boolean not null,
      meta_sync_interval double precision not null,
      meta_sync_inherit boolean not null,
      meta_sync_enabled boolean not null,
      last_metadata_sync_at timestamptz,
      last_metadata_sync_attempt_at timestamptz,
      shared_storage_version uuid,
      shared_storage_metadata jsonb,
      storage_location_override text,
      original_id uuid references securable on delete set null,
      acceleration_id uuid,
      template_id uuid,
      source_template_id uuid,
      account_id uuid references account on delete set null,
      modifier_id uuid references "user" on delete set null,
      owner_id uuid not null references "user" on delete cascade,
      modified_at timestamptz not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create index securable_by_owner_id on securable (owner_id);
    create index securable_by_account_id on securable (account_id);
    create index securable_by_original_id on securable (original_id);
    create index securable_by_modifier_id on securable (modifier_id);

    create table securable_user (
      securable_id uuid not null references securable on delete cascade,
      user_id uuid not null references "user" on delete cascade,
      "flagRead" boolean not null default true,
      "flagUse" boolean not null default false,
      "flagModify" boolean not null default false,
      "flagOwn" boolean not null default false,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (securable_id, user_id)
    );
    create index securable_user_by_user_id on securable_user (user_id);

    create table "column" (
      id uuid primary key,
      name jsonb,
      description jsonb,
      "order" double precision not null,
      source_name text,
      type text not null,
      subtype text,
      format text,
      informat text,
      "isLabel" boolean not null,
      hidden boolean not null,
      "lowestLevel" double precision,
      "highestLevel" double precision,
      expression text,
      width double precision,
      colors_enabled boolean not null,
      hierarchy_enabled boolean not null,
      ordering_enabled boolean not null,
      currency_id text,
      duration_levels jsonb,
      duration_format text,
      custom_metadata jsonb,
      ai_context text,
      previous_datetime_informat text,
      color text,
      prefix text,
      suffix text,
      "minBound" double precision,
      "maxBound" double precision,
      cardinality double precision,
      minimum double precision,
      maximum double precision,
      derivation text,
      version double precision not null,
      aggregation_type text,
      custom_aggregations jsonb,
      aggregation_id uuid,
      timezone_id text,
      securable_id uuid references securable on delete cascade,
      user_id uuid references "user" on delete cascade,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create index column_by_securable_id on "column" (securable_id);
    create index column_by_user_id on "column" (user_id);

    create table column_joins (
      column_id uuid not null references "column" on delete cascade,
      joins_id uuid not null references "column" on delete cascade,
      type text not null default 'exact',
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (column_id, joins_id)
    );
    create index column_joins_by_joins_id on column_joins (joins_id);

    create view securable_access as
      select l.* from securable_user l join securable r on r.id = l.securable_id where r.owner_id <> l.user_id
      union all
      select id, owner_id, true, true, true, true, created_at, created_at from securable;

    create view account_access as
      select l.* from account_user l join account r on r.id = l.account_id where r.user_id <> l.user_id
      union all
      select id, user_id, true, true, true, true, created_at, created_at from account;

    create view plugin_access as
      select l.* from plugin_user l join plugin r on r.id = l.plugin_id where r.user_id <> l.user_id
      union all
      select id, user_id, created_at, created_at from plugin;
  `);
}
