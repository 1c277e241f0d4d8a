import { defaultTimes, rights, times } from "./sharedColumns.ts";

/** Tables for collections, formulas, tags, themes, custom charts and thumbnails. */
export const content = `
  create table collection (
    id uuid primary key,
    name jsonb not null,
    favorite boolean not null,
    user_id uuid not null references "user" on delete cascade,
    ${times}
  );
  create index collection_by_user_id on collection (user_id) include (id);

  create table collection_user (
    collection_id uuid not null references collection on delete cascade,
    user_id uuid not null references "user" on delete cascade,
    ${rights},
    ${defaultTimes},
    primary key (collection_id, user_id)
  );
  create index collection_user_by_user_id on collection_user (user_id, collection_id)
    include ("flagRead", "flagUse", "flagModify", "flagOwn");

  create table collection_group (
    collection_id uuid not null references collection on delete cascade,
    group_id uuid not null references "group" on delete cascade,
    ${rights},
    ${defaultTimes},
    primary key (collection_id, group_id)
  );
  create index collection_group_by_group_id on collection_group (group_id, collection_id)
    include ("flagRead", "flagUse", "flagModify", "flagOwn");

  create table collection_securable (
    collection_id uuid not null references collection on delete cascade,
    securable_id uuid not null references securable on delete cascade,
    ${defaultTimes},
    primary key (collection_id, securable_id)
  );
  create index collection_securable_by_securable_id on collection_securable (securable_id, collection_id);

  create view collection_access as
    select l.* from collection_user l join collection r on r.id = l.collection_id where r.user_id <> l.user_id
    union all
    select id, user_id, true, true, true, true, created_at, created_at from collection;

  create table formula (
    id uuid primary key,
    name jsonb,
    description jsonb,
    expression text not null,
    type text not null,
    subtype text,
    format text,
    informat text,
    "lowestLevel" double precision,
    currency_id text,
    custom_metadata jsonb,
    ai_context text,
    user_id uuid not null references "user" on delete cascade,
    ${times}
  );
  create index formula_by_user_id on formula (user_id) include (id);

  create table formula_user (
    formula_id uuid not null references formula on delete cascade,
    user_id uuid not null references "user" on delete cascade,
    ${rights},
    ${defaultTimes},
    primary key (formula_id, user_id)
  );
  create index formula_user_by_user_id on formula_user (user_id, formula_id)
    include ("flagRead", "flagUse", "flagModify", "flagOwn");

  create table formula_group (
    formula_id uuid not null references formula on delete cascade,
    group_id uuid not null references "group" on delete cascade,
    ${rights},
    ${defaultTimes},
    primary key (formula_id, group_id)
  );
  create index formula_group_by_group_id on formula_group (group_id, formula_id)
    include ("flagRead", "flagUse", "flagModify", "flagOwn");

  create table securable_formula (
    securable_id uuid not null references securable on delete cascade,
    formula_id uuid not null references formula on delete cascade,
    ${defaultTimes},
    primary key (securable_id, formula_id)
  );
  create index securable_formula_by_formula_id on securable_formula (formula_id, securable_id);

  create view formula_access as
    select l.* from formula_user l join formula r on r.id = l.formula_id where r.user_id <> l.user_id
    union all
    select id, user_id, true, true, true, true, created_at, created_at from formula;

  create table tag (
    id uuid primary key,
    tag text not null,
    organization_id uuid not null references organization on delete cascade,
    suborganization text,
    user_id uuid references "user" on delete set null,
    ${times}
  );
  create index tag_by_organization_id on tag (organization_id, tag);
  create index tag_by_user_id on tag (user_id);

  create table securable_tag (
    securable_id uuid not null references securable on delete cascade,
    tag_id uuid not null references tag on delete cascade,
    ${defaultTimes},
    primary key (securable_id, tag_id)
  );
  create index securable_tag_by_tag_id on securable_tag (tag_id, securable_id);

  create table theme (
    id text primary key,
    name jsonb not null,
    theme jsonb not null,
    organization_id uuid references organization on delete cascade,
    user_id uuid references "user" on delete set null,
    -- A theme of a suborganization can be read and changed only there.
    suborganization text,
    ${times}
  );
  create index theme_by_organization_id on theme (organization_id);
  create index theme_by_user_id on theme (user_id);

  create table customchart (
    id uuid primary key,
    name jsonb not null,
    type text not null,
    script text not null,
    slots_config jsonb,
    organization_id uuid not null references organization on delete cascade,
    suborganization text,
    user_id uuid references "user" on delete set null,
    -- The version that an owner approved: the only one that runs for people other than its author.
    approved_version_id uuid,
    status text not null default 'draft',
    ${times}
  );
  create index customchart_by_organization_id on customchart (organization_id);
  create index customchart_by_user_id on customchart (user_id);
  create index customchart_by_approved_version_id on customchart (approved_version_id);

  -- A chart as it was saved at one time.
  create table customchartversion (
    id uuid primary key,
    name jsonb,
    type text not null,
    script text not null,
    slots_config jsonb,
    customchart_id uuid not null references customchart on delete cascade,
    user_id uuid references "user" on delete set null,
    ${times}
  );
  create index customchartversion_by_customchart_id on customchartversion (customchart_id, created_at);
  create index customchartversion_by_user_id on customchartversion (user_id);

  alter table customchart add foreign key (approved_version_id)
    references customchartversion on delete set null deferrable initially deferred;

  create table thumbnail (
    id uuid primary key,
    size text not null,
    url text not null,
    user_id uuid not null references "user" on delete cascade,
    ${times}
  );
  create index thumbnail_by_user_id on thumbnail (user_id);

  create table plugin_thumbnail (
    plugin_id uuid not null references plugin on delete cascade,
    thumbnail_id uuid not null references thumbnail on delete cascade,
    ${defaultTimes},
    primary key (plugin_id, thumbnail_id)
  );
  create index plugin_thumbnail_by_thumbnail_id on plugin_thumbnail (thumbnail_id);

  create table securable_thumbnail (
    securable_id uuid not null references securable on delete cascade,
    thumbnail_id uuid not null references thumbnail on delete cascade,
    ${defaultTimes},
    primary key (securable_id, thumbnail_id)
  );
  create index securable_thumbnail_by_thumbnail_id on securable_thumbnail (thumbnail_id);

  create table organization_thumbnail (
    organization_id uuid not null references organization on delete cascade,
    thumbnail_id uuid not null references thumbnail on delete cascade,
    ${defaultTimes},
    primary key (organization_id, thumbnail_id)
  );
  create index organization_thumbnail_by_thumbnail_id on organization_thumbnail (thumbnail_id);

  create table user_thumbnail (
    user_id uuid not null references "user" on delete cascade,
    thumbnail_id uuid not null references thumbnail on delete cascade,
    ${defaultTimes},
    primary key (user_id, thumbnail_id)
  );
  create index user_thumbnail_by_thumbnail_id on user_thumbnail (thumbnail_id);
`;
