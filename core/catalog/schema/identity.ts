import { defaultTimes, times } from "./sharedColumns.ts";

/** Tables that define how people and programs authenticate. */
export const identity = `
  create table ssoconfig (
    id uuid primary key,
    name jsonb not null,
    type text not null,
    config text,
    active boolean not null,
    organization_id uuid not null references organization on delete cascade,
    ${times}
  );
  create index ssoconfig_by_organization_id on ssoconfig (organization_id);

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
    theme_id text,
    last_used_at timestamptz,
    deleted_at timestamptz,
    maker_id uuid references "user" on delete cascade,
    username text,
    name text,
    email text,
    suborganization text,
    role text,
    access jsonb,
    securables jsonb,
    filters jsonb,
    parameter_overrides text,
    account_overrides text,
    hidden_columns jsonb,
    metadata jsonb,
    feature_overrides jsonb,
    iq jsonb,
    theme jsonb,
    css text,
    ip text,
    width double precision,
    height double precision,
    -- From where the token may be used; null for anywhere.
    allowed_origins jsonb,
    allowed_addresses jsonb,
    -- The token with which a console session began. The session ends with it.
    parent_id uuid references "authorization" on delete cascade,
    -- The ssoconfig with which a session began. The session ends with it.
    ssoconfig_id uuid references ssoconfig on delete cascade,
    -- The second factor used at sign-in; null for none.
    factor text,
    -- When the person proved their identity; null if a key pair or a provider vouched for it.
    proved_at timestamptz,
    -- The User-Agent of the sign-in.
    device text,
    ${times}
  );
  create index authorization_by_maker_id on "authorization" (maker_id);
  create index authorization_by_expiry on "authorization" (expiry) where type <> 'api';
  -- Finds a user's few API tokens among many others.
  create index authorization_by_user_id on "authorization" (user_id, type);
  -- Finds the tokens whose filters use a dataset, when one of its columns changes.
  create index authorization_by_filters on "authorization" using gin (filters jsonb_path_ops)
    where filters is not null;
  create index authorization_by_parent_id on "authorization" (parent_id)
    where parent_id is not null;
  create index authorization_by_ssoconfig_id on "authorization" (ssoconfig_id)
    where ssoconfig_id is not null;

  -- A password, and its e-mail address in the form in which addresses are compared.
  create table user_password (
    user_id uuid primary key references "user" on delete cascade,
    email text not null,
    salt bytea not null,
    hash bytea not null,
    -- Number of hashing stages of the stored hash.
    stage_count smallint not null default 1,
    ${defaultTimes}
  );
  create index user_password_by_email on user_password (email);

  -- Authenticator apps (secret, last_step) and passkeys (credential_id, public_key, counter).
  create table second_factor (
    id uuid primary key,
    user_id uuid not null references "user" on delete cascade,
    type text not null,
    name text not null,
    secret text,
    last_step bigint,
    credential_id text unique,
    public_key bytea,
    counter bigint,
    last_used_at timestamptz,
    created_at timestamptz not null default now()
  );
  create index second_factor_by_user_id on second_factor (user_id);

  create table recovery_code (
    user_id uuid not null references "user" on delete cascade,
    hash bytea not null,
    primary key (user_id, hash)
  );

  -- Used challenges, so that none is used twice.
  create table used_challenge (
    hash bytea primary key,
    ends_at timestamptz not null
  );
  create index used_challenge_by_ends_at on used_challenge (ends_at);

  -- The hash of the first owner's recovery key.
  create table owner_recovery (
    id boolean primary key default true check (id),
    hash bytea not null,
    created_at timestamptz not null default now()
  );

  -- Attempts at passwords and codes, by a hash of what they are counted for. The level rises with each failure and
  -- falls by one per hour; the next attempt waits until ends_at. failed_count counts failures since the last success.
  create table attempt_wait (
    digest bytea primary key,
    level double precision not null,
    failed_count integer not null,
    at timestamptz not null,
    ends_at timestamptz not null
  );
  create index attempt_wait_by_at on attempt_wait (at);

  -- Browsers that have signed a user in, by a hash of the secret in their cookie.
  create table known_device (
    digest bytea not null,
    user_id uuid not null references "user" on delete cascade,
    used_at timestamptz not null,
    primary key (digest, user_id)
  );
  create index known_device_by_user on known_device (user_id, used_at);

  -- People of sign-on providers, and their users.
  create table sign_on_identity (
    ssoconfig_id uuid not null references ssoconfig on delete cascade,
    issuer text not null,
    subject text not null,
    user_id uuid not null references "user" on delete cascade,
    created_at timestamptz not null default now(),
    primary key (ssoconfig_id, issuer, subject)
  );
  create index sign_on_identity_by_user_id on sign_on_identity (user_id);

  -- Used responses of providers, so that none is used twice.
  create table sign_on_state (
    hash bytea primary key,
    ends_at timestamptz not null
  );
  create index sign_on_state_by_ends_at on sign_on_state (ends_at);

  -- Users and groups that a provider manages by SCIM, as it described them.
  create table provisioned_user (
    ssoconfig_id uuid not null references ssoconfig on delete cascade,
    user_id uuid not null references "user" on delete cascade,
    user_name text not null,
    external_id text,
    active boolean not null,
    described jsonb not null,
    ${defaultTimes},
    primary key (ssoconfig_id, user_id)
  );
  create unique index provisioned_user_by_name on provisioned_user (ssoconfig_id, lower(user_name));
  create unique index provisioned_user_by_external_id on provisioned_user (ssoconfig_id, external_id);
  create index provisioned_user_by_user_id on provisioned_user (user_id);

  create table provisioned_group (
    ssoconfig_id uuid not null references ssoconfig on delete cascade,
    group_id uuid not null references "group" on delete cascade,
    external_id text,
    ${defaultTimes},
    primary key (ssoconfig_id, group_id)
  );
  create index provisioned_group_by_group_id on provisioned_group (group_id);
`;
