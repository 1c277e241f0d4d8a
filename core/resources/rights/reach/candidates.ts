import type { Knex } from "knex";
import type { Right } from "../../../base/index.ts";
import { arrayBinding } from "../../../catalog/index.ts";
import type { Bounded } from "./reach.ts";
import { designs, idsWith } from "./tokenRights.ts";

/**
 * Selects the ids of all records that a token might reach, from the token's lists. The resource's reach then tests each
 * record.
 */
export type Candidates = (
  knex: Knex,
  right: Right,
  principal: Bounded,
) => Knex.QueryBuilder | Knex.Raw;

const namedSecurables: Candidates = (knex, right, principal) => {
  const { restriction, userId } = principal;
  const { collections, integrationId, securables } = restriction;
  const lists = [
    knex.raw("select unnest(?::uuid[])", [arrayBinding(idsWith(securables, right, restriction))]),
    knex("collection_securable as cs")
      .select("cs.securable_id")
      .whereRaw("cs.collection_id = any(?::uuid[])", [
        arrayBinding(idsWith(collections, right, restriction)),
      ]),
  ];
  if (integrationId !== undefined)
    lists.push(
      knex("securable_integration as si")
        .select("si.securable_id")
        .where("si.integration_id", integrationId),
    );
  if (designs(principal))
    lists.push(knex("securable as s").select("s.id").where("s.owner_id", userId));
  return knex.raw(lists.map(() => "?").join(" union all "), lists);
};

const linkedTo =
  (source: string, key: string): Candidates =>
  (knex, right, principal) =>
    knex(`${source} as l`)
      .select(`l.${key}`)
      .whereRaw("l.securable_id = any(array(?))", [namedSecurables(knex, right, principal)]);

/** The candidates by resource, for resources whose records a token's own lists can name. */
export const candidates: ReadonlyMap<string, Candidates> = new Map([
  ["securable", namedSecurables],
  ["column", linkedTo("column", "id")],
  ["formula", linkedTo("securable_formula", "formula_id")],
  ["tag", linkedTo("securable_tag", "tag_id")],
]);
