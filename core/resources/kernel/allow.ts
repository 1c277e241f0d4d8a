import type { Knex } from "knex";
import type { Principal, Right } from "../../base/index.ts";

/** Says on which records a caller has a right. */
export interface Allow {
  /** Narrows a query over `alias` to them, record by record: for queries that are narrowed to a few already. */
  (
    query: Knex.QueryBuilder,
    alias: string,
    right: Right,
    principal: Principal,
    under?: Under,
  ): void;
  /**
   * Selects the ids of the allowed records from the rows that give the right, for queries that nothing else narrows.
   * May repeat an id. Absent or undefined where testing each record serves every query. `table` holds the records.
   */
  readonly ids?: AllowedIds;
  /** Foreign keys to the record that gives the right; few records share one. */
  readonly keys?: readonly string[];
}

/**
 * The records of another resource to which all records of a query belong. When these give the right, each of them is
 * tested once, not once for every record that belongs to it. Valid for one alias: a rule passes it only to rules about
 * that alias.
 */
export interface Under {
  readonly alias: string;
  readonly resource: string;
  readonly ids: readonly string[];
  readonly idType: "uuid" | "text";
  /** The column with the id of that record: a foreign key, or the column of a link that is joined as `l`. */
  readonly column: string;
  readonly link?: string;
}
export type AllowedIds = (
  knex: Knex,
  table: string,
  right: Right,
  principal: Principal,
) => Knex.QueryBuilder | undefined;
