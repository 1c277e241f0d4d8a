import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- The version of a chart that an owner approved: the only one that runs for others than its author.
    alter table customchart
      add column approved_version_id uuid references customchartversion on delete set null
        deferrable initially deferred,
      add column status text not null default 'draft';
    create index customchart_by_approved_version_id on customchart (approved_version_id);

    -- Versions that owners of the organization saved are approved: the newest one of each chart.
    update customchart c set approved_version_id = v.id
      from (select distinct on (s.customchart_id) s.id, s.customchart_id
              from customchartversion s
              join customchart d on d.id = s.customchart_id
              join "user" u on u.id = s.user_id and u.suborganization is null
              join organization_user o on o.user_id = s.user_id and o.organization_id = d.organization_id
             where o."flagOwn"
             order by s.customchart_id, s.created_at desc, s.id) v
     where v.customchart_id = c.id;
    update customchart c set status = case when v.script = c.script then 'approved' else 'changed' end
      from customchartversion v where v.id = c.approved_version_id;
  `);
}
