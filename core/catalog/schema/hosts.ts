/** Tables for tasks, pushes, quotas and secrets, which all hosts of a catalog share. */
export const hosts = `
  -- Tasks that the store has to do for a change of the catalog. No foreign keys, because the records may be deleted.
  create table outbox (
    id bigint generated always as identity primary key,
    action text not null,
    securable_id uuid not null,
    column_id uuid,
    attempt_count integer not null default 0,
    problem text,
    due_at timestamptz not null,
    created_at timestamptz not null default now(),
    -- Rows and bytes of a running push, and its organization.
    organization_id uuid,
    row_count bigint,
    byte_count bigint,
    -- The call of a push, and the information that shows whether the store has its rows.
    authorization_id uuid,
    request_id text,
    rows_before bigint,
    rows_added bigint,
    -- The host that works on the task, by the key of its presence. If that host is gone, the task is due at once.
    host_key integer,
    -- The dataset whose turn the task is. Changes of a dataset run one after another over all hosts, lowest id first.
    turn_of uuid
  );
  create index outbox_by_due_at on outbox (due_at, id);
  create index outbox_by_organization_id on outbox (organization_id)
    where organization_id is not null;
  create index outbox_by_turn on outbox (turn_of, id) where turn_of is not null;

  -- Pushes with an id from the caller, kept for a day: the same call again gets the same response.
  create table push_request (
    authorization_id uuid not null,
    request_id text not null,
    digest text not null,
    -- Null while the push is running, and if it ended without a response.
    answer text,
    -- For a push that ended without a response: taken, or unknown.
    outcome text,
    securable_id uuid not null,
    created_at timestamptz not null default clock_timestamp(),
    primary key (authorization_id, request_id)
  );
  create index push_request_by_created_at on push_request (created_at);

  -- Limits that the operator set for an organization instead of the settings.
  create table quota (
    organization_id uuid not null references organization on delete cascade,
    name text not null,
    soft bigint not null,
    hard bigint not null check (soft <= hard),
    primary key (organization_id, name)
  );

  -- Usage of the current minute or day, including shares that hosts took. Callers without an organization count too.
  create table quota_usage (
    organization_id uuid not null,
    name text not null,
    starts_at timestamptz not null,
    used bigint not null,
    -- The amount that the last host took.
    granted bigint not null,
    primary key (organization_id, name, starts_at)
  );

  -- Permits for concurrent queries that a host holds.
  create table quota_place (
    organization_id uuid not null,
    host_id uuid not null,
    place_count integer not null,
    expires_at timestamptz not null,
    primary key (organization_id, host_id)
  );

  -- The host whose folder contains the rows of a store, while it shows that it is alive.
  create table store_host (
    store text primary key,
    folder_id uuid not null,
    place text not null,
    host_id uuid not null,
    expires_at timestamptz not null
  );

  -- A string sealed with the host's secret, by which a host detects at start that the secret has changed.
  create table host_secret (
    id boolean primary key default true check (id),
    sealed text not null
  );

  -- Current and former secrets of this catalog's hosts, by the id that sealed strings and signatures contain.
  create table secret_key (
    id text primary key,
    -- The signing key, sealed, so that audit events can be verified after the secret itself is gone.
    mark_key text not null,
    created_at timestamptz not null default now(),
    -- A rotation found nothing sealed with it.
    emptied_at timestamptz,
    -- A host started without it and missed nothing.
    closed_at timestamptz,
    -- Strings sealed with it were given up.
    lost_at timestamptz
  );
`;
