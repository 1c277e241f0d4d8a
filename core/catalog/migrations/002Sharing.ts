import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    create table country (
      id text primary key,
      name jsonb not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create table locale (like country including all);
    create table timezone (like country including all);
    create table currency (like country including all);
    alter table currency add column symbol text not null, add column decimals double precision not null;

    -- Which data filled the tables above and the built-in themes.
    create table reference_version (version text primary key);

    alter table organization
      add column country_id text references country on delete set null,
      add column locale_id text references locale on delete set null;
    create index organization_by_country_id on organization (country_id);
    create index organization_by_locale_id on organization (locale_id);

    alter table "user"
      add column country_id text references country on delete set null,
      add column feature_overrides jsonb;
    create index user_by_country_id on "user" (country_id);

    alter table organization_user
      add column "flagSuborganizationOwn" boolean not null default false,
      add column sso boolean not null default false;
    create view organization_role as
      select l.*, u.suborganization from organization_user l join "user" u on u.id = l.user_id;

    create table "group" (
      id uuid primary key,
      name jsonb not null,
      public boolean not null,
      organization_id uuid not null references organization on delete cascade,
      suborganization text,
      deleted_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null
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
    insert into "group" (id, name, public, organization_id, created_at, updated_at)
      select gen_random_uuid(), '"Public"', true, id, now(), now() from organization;

    create table group_user (
      group_id uuid not null references "group" on delete cascade,
      user_id uuid not null references "user" on delete cascade,
      "flagRead" boolean not null default true,
      "flagMember" boolean not null default true,
      "flagUse" boolean not null default false,
      "flagModify" boolean not null default false,
      "flagOwn" boolean not null default false,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (group_id, user_id)
    );
    create index group_user_by_user_id on group_user (user_id);

    -- Whose rights a right of a group is: its users; of the public group, all users of the organization.
    create view membership as
      select group_id, user_id from group_user
      union all
      select g.id, o.user_id from "group" g
        join organization_user o on o.organization_id = g.organization_id where g.public;

    create table securable_group (
      securable_id uuid not null references securable on delete cascade,
      group_id uuid not null references "group" on delete cascade,
      "flagRead" boolean not null default true,
      "flagUse" boolean not null default false,
      "flagModify" boolean not null default false,
      "flagOwn" boolean not null default false,
      published boolean not null default false,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (securable_id, group_id)
    );
    create index securable_group_by_group_id on securable_group (group_id);

    create table account_group (
      account_id uuid not null references account on delete cascade,
      group_id uuid not null references "group" on delete cascade,
      "flagRead" boolean not null default true,
      "flagUse" boolean not null default false,
      "flagModify" boolean not null default false,
      "flagOwn" boolean not null default false,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (account_id, group_id)
    );
    create index account_group_by_group_id on account_group (group_id);

    create table integration (
      id uuid primary key,
      name jsonb not null,
      organization_id uuid not null references organization on delete cascade,
      user_id uuid not null references "user" on delete cascade,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create index integration_by_organization_id on integration (organization_id);
    create index integration_by_user_id on integration (user_id);

    create table integration_user (
      integration_id uuid not null references integration on delete cascade,
      user_id uuid not null references "user" on delete cascade,
      "flagRead" boolean not null default true,
      "flagUse" boolean not null default false,
      "flagModify" boolean not null default false,
      "flagOwn" boolean not null default false,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (integration_id, user_id)
    );
    create index integration_user_by_user_id on integration_user (user_id);

    create table integration_group (
      integration_id uuid not null references integration on delete cascade,
      group_id uuid not null references "group" on delete cascade,
      "flagRead" boolean not null default true,
      "flagUse" boolean not null default false,
      "flagModify" boolean not null default false,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (integration_id, group_id)
    );
    create index integration_group_by_group_id on integration_group (group_id);

    create table securable_integration (
      securable_id uuid not null references securable on delete cascade,
      integration_id uuid not null references integration on delete cascade,
      "flagRead" boolean not null default true,
      "flagUse" boolean not null default false,
      "flagModify" boolean not null default false,
      slug text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (securable_id, integration_id),
      unique (integration_id, slug)
    );

    -- Whose rights a right of an integration is: its users, and the users of its groups.
    create view integration_membership as
      select integration_id, user_id from integration_user
      union
      select l.integration_id, m.user_id from integration_group l join membership m on m.group_id = l.group_id;

    create table collection (
      id uuid primary key,
      name jsonb not null,
      favorite boolean not null,
      user_id uuid not null references "user" on delete cascade,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create index collection_by_user_id on collection (user_id);
    create table collection_user (
      collection_id uuid not null references collection on delete cascade,
      user_id uuid not null references "user" on delete cascade,
      "flagRead" boolean not null default true,
      "flagUse" boolean not null default false,
      "flagModify" boolean not null default false,
      "flagOwn" boolean not null default false,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (collection_id, user_id)
    );
    create index collection_user_by_user_id on collection_user (user_id);
    create table collection_group (
      collection_id uuid not null references collection on delete cascade,
      group_id uuid not null references "group" on delete cascade,
      "flagRead" boolean not null default true,
      "flagUse" boolean not null default false,
      "flagModify" boolean not null default false,
      "flagOwn" boolean not null default false,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (collection_id, group_id)
    );
    create index collection_group_by_group_id on collection_group (group_id);
    create table collection_securable (
      collection_id uuid not null references collection on delete cascade,
      securable_id uuid not null references securable on delete cascade,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (collection_id, securable_id)
    );
    create index collection_securable_by_securable_id on collection_securable (securable_id);

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
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create index formula_by_user_id on formula (user_id);
    create table formula_user (
      formula_id uuid not null references formula on delete cascade,
      user_id uuid not null references "user" on delete cascade,
      "flagRead" boolean not null default true,
      "flagUse" boolean not null default false,
      "flagModify" boolean not null default false,
      "flagOwn" boolean not null default false,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (formula_id, user_id)
    );
    create index formula_user_by_user_id on formula_user (user_id);
    create table formula_group (
      formula_id uuid not null references formula on delete cascade,
      group_id uuid not null references "group" on delete cascade,
      "flagRead" boolean not null default true,
      "flagUse" boolean not null default false,
      "flagModify" boolean not null default false,
      "flagOwn" boolean not null default false,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (formula_id, group_id)
    );
    create index formula_group_by_group_id on formula_group (group_id);
    create table securable_formula (
      securable_id uuid not null references securable on delete cascade,
      formula_id uuid not null references formula on delete cascade,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (securable_id, formula_id)
    );
    create index securable_formula_by_formula_id on securable_formula (formula_id);

    create table hierarchylevel (
      id uuid primary key,
      name jsonb,
      level double precision not null,
      color text,
      column_id uuid references "column" on delete cascade,
      user_id uuid not null references "user" on delete cascade,
      created_at timestamptz not null,
      updated_at timestamptz not null
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
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (column_id, value)
    );

    create table tag (
      id uuid primary key,
      tag text not null,
      organization_id uuid not null references organization on delete cascade,
      suborganization text,
      user_id uuid references "user" on delete set null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create index tag_by_organization_id on tag (organization_id, tag);
    create index tag_by_user_id on tag (user_id);
    create table securable_tag (
      securable_id uuid not null references securable on delete cascade,
      tag_id uuid not null references tag on delete cascade,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (securable_id, tag_id)
    );
    create index securable_tag_by_tag_id on securable_tag (tag_id);

    create table theme (
      id text primary key,
      name jsonb not null,
      theme jsonb not null,
      organization_id uuid references organization on delete cascade,
      user_id uuid references "user" on delete set null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create index theme_by_organization_id on theme (organization_id);
    create index theme_by_user_id on theme (user_id);

    create table share (
      id text primary key,
      securable_id uuid references securable on delete cascade,
      locale_id text references locale on delete set null,
      user_id uuid not null references "user" on delete cascade,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create index share_by_securable_id on share (securable_id);
    create index share_by_locale_id on share (locale_id);
    create index share_by_user_id on share (user_id);

    create table securableversion (
      id uuid primary key,
      name jsonb,
      contents jsonb,
      css text,
      environment text,
      securable_id uuid not null references securable on delete cascade,
      user_id uuid references "user" on delete set null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      unique (securable_id, environment) deferrable initially deferred
    );
    create index securableversion_by_securable_id on securableversion (securable_id, created_at);
    create index securableversion_by_user_id on securableversion (user_id);

    create table securable_dataset (
      dashboard_id uuid not null references securable on delete cascade,
      dataset_id uuid not null references securable on delete cascade,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (dashboard_id, dataset_id)
    );
    create index securable_dataset_by_dataset_id on securable_dataset (dataset_id);

    create table securable_favorite (
      securable_id uuid not null references securable on delete cascade,
      favorite_id uuid not null references securable on delete cascade,
      user_id uuid not null references "user" on delete cascade,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (securable_id, favorite_id, user_id)
    );
    create index securable_favorite_by_favorite_id on securable_favorite (favorite_id);
    create index securable_favorite_by_user_id on securable_favorite (user_id);

    create table schedule (
      id uuid primary key,
      frequency_quantity double precision,
      frequency_unit text,
      frequency double precision,
      timezone text,
      active boolean not null,
      task text,
      retries double precision not null,
      started_at timestamptz,
      completed_at timestamptz,
      scheduled_at timestamptz,
      securable_id uuid references securable on delete cascade,
      user_id uuid not null references "user" on delete cascade,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create index schedule_by_securable_id on schedule (securable_id);
    create index schedule_by_user_id on schedule (user_id);

    create table acceleration (
      id uuid primary key,
      load_type text not null,
      data_storage_strategy text,
      created_at_column_id uuid references "column" on delete set null,
      updated_at_column_id uuid references "column" on delete set null,
      deleted_at_column_id uuid references "column" on delete set null,
      primary_key_column_ids jsonb,
      schedule jsonb,
      user_id uuid not null references "user" on delete cascade,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create index acceleration_by_created_at_column_id on acceleration (created_at_column_id);
    create index acceleration_by_updated_at_column_id on acceleration (updated_at_column_id);
    create index acceleration_by_deleted_at_column_id on acceleration (deleted_at_column_id);
    create index acceleration_by_user_id on acceleration (user_id);
    alter table securable add foreign key (acceleration_id) references acceleration on delete set null;
    create index securable_by_acceleration_id on securable (acceleration_id);

    create table channel (
      id uuid primary key,
      name jsonb,
      type text not null,
      config text,
      user_id uuid not null references "user" on delete cascade,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create index channel_by_user_id on channel (user_id);
    create table channel_user (
      channel_id uuid not null references channel on delete cascade,
      user_id uuid not null references "user" on delete cascade,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (channel_id, user_id)
    );
    create index channel_user_by_user_id on channel_user (user_id);
    create table channel_organization (
      channel_id uuid not null references channel on delete cascade,
      organization_id uuid not null references organization on delete cascade,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (channel_id, organization_id)
    );
    create index channel_organization_by_organization_id on channel_organization (organization_id);

    create table alert (
      id uuid primary key,
      name jsonb not null,
      query jsonb not null,
      chart_id uuid,
      frequency jsonb not null,
      timezone_id text,
      securable_id uuid references securable on delete set null,
      schedule_id uuid references schedule on delete set null,
      user_id uuid not null references "user" on delete cascade,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create index alert_by_securable_id on alert (securable_id);
    create index alert_by_schedule_id on alert (schedule_id);
    create index alert_by_user_id on alert (user_id);
    create table alert_channel (
      alert_id uuid not null references alert on delete cascade,
      channel_id uuid not null references channel on delete cascade,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (alert_id, channel_id)
    );
    create index alert_channel_by_channel_id on alert_channel (channel_id);

    create table thumbnail (
      id uuid primary key,
      size text not null,
      url text not null,
      user_id uuid not null references "user" on delete cascade,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create index thumbnail_by_user_id on thumbnail (user_id);
    create table plugin_thumbnail (
      plugin_id uuid not null references plugin on delete cascade,
      thumbnail_id uuid not null references thumbnail on delete cascade,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (plugin_id, thumbnail_id)
    );
    create index plugin_thumbnail_by_thumbnail_id on plugin_thumbnail (thumbnail_id);
    create table securable_thumbnail (
      securable_id uuid not null references securable on delete cascade,
      thumbnail_id uuid not null references thumbnail on delete cascade,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (securable_id, thumbnail_id)
    );
    create index securable_thumbnail_by_thumbnail_id on securable_thumbnail (thumbnail_id);
    create table organization_thumbnail (
      organization_id uuid not null references organization on delete cascade,
      thumbnail_id uuid not null references thumbnail on delete cascade,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (organization_id, thumbnail_id)
    );
    create index organization_thumbnail_by_thumbnail_id on organization_thumbnail (thumbnail_id);
    create table user_thumbnail (
      user_id uuid not null references "user" on delete cascade,
      thumbnail_id uuid not null references thumbnail on delete cascade,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (user_id, thumbnail_id)
    );
    create index user_thumbnail_by_thumbnail_id on user_thumbnail (thumbnail_id);

    create table ssoconfig (
      id uuid primary key,
      name jsonb not null,
      type text not null,
      config text,
      active boolean not null,
      organization_id uuid not null references organization on delete cascade,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create index ssoconfig_by_organization_id on ssoconfig (organization_id);

    create table aiconversation (
      id uuid primary key,
      name text,
      user_id uuid not null references "user" on delete cascade,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create index aiconversation_by_user_id on aiconversation (user_id);
    create table aimessage (
      id uuid primary key,
      content jsonb not null,
      conversation_id uuid not null references aiconversation on delete cascade,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create index aimessage_by_conversation_id on aimessage (conversation_id, created_at);
    create table aimessageasset (
      id uuid primary key,
      type text not null,
      value jsonb,
      message_id uuid not null references aimessage on delete cascade,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create index aimessageasset_by_message_id on aimessageasset (message_id);

    create view collection_access as
      select l.* from collection_user l join collection r on r.id = l.collection_id where r.user_id <> l.user_id
      union all
      select id, user_id, true, true, true, true, created_at, created_at from collection;
    create view formula_access as
      select l.* from formula_user l join formula r on r.id = l.formula_id where r.user_id <> l.user_id
      union all
      select id, user_id, true, true, true, true, created_at, created_at from formula;
    create view integration_access as
      select l.* from integration_user l join integration r on r.id = l.integration_id where r.user_id <> l.user_id
      union all
      select id, user_id, true, true, true, true, created_at, created_at from integration;
  `);
}
