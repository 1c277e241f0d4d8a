import type { Knex } from "knex";

/** One step of the schema. It never changes once released. */
export interface Migration {
  readonly name: string;
  /**
   * Whether the step removes something that an earlier release reads or writes. That release can then no longer open
   * the catalog. Only a release after the one that stopped using the removed part may have such a step.
   */
  readonly contracts?: true;
  up(knex: Knex.Transaction): Promise<void>;
}
