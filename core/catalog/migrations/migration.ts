import type { Knex } from "knex";

/** One step of the schema. It is never changed once released. */
export interface Migration {
  readonly name: string;
  /**
   * The step takes away what the release before it reads or writes, so that one may not open the catalog any more. Only
   * a later release than the one that stopped using it has such a step.
   */
  readonly contracts?: true;
  up(knex: Knex.Transaction): Promise<void>;
}
