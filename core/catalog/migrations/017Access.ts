import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- Columns of a source that an owner of the dataset took out: only an owner brings one back. Names as sources compare them.
    -- No query looks it up, so it does not raise the version of the catalog.
    create table removed_column (
      securable_id uuid not null references securable on delete cascade,
      source_name text not null,
      primary key (securable_id, source_name)
    );

    -- Who is in a group is flagMember of the link. Whoever was linked before was in the group, and stays.
    update group_user set "flagMember" = true where not "flagMember";
    create or replace view membership as
      select group_id, user_id from group_user where "flagMember"
      union all
      select g.id, o.user_id from "group" g
        join organization_user o on o.organization_id = g.organization_id where g.public;
  `);
}
