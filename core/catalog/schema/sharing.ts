import { defaultTimes, rights, times } from "./sharedColumns.ts";

/** Tables for integrations, shares, and the filters of embedded dashboards. */
export const sharing = `
  create table integration (
    id uuid primary key,
    name jsonb not null,
    organization_id uuid not null references organization on delete cascade,
    user_id uuid not null references "user" on delete cascade,
    ${times}
  );
  create index integration_by_organization_id on integration (organization_id);
  create index integration_by_user_id on integration (user_id);

  create table integration_user (
    integration_id uuid not null references integration on delete cascade,
    user_id uuid not null references "user" on delete cascade,
    ${rights},
    ${defaultTimes},
    primary key (integration_id, user_id)
  );
  create index integration_user_by_user_id on integration_user (user_id, integration_id)
    include ("flagRead", "flagUse", "flagModify", "flagOwn");

  create table integration_group (
    integration_id uuid not null references integration on delete cascade,
    group_id uuid not null references "group" on delete cascade,
    "flagRead" boolean not null default true,
    "flagUse" boolean not null default false,
    "flagModify" boolean not null default false,
    ${defaultTimes},
    primary key (integration_id, group_id)
  );
  create index integration_group_by_group_id on integration_group (group_id, integration_id)
    include ("flagRead", "flagUse", "flagModify");

  create table securable_integration (
    securable_id uuid not null references securable on delete cascade,
    integration_id uuid not null references integration on delete cascade,
    "flagRead" boolean not null default true,
    "flagUse" boolean not null default false,
    "flagModify" boolean not null default false,
    slug text,
    filters jsonb,
    ${defaultTimes},
    primary key (securable_id, integration_id),
    unique (integration_id, slug)
  );
  create index securable_integration_by_integration_id on securable_integration (integration_id, securable_id)
    include ("flagRead", "flagUse", "flagModify");
  create index securable_integration_filtered on securable_integration (securable_id)
    where filters is not null;

  create view integration_access as
    select l.* from integration_user l join integration r on r.id = l.integration_id where r.user_id <> l.user_id
    union all
    select id, user_id, true, true, true, true, created_at, created_at from integration;

  -- Who has the rights of an integration: its users, and the users of its groups.
  create view integration_membership as
    select integration_id, user_id from integration_user
    union
    select l.integration_id, m.user_id from integration_group l join membership m on m.group_id = l.group_id;

  create table share (
    id text primary key,
    securable_id uuid references securable on delete cascade,
    locale_id text references locale on delete set null,
    user_id uuid not null references "user" on delete cascade,
    view_count double precision not null default 0,
    query_count double precision not null default 0,
    last_viewed_at timestamptz,
    ${times}
  );
  create index share_by_securable_id on share (securable_id);
  create index share_by_locale_id on share (locale_id);
  create index share_by_user_id on share (user_id);

  create table sharestatistic (
    id uuid primary key default gen_random_uuid(),
    share_id text not null references share on delete cascade,
    day text not null,
    view_count double precision not null default 0,
    query_count double precision not null default 0,
    ${defaultTimes},
    unique (share_id, day)
  );

  create table embedfiltergroup (
    id uuid primary key,
    organization_id uuid not null unique references organization on delete cascade,
    ${times}
  );

  create table embedfiltergroup_securable (
    embedfiltergroup_id uuid not null references embedfiltergroup on delete cascade,
    securable_id uuid not null references securable on delete cascade,
    filters jsonb not null,
    ${defaultTimes},
    primary key (embedfiltergroup_id, securable_id)
  );
  create index embedfiltergroup_securable_by_securable_id on embedfiltergroup_securable (securable_id);
`;
