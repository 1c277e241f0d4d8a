import { arrayBinding } from "../../../catalog/index.ts";
import type { Reach, RuleOf } from "./reach.ts";
import { reachCharts } from "./reachCharts.ts";
import { reachColumns, reachLevels } from "./reachColumns.ts";
import { reachLinked } from "./reachLinked.ts";
import { reachSecurables } from "./reachSecurables.ts";
import { designs, idsWith } from "./tokenRights.ts";

/**
 * Returns the reach of a token in each resource. The token can reach no records of resources that are not in the map.
 */
export function reachesByResource(ruleOf: RuleOf): ReadonlyMap<string, Reach> {
  const readByMaker =
    (resource: string): Reach =>
    (query, alias, right, { restriction }) => {
      if (right !== "read") query.whereRaw("false");
      else ruleOf(resource)(query, alias, right, restriction.issuer);
    };
  const securable = reachSecurables(ruleOf);
  const column = reachColumns(securable);
  const reaches: Readonly<Record<string, Reach>> = {
    authorization: (query, alias, right, principal) =>
      ruleOf("authorization")(query, alias, right, principal),
    user(query, alias, right, { userId }) {
      query.where(`${alias}.id`, userId);
      if (right !== "read") query.whereRaw("false");
    },
    securable,
    column,
    alert(query, alias, _right, principal) {
      if (designs(principal)) query.where(`${alias}.user_id`, principal.userId);
      else query.whereRaw("false");
    },
    formula: reachLinked(securable, "securable_formula", "formula_id"),
    tag: reachLinked(securable, "securable_tag", "tag_id"),
    hierarchylevel: reachLevels(column),
    share(query, alias, right, { authorizationType, authorizationId }) {
      if (authorizationType === "share" && right === "read")
        query.where(`${alias}.id`, authorizationId);
      else query.whereRaw("false");
    },
    collection(query, alias, right, { restriction }) {
      const ids = arrayBinding(idsWith(restriction.collections, right, restriction));
      query
        .whereRaw("??.id = any(?::uuid[])", [alias, ids])
        .where((rule) => ruleOf("collection")(rule, alias, right, restriction.issuer));
    },
    integration(query, alias, right, principal) {
      query
        .where(`${alias}.id`, principal.restriction.integrationId ?? null)
        .where((rule) => readByMaker("integration")(rule, alias, right, principal));
    },
    // Other shared views may contain values of rows that the token cannot see.
    savedview(query, alias, right, principal) {
      if (right !== "read") return void query.whereRaw("false");
      const above = `${alias}_s`;
      query.where(`${alias}.is_default`, true).whereExists((one) => {
        one
          .select(`${above}.id`)
          .from(`securable as ${above}`)
          .whereRaw("??.id = ??.securable_id", [above, alias])
          .where((rule) => securable(rule, above, right, principal));
      });
    },
    theme: readByMaker("theme"),
    customchart: reachCharts(securable, readByMaker("customchart")),
    country: readByMaker("country"),
    locale: readByMaker("locale"),
    currency: readByMaker("currency"),
    timezone: readByMaker("timezone"),
  };
  return new Map(Object.entries(reaches));
}
