import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- Charts of an organization's own, and each as it was at a save.
    create table customchart (
      id uuid primary key,
      name jsonb not null,
      type text not null,
      script text not null,
      slots_config jsonb,
      organization_id uuid not null references organization on delete cascade,
      suborganization text,
      user_id uuid references "user" on delete set null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create index customchart_by_organization_id on customchart (organization_id);
    create index customchart_by_user_id on customchart (user_id);

    create table customchartversion (
      id uuid primary key,
      name jsonb,
      type text not null,
      script text not null,
      slots_config jsonb,
      customchart_id uuid not null references customchart on delete cascade,
      user_id uuid references "user" on delete set null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create index customchartversion_by_customchart_id on customchartversion (customchart_id, created_at);
    create index customchartversion_by_user_id on customchartversion (user_id);
  `);
  for (const table of ["customchart", "customchartversion"])
    await knex.raw(
      `create constraint trigger catalog_changed after insert or update or delete on ??
         deferrable initially deferred for each row execute function raise_catalog_version()`,
      [table],
    );
}
