import { defaultTimes, times } from "./sharedColumns.ts";

/** Tables for scheduled work: schedules, alerts, channels, deliveries and exports. */
export const automation = `
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
    -- Why its last run failed.
    failure text,
    -- The format of the file that its slots send.
    export jsonb,
    -- The user who created it or took it over. Its exports run only while that user still owns it, so that nobody sends
    -- with another person's rights.
    confirmed_by uuid references "user" on delete set null,
    ${times}
  );
  create index schedule_by_securable_id on schedule (securable_id);
  create index schedule_by_user_id on schedule (user_id);
  create index schedule_by_scheduled_at on schedule (scheduled_at) where active;
  create index schedule_by_confirmed_by on schedule (confirmed_by);

  create table channel (
    id uuid primary key,
    name jsonb,
    type text not null,
    config text,
    user_id uuid not null references "user" on delete cascade,
    disabled_reason text,
    -- Failures since the last success, and until when the breaker holds messages back.
    failures double precision not null default 0,
    paused_until timestamptz,
    -- When the owner was told that the channel does not work.
    told_at timestamptz,
    -- Addresses that unsubscribed.
    unsubscribed jsonb not null default '[]',
    ${times}
  );
  create index channel_by_user_id on channel (user_id);

  create table channel_user (
    channel_id uuid not null references channel on delete cascade,
    user_id uuid not null references "user" on delete cascade,
    ${defaultTimes},
    primary key (channel_id, user_id)
  );
  create index channel_user_by_user_id on channel_user (user_id);

  create table channel_organization (
    channel_id uuid not null references channel on delete cascade,
    organization_id uuid not null references organization on delete cascade,
    ${defaultTimes},
    primary key (channel_id, organization_id)
  );
  create index channel_organization_by_organization_id on channel_organization (organization_id);

  create table schedule_channel (
    schedule_id uuid not null references schedule on delete cascade,
    channel_id uuid not null references channel on delete cascade,
    ${defaultTimes},
    primary key (schedule_id, channel_id)
  );
  create index schedule_channel_by_channel_id on schedule_channel (channel_id);

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
    notify text not null default 'every',
    "for" jsonb,
    keep_firing_for jsonb,
    instance_by jsonb,
    no_data text not null default 'ok',
    error text not null default 'keep',
    recovery jsonb,
    mute_until timestamptz,
    status text not null default 'ok',
    stopped_reason text,
    evaluated_at timestamptz,
    instances jsonb not null default '[]',
    is_of_token boolean not null default false,
    sticky_parameters text,
    ${times}
  );
  create index alert_by_securable_id on alert (securable_id);
  create index alert_by_schedule_id on alert (schedule_id);
  create index alert_by_user_id on alert (user_id);

  create table alert_channel (
    alert_id uuid not null references alert on delete cascade,
    channel_id uuid not null references channel on delete cascade,
    ${defaultTimes},
    primary key (alert_id, channel_id)
  );
  create index alert_channel_by_channel_id on alert_channel (channel_id);

  -- One row for each evaluated slot of an alert.
  create table alertevent (
    id uuid primary key,
    alert_id uuid not null references alert on delete cascade,
    slot_at timestamptz not null,
    started_at timestamptz not null,
    completed_at timestamptz not null,
    outcome text not null,
    reason text,
    rows double precision,
    status_before text not null,
    status_after text not null,
    transitions jsonb not null,
    notices jsonb not null,
    -- The user as whom it was evaluated, and the result: kept for backtests, and readable only by that user.
    user_id uuid not null references "user" on delete cascade,
    observation text,
    ${times}
  );
  create unique index alertevent_by_slot on alertevent (alert_id, slot_at desc);
  create index alertevent_by_user_id on alertevent (user_id);
  create index alertevent_by_completed_at on alertevent (completed_at);

  -- One slot of a schedule that sends a dashboard. The id is derived from schedule and slot.
  create table exportevent (
    id uuid primary key,
    schedule_id uuid not null references schedule on delete cascade,
    slot_at timestamptz not null,
    started_at timestamptz not null,
    completed_at timestamptz not null,
    outcome text not null,
    reason text,
    type text,
    size_bytes double precision,
    user_id uuid not null references "user" on delete cascade,
    -- The file, sealed, while its messages may still be sent.
    content text,
    ${times},
    unique (schedule_id, slot_at)
  );
  create index exportevent_by_completed_at on exportevent (completed_at);
  create index exportevent_by_content on exportevent (completed_at) where content is not null;
  create index exportevent_by_user_id on exportevent (user_id);

  -- One message that reports many evaluations to one recipient of a channel. It collects deliveries until it is closed.
  create table digest (
    id uuid primary key,
    channel_id uuid not null references channel on delete cascade,
    recipient text,
    opened_at timestamptz not null default now(),
    closed_at timestamptz
  );
  create unique index digest_is_open on digest (channel_id, coalesce(recipient, ''))
    where closed_at is null;
  create index digest_by_channel_id on digest (channel_id);
  create index digest_by_opened_at on digest (opened_at);

  -- One message to one recipient: about an evaluation, an export, or a channel that does not work. Without a channel
  -- it goes to the user's address. The message is sealed, and deleted once it has arrived.
  create table delivery (
    id uuid primary key,
    alertevent_id uuid references alertevent on delete cascade,
    channel_id uuid references channel on delete cascade,
    outcome text not null,
    attempts double precision not null,
    problem text,
    message text,
    completed_at timestamptz,
    user_id uuid references "user" on delete cascade,
    kind text not null default 'alert',
    recipient text,
    next_attempt_at timestamptz,
    digest_id uuid references digest on delete set null,
    exportevent_id uuid references exportevent on delete cascade,
    ${times},
    constraint delivery_goes_somewhere check (num_nonnulls(channel_id, user_id) = 1)
  );
  create unique index delivery_by_alertevent_id on delivery (alertevent_id, channel_id, coalesce(recipient, ''))
    where alertevent_id is not null;
  create index delivery_by_user_id on delivery (user_id) where user_id is not null;
  -- Old entries are removed by age, and waiting ones are counted for the state of a host.
  create index delivery_by_completed_at on delivery (completed_at) where completed_at is not null;
  create index delivery_by_outcome on delivery (outcome) where outcome = 'waiting';
  create index delivery_by_digest_id on delivery (digest_id) where digest_id is not null;
  -- The messages of a channel in the last minute are counted, while the channel keeps months of them.
  create index delivery_by_channel_id on delivery (channel_id, created_at);
  -- Each address gets one message, even if several channels reach it; without addresses, each channel gets one.
  create unique index delivery_by_exportevent_id
    on delivery (exportevent_id, coalesce(recipient, channel_id::text, ''))
    where exportevent_id is not null;

  -- Text messages of an organization per UTC day. The daily limit counts attempts.
  create table textmessage_day (
    organization_id uuid not null references organization on delete cascade,
    day date not null,
    count integer not null,
    primary key (organization_id, day)
  );

  -- A file that a job writes. It is deleted with its user and with the token that requested it. A file for the
  -- recipients of a schedule has no token.
  create table exportfile (
    id uuid primary key,
    organization_id uuid not null references organization on delete cascade,
    user_id uuid not null references "user" on delete cascade,
    authorization_id uuid references "authorization" on delete cascade,
    status text not null check (status in ('waiting', 'running', 'done', 'failed')),
    -- The content to export, until the export is done.
    request jsonb,
    type text not null,
    cell_count double precision,
    -- Bytes written to the host's disk so far.
    size_bytes double precision not null default 0,
    failure text,
    expires_at timestamptz not null,
    completed_at timestamptz,
    ${defaultTimes}
  );
  create index exportfile_by_organization_id on exportfile (organization_id);
  create index exportfile_by_user_id on exportfile (user_id);
  create index exportfile_by_authorization_id on exportfile (authorization_id);
  create index exportfile_by_expires_at on exportfile (expires_at);
`;
