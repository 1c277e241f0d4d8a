import type { Knex } from "knex";

/** One step of the schema. It is never changed once released. */
export interface Migration {
  readonly name: string;
  up(knex: Knex.Transaction): Promise<void>;
}
