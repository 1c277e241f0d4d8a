import { defaultTimes, rights, times } from "./sharedColumns.ts";

/** Tables for datasets and dashboards (the securables), and for their columns. */
export const datasets = `
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
    -- The parameters of a dataset that is a statement.
    source_parameters jsonb,
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
    account_id uuid references account,
    modifier_id uuid references "user" on delete set null,
    owner_id uuid not null references "user" on delete cascade,
    modified_at timestamptz not null,
    ${times}
  );
  create index securable_by_account_id on securable (account_id);
  create index securable_by_original_id on securable (original_id);
  create index securable_by_modifier_id on securable (modifier_id);
  create index securable_by_acceleration_id on securable (acceleration_id);
  create index securable_by_owner_id on securable (owner_id) include (id);
  -- The members that a page filters and sorts by, so that thousands of shared records need not be read.
  create index securable_by_id on securable (id)
    include (type, is_variant, modified_at, owner_id);
  create index securable_by_metadata_sync on securable (last_metadata_sync_attempt_at)
    where (storage = 'client') and meta_sync_enabled;

  create table securable_user (
    securable_id uuid not null references securable on delete cascade,
    user_id uuid not null references "user" on delete cascade,
    ${rights},
    ${defaultTimes},
    -- Filters on the rows of the dataset that come with the share.
    filters jsonb,
    primary key (securable_id, user_id)
  );
  create index securable_user_by_user_id on securable_user (user_id, securable_id)
    include ("flagRead", "flagUse", "flagModify", "flagOwn");
  create index securable_user_filtered on securable_user (user_id, securable_id)
    where filters is not null;

  create table securable_group (
    securable_id uuid not null references securable on delete cascade,
    group_id uuid not null references "group" on delete cascade,
    ${rights},
    published boolean not null default false,
    filters jsonb,
    ${defaultTimes},
    primary key (securable_id, group_id)
  );
  create index securable_group_by_group_id on securable_group (group_id, securable_id)
    include ("flagRead", "flagUse", "flagModify", "flagOwn");
  create index securable_group_filtered on securable_group (securable_id)
    where filters is not null;

  create view securable_access as
    select l.* from securable_user l join securable r on r.id = l.securable_id where r.owner_id <> l.user_id
    union all
    select id, owner_id, true, true, true, true, created_at, created_at, null from securable;

  create table "column" (
    id uuid primary key,
    name jsonb,
    description jsonb,
    "order" double precision not null,
    source_name text,
    -- The position of the column in its source, and since when the source no longer has it.
    source_order double precision,
    missing_since timestamptz,
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
    user_id uuid references "user" on delete set null,
    -- The promises of a plugin that do not hold for a column of a live dataset; null if all hold.
    narrowed jsonb,
    ${times}
  );
  create index column_by_securable_id on "column" (securable_id);
  create index column_by_user_id on "column" (user_id);

  create table column_joins (
    column_id uuid not null references "column" on delete cascade,
    joins_id uuid not null references "column" on delete cascade,
    type text not null default 'exact',
    ${defaultTimes},
    primary key (column_id, joins_id)
  );
  create index column_joins_by_joins_id on column_joins (joins_id);

  -- Columns of a source that an owner removed from the dataset. Only an owner can add them again. Names are as sources
  -- compare them.
  create table removed_column (
    securable_id uuid not null references securable on delete cascade,
    source_name text not null,
    primary key (securable_id, source_name)
  );

  create table hierarchylevel (
    id uuid primary key,
    name jsonb,
    level double precision not null,
    color text,
    column_id uuid references "column" on delete cascade,
    user_id uuid references "user" on delete set null,
    ${times}
  );
  create index hierarchylevel_by_column_id on hierarchylevel (column_id);
  create index hierarchylevel_by_user_id on hierarchylevel (user_id);

  create table hierarchy_element (
    column_id uuid not null references "column" on delete cascade,
    value text not null,
    name jsonb,
    color text,
    virtual boolean not null,
    trace jsonb,
    level double precision,
    "subTreeLevel" double precision,
    ${defaultTimes},
    primary key (column_id, value)
  );

  create table securableversion (
    id uuid primary key,
    name jsonb,
    contents jsonb,
    css text,
    environment text,
    securable_id uuid not null references securable on delete cascade,
    user_id uuid references "user" on delete set null,
    ${times},
    unique (securable_id, environment) deferrable initially deferred
  );
  create index securableversion_by_securable_id on securableversion (securable_id, created_at);
  create index securableversion_by_user_id on securableversion (user_id);

  create table securable_dataset (
    dashboard_id uuid not null references securable on delete cascade,
    dataset_id uuid not null references securable on delete cascade,
    ${defaultTimes},
    primary key (dashboard_id, dataset_id)
  );
  create index securable_dataset_by_dataset_id on securable_dataset (dataset_id, dashboard_id);

  create table securable_favorite (
    securable_id uuid not null references securable on delete cascade,
    favorite_id uuid not null references securable on delete cascade,
    user_id uuid not null references "user" on delete cascade,
    ${defaultTimes},
    primary key (securable_id, favorite_id, user_id)
  );
  create index securable_favorite_by_favorite_id on securable_favorite (favorite_id);
  create index securable_favorite_by_user_id on securable_favorite (user_id);

  -- Bytes of the values pushed to a dataset, before compression.
  create table datasetsize (
    securable_id uuid primary key references securable on delete cascade,
    byte_count bigint not null
  );
`;
