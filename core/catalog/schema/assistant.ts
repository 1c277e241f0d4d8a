import { times } from "./sharedColumns.ts";

/** Tables for conversations with the assistant, and for its usage. */
export const assistant = `
  create table aiconversation (
    id uuid primary key,
    name text,
    user_id uuid not null references "user" on delete cascade,
    -- A conversation under an embed token can be continued only with that token, because its filters applied to it.
    authorization_id uuid,
    ${times}
  );
  create index aiconversation_by_user_id on aiconversation (user_id);

  create table aimessage (
    id uuid primary key,
    content jsonb not null,
    conversation_id uuid not null references aiconversation on delete cascade,
    ${times}
  );
  create index aimessage_by_conversation_id on aimessage (conversation_id, created_at);

  create table aimessageasset (
    id uuid primary key,
    type text not null,
    value jsonb,
    message_id uuid not null references aimessage on delete cascade,
    ${times}
  );
  create index aimessageasset_by_message_id on aimessageasset (message_id);

  -- Model calls and tokens of an organization or a user, per UTC day or minute.
  create table assistant_usage (
    scope_id uuid not null,
    span text not null check (span in ('day', 'minute')),
    starts_at timestamptz not null,
    call_count integer not null,
    token_count bigint not null,
    primary key (scope_id, span, starts_at)
  );
`;
