import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- A theme of a suborganization is read and changed there alone.
    alter table theme add column suborganization text;
    update theme set suborganization = u.suborganization from "user" u where u.id = theme.user_id;
  `);
}
