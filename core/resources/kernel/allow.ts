import type { Knex } from "knex";
import type { Principal, Right } from "../../base/index.ts";

/** A rule that says on which records a caller has a right. */
export interface Allow {
  /** Narrows a query over `alias` to these records, testing each one. For queries that already select few records. */
  (
    query: Knex.QueryBuilder,
    alias: string,
    right: Right,
    principal: Principal,
    under?: Under,
  ): void;
  /**
   * Selects the ids of the allowed records from the rows that give the right, for queries without other conditions. It
   * may repeat an id. Absent or undefined if testing each record serves every query. `table` contains the records.
   */
  readonly ids?: AllowedIds;
  /** Foreign keys to the record that gives the right. Few records share one. */
  readonly keys?: readonly string[];
}

/**
 * The records of another resource to which all records of a query belong. When they give the right, each of them is
 * tested once instead of once per record that belongs to it. Valid for one alias: a rule passes it on only to rules
 * about that alias.
 */
export interface Under {
  readonly alias: string;
  readonly resource: string;
  readonly ids: readonly string[];
  readonly idType: "uuid" | "text";
  /** The column with the id of that record: a foreign key, or a column of the link that is joined as `l`. */
  readonly column: string;
  readonly link?: string;
}
export type AllowedIds = (
  knex: Knex,
  table: string,
  right: Right,
  principal: Principal,
) => Knex.QueryBuilder | undefined;
