import { defaultTimes, times } from "./sharedColumns.ts";

/** Tables for organizations, their users and their groups. */
export const organizations = `
  create table organization (
    id uuid primary key,
    name jsonb not null,
    country_id text references country on delete set null,
    locale_id text references locale on delete set null,
    custom_metadata jsonb,
    require_second_factor boolean not null default false,
    -- From where people and API tokens of the organization may call; null for anywhere.
    allowed_addresses jsonb,
    -- Whether it was created by sign-up instead of by the operator.
    signed_up boolean not null default true,
    ${times}
  );
  create index organization_by_country_id on organization (country_id);
  create index organization_by_locale_id on organization (locale_id);

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
    country_id text references country on delete set null,
    feature_overrides jsonb,
    -- Overrides that owners of the organization set for the user, and who set them.
    account_overrides text,
    parameter_overrides text,
    metadata jsonb,
    overrides_by uuid references "user" on delete set null,
    ${times}
  );
  create index user_by_country_id on "user" (country_id);
  -- A hash index, because the name may be longer than other kinds of index allow.
  create index user_by_suborganization on "user" using hash (suborganization);
  create index user_by_overrides_by on "user" (overrides_by);

  create table organization_user (
    organization_id uuid not null references organization on delete cascade,
    user_id uuid primary key references "user" on delete cascade,
    "flagMember" boolean not null default true,
    "flagEditor" boolean not null default false,
    "flagOwn" boolean not null default false,
    ${defaultTimes},
    "flagSuborganizationOwn" boolean not null default false,
    sso boolean not null default false
  );
  create index organization_user_by_organization_id on organization_user (organization_id, user_id);

  create view organization_role as
    select l.*, u.suborganization from organization_user l join "user" u on u.id = l.user_id;

  -- Users of embed tokens, by the name that the application gave them.
  create table end_user (
    user_id uuid primary key references "user" on delete cascade,
    organization_id uuid not null references organization on delete cascade,
    username text not null,
    unique (organization_id, username)
  );

  create table "group" (
    id uuid primary key,
    name jsonb not null,
    public boolean not null,
    organization_id uuid not null references organization on delete cascade,
    suborganization text,
    deleted_at timestamptz,
    ${times}
  );
  create index group_by_organization_id on "group" (organization_id);
  create unique index group_public on "group" (organization_id) where public;

  create function create_public_group() returns trigger language plpgsql as $$
    begin
      insert into "group" (id, name, public, organization_id, created_at, updated_at)
      values (gen_random_uuid(), '"Public"', true, new.id, now(), now());
      return null;
    end
  $$;
  create trigger organization_created after insert on organization
    for each row execute function create_public_group();

  create table group_user (
    group_id uuid not null references "group" on delete cascade,
    user_id uuid not null references "user" on delete cascade,
    "flagRead" boolean not null default true,
    "flagMember" boolean not null default true,
    "flagUse" boolean not null default false,
    "flagModify" boolean not null default false,
    "flagOwn" boolean not null default false,
    ${defaultTimes},
    primary key (group_id, user_id)
  );
  create index group_user_by_user_id on group_user (user_id, group_id);

  -- Members of groups: users of links with flagMember; in the public group, all users of the organization.
  create view membership as
    select group_id, user_id from group_user where "flagMember"
    union all
    select g.id, o.user_id from "group" g
      join organization_user o on o.organization_id = g.organization_id where g.public;
`;
