import type { Knex } from "knex";
import { arrayBinding } from "../../catalog/index.ts";
import { rights, type Principal, type Restriction, type Right } from "../../base/index.ts";
import { narrowUnder, withIds } from "./allow.ts";
import type { Allow, Declaration, Under } from "../kernel/index.ts";

type Bounded = Principal & { readonly restriction: Restriction };

type Reach = (
  query: Knex.QueryBuilder,
  alias: string,
  right: Right,
  principal: Bounded,
  under?: Under,
) => void;

/**
 * Selects the ids of all that may be in reach, from the lists of the token; each is tested by the reach of its
 * resource.
 */
type Candidates = (knex: Knex, right: Right, principal: Bounded) => Knex.QueryBuilder | Knex.Raw;

/** The highest right that a token gives, by the role it was made with. */
const ceilings: { readonly [Each in Restriction["role"]]: Right } = {
  viewer: "use",
  designer: "modify",
  owner: "own",
};

function isAtLeast(given: Right, right: Right, { role }: Restriction): boolean {
  const level = Math.min(rights.indexOf(given), rights.indexOf(ceilings[role]));
  return level >= rights.indexOf(right);
}

/** Returns whether a token may make its own dashboards and alerts; a private link may not. */
function designs({ authorizationType, restriction }: Bounded): boolean {
  return authorizationType !== "share" && restriction.role !== "viewer";
}

function idsWith(given: ReadonlyMap<string, Right>, right: Right, restriction: Restriction) {
  return [...given].flatMap(([id, each]) => (isAtLeast(each, right, restriction) ? [id] : []));
}

const flagOf = { read: "flagRead", use: "flagUse", modify: "flagModify", own: undefined } as const;

/**
 * Limits resources to the reach of an embed token. It reaches the records that it names, while its issuer reaches
 * them, and the records that belong to these. A designer also reaches the records that it made. All other
 * principals follow the resource's own rule.
 */
export function bounded(all: readonly Declaration[]): Declaration[] {
  const rules = new Map(all.map(({ name, allow }) => [name, allow]));
  const ruleOf = (resource: string): Allow => rules.get(resource) ?? closed;
  const readByMaker =
    (resource: string): Reach =>
    (query, alias, right, { restriction }) => {
      if (right !== "read") query.whereRaw("false");
      else ruleOf(resource)(query, alias, right, restriction.issuer);
    };

  const securable: Reach = (query, alias, right, principal) => {
    const { restriction, userId } = principal;
    query.where((given) => {
      given.where((named) => reachNamed(named, alias, right, principal));
    });
    // A designer's dashboards belong to its user, so they do not depend on the reach of its issuer.
    if (designs(principal) && isAtLeast("own", right, restriction))
      query.orWhere({ [`${alias}.owner_id`]: userId, [`${alias}.type`]: "dashboard" });
  };
  const reachNamed: Reach = (query, alias, right, { restriction }) => {
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
  /** Through a securable that is in reach; `source` joins its id to the record. */
  const throughSecurable =
    (source: string, on: string): Reach =>
    (query, alias, right, principal, under) => {
      const rule = (rights: Knex.QueryBuilder, each: string) =>
        securable(rights, each, right, principal);
      const by = source ? { column: "l.securable_id", link: source } : { column: `${alias}.${on}` };
      if (narrowUnder(query, under, { alias, resource: "securable", ...by }, rule)) return;
      const above = `${alias}_s`;
      query.whereExists((one) => {
        one.select(`${above}.id`).from(`securable as ${above}`);
        if (source) one.join(`${source} as l`, "l.securable_id", `${above}.id`);
        one
          .whereRaw(
            source ? "l.?? = ??.id" : "??.id = ??",
            source ? [on, alias] : [above, `${alias}.${on}`],
          )
          .where((rights) => rule(rights, above));
      });
    };
  const column: Reach = (query, alias, right, principal, under) => {
    const hidden = arrayBinding(principal.restriction.hiddenColumns);
    query.whereRaw("??.id <> all(?::uuid[])", [alias, hidden]);
    query.where((rule) =>
      throughSecurable("", "securable_id")(rule, alias, right, principal, under),
    );
  };

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
    formula: throughSecurable("securable_formula", "formula_id"),
    tag: throughSecurable("securable_tag", "tag_id"),
    hierarchylevel(query, alias, right, principal) {
      const above = `${alias}_c`;
      query.whereExists((one) => {
        one
          .select(`${above}.id`)
          .from(`column as ${above}`)
          .whereRaw("??.id = ??", [above, `${alias}.column_id`])
          .where((rule) => column(rule, above, right, principal));
      });
    },
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
    theme: readByMaker("theme"),
    // A chart is seen in the dashboards that name it, as they are or as they are published.
    customchart(query, alias, right, principal) {
      const above = `${alias}_s`;
      const named = "strpos(??::text, ??.id::text) > 0";
      query
        .whereExists((one) => {
          one
            .select(`${above}.id`)
            .from(`securable as ${above}`)
            .where(`${above}.type`, "dashboard")
            .where((contents) => {
              contents.whereRaw(named, [`${above}.contents`, alias]).orWhereExists((version) => {
                version
                  .select("v.id")
                  .from("securableversion as v")
                  .whereRaw("v.securable_id = ??.id and v.environment is not null", [above])
                  .whereRaw(named, ["v.contents", alias]);
              });
            })
            .where((rights) => securable(rights, above, right, principal));
        })
        .where((rule) => readByMaker("customchart")(rule, alias, right, principal));
    },
    country: readByMaker("country"),
    locale: readByMaker("locale"),
    currency: readByMaker("currency"),
    timezone: readByMaker("timezone"),
  };

  const named: Candidates = (knex, right, principal) => {
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
        .whereRaw("l.securable_id = any(array(?))", [named(knex, right, principal)]);
  const candidates: Readonly<Record<string, Candidates>> = {
    securable: named,
    column: linkedTo("column", "id"),
    formula: linkedTo("securable_formula", "formula_id"),
    tag: linkedTo("securable_tag", "tag_id"),
  };

  return all.map((declaration) => {
    const { name, allow, inOrganization } = declaration;
    const reach = Object.hasOwn(reaches, name) ? reaches[name] : undefined;
    const listed = Object.hasOwn(candidates, name) ? candidates[name] : undefined;
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

const closed: Allow = (query) => void query.whereRaw("false");
