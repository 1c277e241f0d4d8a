import { times } from "./sharedColumns.ts";

/**
 * Tables for audited changes and refusals. The host computes the digest of each event, and PostgreSQL chains the
 * digests.
 */
export const audit = `
  create table auditevent (
    id uuid primary key,
    organization_id uuid not null,
    user_id uuid not null,
    authorization_id uuid not null,
    request_id text,
    action text not null,
    resource text not null,
    record_id text not null,
    members jsonb not null,
    target jsonb,
    address text,
    times double precision not null default 1,
    digest text,
    place double precision,
    hash text,
    ${times}
  );
  create index auditevent_by_organization_id on auditevent (organization_id, created_at);
  create index auditevent_by_record_id on auditevent (record_id);
  create index auditevent_by_failed_sign_in on auditevent (user_id, created_at)
    where action = 'sign_in_failed';
  create unique index auditevent_by_place on auditevent (organization_id, place)
    where place is not null;
  -- The start of each session, so that lists of users can show the last sign-in.
  create index auditevent_of_sign_ins on auditevent (user_id, created_at)
    where resource = 'authorization' and action = 'create' and record_id = authorization_id::text;

  -- The end of each chain.
  create table audit_chain (
    organization_id uuid primary key,
    place bigint not null,
    hash text not null
  );

  -- The place after which a chain begins once the events up to it were removed. The host signs it.
  create table audit_anchor (
    organization_id uuid primary key,
    place bigint not null,
    hash text not null,
    removed_count bigint not null,
    removed_at timestamptz not null,
    digest text not null
  );

  create function refuse_audit_place() returns trigger language plpgsql as $$
    begin
      new.place := null;
      new.hash := null;
      return new;
    end
  $$;
  create trigger audit_place_refused before insert on auditevent
    for each row execute function refuse_audit_place();

  -- A transaction locks the end of the chain at its commit, after all other locks of its triggers: the first trigger
  -- makes the second one run after the others.
  create function defer_audit_chain() returns trigger language plpgsql as $$
    begin
      update auditevent set updated_at = updated_at where id = new.id;
      return null;
    end
  $$;
  create constraint trigger audit_deferred after insert on auditevent
    deferrable initially deferred for each row execute function defer_audit_chain();

  create function chain_audit() returns trigger language plpgsql as $$
    declare
      empty constant text := encode(sha256(''::bytea), 'hex');
      ended audit_chain;
    begin
      insert into audit_chain (organization_id, place, hash) values (new.organization_id, 0, empty)
        on conflict do nothing;
      update audit_chain c
         set place = c.place + 1,
             hash = encode(sha256(convert_to(
               c.hash || ':' || (c.place + 1) || ':' || coalesce(new.digest, ''), 'UTF8')), 'hex')
       where c.organization_id = new.organization_id
      returning * into ended;
      update auditevent set place = ended.place, hash = ended.hash where id = new.id;
      return null;
    end
  $$;
  create constraint trigger audit_chained after update on auditevent
    deferrable initially deferred for each row when (new.place is null and old.place is null)
    execute function chain_audit();
`;
