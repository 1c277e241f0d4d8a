import type { Knex } from "knex";
import type { Principal, Right } from "../../base/index.ts";

/** A rule that determines the records on which a caller has a right. */
export interface Allow {
  /**
   * Narrows a query over `alias` to the allowed records by testing each record. Suits queries that already select few
   * records.
   */
  (
    query: Knex.QueryBuilder,
    alias: string,
    right: Right,
    principal: Principal,
    under?: Under,
  ): void;
  /**
   * Selects the ids of the allowed records by starting from the rows that give the right. Suits queries without other
   * conditions. May return an id more than once. `table` contains the records. The member is absent, or returns
   * undefined, if testing each record suits every query.
   */
  readonly ids?: AllowedIds;
  /** Foreign keys to the record that gives the right, if only few records share the same key. */
  readonly keys?: readonly string[];
}

/**
 * Parent records of another resource, to which all records of a query belong. If the parents give the right, each
 * parent is tested only once, rather than once per record. Valid for one alias: a rule passes the parents on only to
 * rules about the same alias.
 */
export interface Under {
  readonly alias: string;
  readonly resource: string;
  readonly ids: readonly string[];
  readonly idType: "uuid" | "text";
  /**
   * The column that contains the id of the parent record: a foreign key, or a column of the link that is joined as `l`.
   */
  readonly column: string;
  readonly link?: string;
}
export type AllowedIds = (
  knex: Knex,
  table: string,
  right: Right,
  principal: Principal,
) => Knex.QueryBuilder | undefined;
