import type { Knex } from "knex";

/** One step that changes the schema. A released step is never edited. */
export interface Migration {
  readonly name: string;
  /**
   * Whether the step removes something that an earlier release reads or writes. That release can then no longer open
   * the catalog. Only a release after the one that stopped using the removed part may have such a step.
   */
  readonly contracts?: true;
  up(knex: Knex.Transaction): Promise<void>;
}
