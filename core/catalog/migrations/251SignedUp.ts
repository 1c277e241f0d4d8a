import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- Until now sign-up founded every organization but the first.
    alter table organization add column signed_up boolean not null default true;
    update organization set signed_up = false where id = (
      select o.id from organization_user l join organization o on o.id = l.organization_id
      where l."flagOwn" order by o.created_at, l.created_at, l.user_id limit 1
    );
  `);
}
