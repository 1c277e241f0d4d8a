/** Tasks, pushes, quotas and secrets, which all hosts of a catalog share. */
export const hosts = `
  -- Tasks that the store owes to a change of the catalog. No foreign keys: the records are deleted by then.
  create table outbox (
    id bigint generated always as identity primary key,
    action text not null,
    securable_id uuid not null,
    column_id uuid,
    attempt_count integer not null default 0,
    problem text,
    due_at timestamptz not null,
    created_at timestamptz not null default now(),
    -- Rows and bytes of a push under way, and whose they are.
    organization_id uuid,
    row_count bigint,
    byte_count bigint,
    -- The call of a push, and how to know whether the store took its rows.
    authorization_id uuid,
    request_id text,
    rows_before bigint,
    rows_added bigint,
    -- The host at work on the task, by the key of its presence: a task of a host that is gone is due at once.
    host_key integer,
    -- The dataset whose turn the task is: changes of it follow each other over all hosts, the lowest id first.
    turn_of uuid
  );
  create index outbox_by_due_at on outbox (due_at, id);
  create index outbox_by_organization_id on outbox (organization_id)
    where organization_id is not null;
  create index outbox_by_turn on outbox (turn_of, id) where turn_of is not null;

  -- Pushes whose callers named them, for a day: the same call again gets the same answer.
  create table push_request (
    authorization_id uuid not null,
    request_id text not null,
    digest text not null,
    -- Null while the push is under way, and when it ended without its answer.
    answer text,
    -- Of a push that ended without its answer: taken, or unknown.
    outcome text,
    securable_id uuid not null,
    created_at timestamptz not null default clock_timestamp(),
    primary key (authorization_id, request_id)
  );
  create index push_request_by_created_at on push_request (created_at);

  -- Limits that the operator set for an organization in place of the settings.
  create table quota (
    organization_id uuid not null references organization on delete cascade,
    name text not null,
    soft bigint not null,
    hard bigint not null check (soft <= hard),
    primary key (organization_id, name)
  );

  -- Shares of the current minute or day that hosts took; callers without an organization have a count too.
  create table quota_usage (
    organization_id uuid not null,
    name text not null,
    starts_at timestamptz not null,
    used bigint not null,
    -- What the last host took.
    granted bigint not null,
    primary key (organization_id, name, starts_at)
  );

  -- Places for queries that a host holds.
  create table quota_place (
    organization_id uuid not null,
    host_id uuid not null,
    place_count integer not null,
    expires_at timestamptz not null,
    primary key (organization_id, host_id)
  );

  -- The host to whose folder the rows of a store belong, as long as it gives signs of life.
  create table store_host (
    store text primary key,
    folder_id uuid not null,
    place text not null,
    host_id uuid not null,
    expires_at timestamptz not null
  );

  -- A string sealed with the host's secret, by which a start sees that the secret is another one.
  create table host_secret (
    id boolean primary key default true check (id),
    sealed text not null
  );

  -- The secrets that hosts of this catalog have or had, by the id that sealed strings and marks carry.
  create table secret_key (
    id text primary key,
    -- The key of marks, sealed: events of the audit verify when the secret itself is gone.
    mark_key text not null,
    created_at timestamptz not null default now(),
    -- A rotation found nothing that it sealed.
    emptied_at timestamptz,
    -- A host started without it, and missed nothing.
    closed_at timestamptz,
    -- What it sealed was given up.
    lost_at timestamptz
  );
`;
