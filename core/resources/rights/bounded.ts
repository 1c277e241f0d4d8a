import type { Knex } from "knex";
import type { Right } from "../../base/index.ts";
import type { Allow, Declaration } from "../kernel/index.ts";
import { withIds } from "./allow.ts";
import { type Bounded, candidates, reachesByResource, type RuleOf } from "./reach/index.ts";

const closed: Allow = (query) => void query.whereRaw("false");

/**
 * Limits resources to the records that an embed token can reach: the records that it names, as long as its issuer can
 * reach them, and records that belong to these. A designer can also reach the records that it created. The resource's
 * own rule applies to all other principals.
 */
export function bounded(all: readonly Declaration[]): Declaration[] {
  const rules = new Map(all.map(({ name, allow }) => [name, allow]));
  const ruleOf: RuleOf = (resource) => rules.get(resource) ?? closed;
  const reaches = reachesByResource(ruleOf);
  return all.map((declaration) => {
    const { name, allow, inOrganization } = declaration;
    const reach = reaches.get(name);
    const listed = candidates.get(name);
    const reachedIds = (knex: Knex, right: Right, principal: Bounded) =>
      reach &&
      listed &&
      knex(`${name} as r`)
        .select("r.id")
        .whereRaw("r.id = any(array(?))", [listed(knex, right, principal)])
        .where((rule) => reach(rule, "r", right, principal));
    return {
      ...declaration,
      allow: withIds(
        (query, alias, right, principal, under) => {
          const { restriction } = principal;
          if (!restriction) allow(query, alias, right, principal, under);
          else if (reach) reach(query, alias, right, { ...principal, restriction }, under);
          else query.whereRaw("false");
        },
        (knex, table, right, principal) => {
          const { restriction } = principal;
          return restriction
            ? reachedIds(knex, right, { ...principal, restriction })
            : allow.ids?.(knex, table, right, principal);
        },
        allow.keys,
      ),
      ...(inOrganization && {
        inOrganization(query, alias, principal) {
          if (principal.restriction) query.whereRaw("false");
          else inOrganization(query, alias, principal);
        },
      }),
    };
  });
}
