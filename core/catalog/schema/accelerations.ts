import { times } from "./sharedColumns.ts";

/** Tables for copies of live datasets in the store. */
export const accelerations = `
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
    overlap_seconds double precision not null default 300,
    rows_per_second double precision,
    ${times}
  );
  create index acceleration_by_created_at_column_id on acceleration (created_at_column_id);
  create index acceleration_by_updated_at_column_id on acceleration (updated_at_column_id);
  create index acceleration_by_deleted_at_column_id on acceleration (deleted_at_column_id);
  create index acceleration_by_user_id on acceleration (user_id);

  alter table securable add foreign key (acceleration_id) references acceleration on delete set null;

  -- The copy of an accelerated dataset in the store.
  create table datasetcopy (
    id uuid primary key,
    securable_id uuid not null unique references securable on delete cascade,
    status text not null,
    copy_id uuid,
    building_id uuid,
    columns jsonb,
    settings text,
    load text,
    rows double precision,
    bytes double precision,
    copied_rows double precision,
    started_at timestamptz,
    completed_at timestamptz,
    as_of timestamptz,
    full_at timestamptz,
    newest_at timestamptz,
    newest_print text,
    failure text,
    failed_at timestamptz,
    ${times}
  );

  -- A table of the store that no dataset uses any more. Queries that started before may still read it.
  create function drop_copy() returns trigger language plpgsql as $$
    begin
      insert into outbox (action, securable_id, due_at)
        values ('drop', old.copy_id, clock_timestamp() + interval '150 seconds');
      return null;
    end
  $$;
  create trigger drop_deleted_copy after delete on datasetcopy
    for each row when (old.copy_id is not null) execute function drop_copy();
  create trigger drop_replaced_copy after update of copy_id on datasetcopy
    for each row when (old.copy_id is not null and old.copy_id is distinct from new.copy_id)
    execute function drop_copy();

  -- When a dataset's acceleration ends for any reason, its copy and its schedule are deleted.
  create function end_acceleration() returns trigger language plpgsql as $$
    begin
      delete from datasetcopy where securable_id = new.id;
      delete from schedule where securable_id = new.id and task = 'acceleration';
      return null;
    end
  $$;
  create trigger end_acceleration after update of acceleration_id on securable
    for each row when (old.acceleration_id is not null and new.acceleration_id is null)
    execute function end_acceleration();
  create function move_acceleration() returns trigger language plpgsql as $$
    begin
      update schedule set user_id = new.owner_id where securable_id = new.id and task = 'acceleration';
      return null;
    end
  $$;
  create trigger move_acceleration after update of owner_id on securable
    for each row when (new.acceleration_id is not null and old.owner_id is distinct from new.owner_id)
    execute function move_acceleration();
`;
