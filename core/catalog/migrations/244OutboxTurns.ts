import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- The host at work on a task, by the key of its presence: a task of a host that is gone is due at once.
    alter table outbox add column host_key integer;
    -- The dataset whose turn the task is: changes of it follow each other over all hosts, the lowest id first.
    alter table outbox add column turn_of uuid;
    create index outbox_by_turn on outbox (turn_of, id) where turn_of is not null;
  `);
}
