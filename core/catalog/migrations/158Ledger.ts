import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- Old entries are removed by age, and the newest are counted for the state of a host.
    create index alertevent_by_completed_at on alertevent (completed_at);
    create index delivery_by_completed_at on delivery (completed_at) where completed_at is not null;
    create index delivery_by_outcome on delivery (outcome) where outcome = 'waiting';
  `);
}
