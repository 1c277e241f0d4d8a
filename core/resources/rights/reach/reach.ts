import type { Knex } from "knex";
import type { Principal, Restriction, Right } from "../../../base/index.ts";
import type { Allow, Under } from "../../kernel/index.ts";

/** A caller whose token restricts the records that it can reach. */
export type Bounded = Principal & { readonly restriction: Restriction };

/**
 * Narrows a query to the records that a token can reach with a right. An `Allow` does the same for other principals.
 */
export type Reach = (
  query: Knex.QueryBuilder,
  alias: string,
  right: Right,
  principal: Bounded,
  under?: Under,
) => void;

/** Returns the rule of a resource for callers without a restriction, such as the issuer of a token. */
export type RuleOf = (resource: string) => Allow;
