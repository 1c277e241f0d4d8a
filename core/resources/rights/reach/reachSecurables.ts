import { arrayBinding } from "../../../catalog/index.ts";
import type { Reach, RuleOf } from "./reach.ts";
import { designs, idsWith, isAtLeast } from "./tokenRights.ts";

const flagOf = { read: "flagRead", use: "flagUse", modify: "flagModify", own: undefined } as const;

/**
 * Returns the reach of dashboards and datasets. A token can reach those that it names by id, collection or integration,
 * as long as its issuer can reach them. A designer can also reach its own dashboards, even if the issuer cannot.
 */
export function reachSecurables(ruleOf: RuleOf): Reach {
  const reachNamed = reachNamedSecurables(ruleOf);
  return (query, alias, right, principal) => {
    const { restriction, userId } = principal;
    query.where((given) => {
      given.where((named) => reachNamed(named, alias, right, principal));
    });
    if (designs(principal) && isAtLeast("own", right, restriction))
      query.orWhere({ [`${alias}.owner_id`]: userId, [`${alias}.type`]: "dashboard" });
  };
}

function reachNamedSecurables(ruleOf: RuleOf): Reach {
  return (query, alias, right, { restriction }) => {
    const { issuer, collections, integrationId } = restriction;
    query
      .where((named) => {
        named.whereRaw("??.id = any(?::uuid[])", [
          alias,
          arrayBinding(idsWith(restriction.securables, right, restriction)),
        ]);
        const inherited = arrayBinding(idsWith(collections, right, restriction));
        if (inherited.length > 0)
          named.orWhereExists((one) => {
            one
              .select("c.id")
              .from("collection_securable as cs")
              .join("collection as c", "c.id", "cs.collection_id")
              .whereRaw("cs.securable_id = ??.id and c.id = any(?::uuid[])", [alias, inherited])
              .where((rule) => ruleOf("collection")(rule, "c", right, issuer));
          });
        const flag = flagOf[right];
        if (integrationId !== undefined && flag && isAtLeast(right, right, restriction))
          named.orWhereExists((one) => {
            one
              .select("i.id")
              .from("securable_integration as si")
              .join("integration as i", "i.id", "si.integration_id")
              .whereRaw("si.securable_id = ??.id and i.id = ? and si.??", [
                alias,
                integrationId,
                flag,
              ])
              .where((rule) => ruleOf("integration")(rule, "i", "read", issuer));
          });
      })
      .where((rule) => ruleOf("securable")(rule, alias, right, issuer));
  };
}
