import type { Knex } from "knex";
import { arrayBinding } from "../../catalog/index.ts";
import type { Principal, Right } from "../../base/index.ts";
import type { Allow, AllowedIds, Declaration, Link, Under } from "../kernel/index.ts";

/** For each right, the flag of a link that gives the right. */
export const flagOf: { readonly [Each in Right]: string } = {
  read: "flagRead",
  use: "flagUse",
  modify: "flagModify",
  own: "flagOwn",
};

/** How records are shared: each record has an owner, and links give rights to users and groups. */
export interface Sharing {
  readonly ownerKey: string;
  /** The member of the links that contains the record's id. */
  readonly recordKey: string;
  readonly users: Link;
  readonly groups?: Link;
}

/** Combines two forms of a rule: one that tests each record, and one that selects the ids of the allowed records. */
export function withIds(allow: Allow, ids: AllowedIds, keys: readonly string[] = []): Allow {
  const both: Allow = (query, alias, right, principal, under) =>
    allow(query, alias, right, principal, under);
  return Object.assign(both, { ids, keys });
}

/**
 * SQL that is added to an `exists (…)` so that PostgreSQL plans the subquery only once. Without the offset, PostgreSQL
 * also plans the subquery as a hash of all its rows, and repeats this for each nested subquery. Four levels took
 * sixteen plans, which cost more than running the statement.
 */
const plannedOnce = "offset 0";

const none = (knex: Knex, table: string) => knex(table).select("id").whereRaw("false");

/**
 * Creates the rule by which a link gives the caller a right. `held` is the link's column for a user, group or
 * integration, with SQL for the caller's ids.
 */
function allowLink(
  { table, flags }: Link,
  recordKey: string,
  held: readonly [key: string, sql: string],
): Allow {
  const gives = (right: Right) => flags?.includes(flagOf[right]) === true;
  const [key, sql] = held;
  return withIds(
    (query, alias, right, { userId }) => {
      if (!gives(right)) query.whereRaw("false");
      else
        query.whereRaw(
          `exists (select 1 from ?? l where l.?? = ??.id and l.?? = ${sql} and l.?? ${plannedOnce})`,
          [table, recordKey, alias, key, userId, flagOf[right]],
        );
    },
    (knex, records, right, { userId }) =>
      gives(right)
        ? knex(`${table} as l`)
            .select(`l.${recordKey}`)
            .whereRaw(`l.?? = ${sql} and l.??`, [key, userId, flagOf[right]])
        : none(knex, records),
  );
}

const ofUser = ["user_id", "?"] as const;
const ofGroups = [
  "group_id",
  "any(array(select m.group_id from membership m where m.user_id = ?))",
] as const;
const ofIntegrations = [
  "integration_id",
  "any(array(select m.integration_id from integration_membership m where m.user_id = ?))",
] as const;

/**
 * Creates the rule that allows records that the caller owns, or on which a link gives the right to the caller or to one
 * of the caller's groups.
 */
export function allowShared({ ownerKey, recordKey, users, groups }: Sharing): Allow {
  return allowAny(
    allowOwner(ownerKey),
    allowLink(users, recordKey, ofUser),
    ...(groups ? [allowLink(groups, recordKey, ofGroups)] : []),
  );
}

/**
 * Creates the rule that allows records on which one of the caller's integrations has the right. Integrations never own
 * records.
 */
export function allowIntegrated(link: Link, recordKey: string): Allow {
  return allowLink(link, recordKey, ofIntegrations);
}

/**
 * Returns the ids of another resource's records that its rule allows. If the rule cannot select ids, tests every
 * record.
 */
function idsOf(
  { name, allow }: Declaration,
  knex: Knex,
  right: Right,
  principal: Principal,
): Knex.QueryBuilder {
  const tested = () =>
    knex(`${name} as r`)
      .select("r.id")
      .where((rights) => allow(rights, "r", right, principal));
  return allow.ids?.(knex, name, right, principal) ?? tested();
}

/**
 * Narrows a query to records that belong to a record of `resource` that `rule` allows. The column `column` of the
 * records, or of their link, refers to that record. Returns false, without changing the query, if `under` does not
 * contain these parents.
 */
export function narrowUnder(
  query: Knex.QueryBuilder,
  under: Under | undefined,
  by: Pick<Under, "alias" | "resource" | "column" | "link">,
  rule: (query: Knex.QueryBuilder, alias: string) => void,
): boolean {
  const isSo =
    under?.alias === by.alias &&
    under.resource === by.resource &&
    under.column === by.column &&
    under.link === by.link;
  if (!isSo) return false;
  const above = `${by.alias}_of`;
  query.whereIn(under.column, (some) => {
    some
      .select(`${above}.id`)
      .from(`${under.resource} as ${above}`)
      .whereRaw(`??.id = any(?::${under.idType}[])`, [above, arrayBinding(under.ids)])
      .where((rights) => rule(rights, above));
  });
  return true;
}

/**
 * Creates the rule that allows records whose `key` refers to a record of `parent` on which the caller has the right.
 */
export function allowThrough(parent: () => Declaration, key: string): Allow {
  return withIds(
    (query, alias, right, principal, under) => {
      const { name, allow } = parent();
      const by = { alias, resource: name, column: `${alias}.${key}` };
      const rule = (rights: Knex.QueryBuilder, each: string) =>
        allow(rights, each, right, principal);
      if (narrowUnder(query, under, by, rule)) return;
      const above = `${alias}_of`;
      query.whereExists((one) => {
        one
          .select(`${above}.id`)
          .from(`${name} as ${above}`)
          .where((rights) => rule(rights, above))
          .whereRaw(`??.id = ?? ${plannedOnce}`, [above, `${alias}.${key}`]);
      });
    },
    (knex, table, right, principal) =>
      knex(`${table} as c`)
        .select("c.id")
        .whereRaw("c.?? = any(array(?))", [key, idsOf(parent(), knex, right, principal)]),
    [key],
  );
}

/** Creates the rule that allows records linked to a record of `parent` on which the caller has the right. */
export function allowLinked(
  parent: () => Declaration,
  link: Link,
  keys: { readonly own: string; readonly parent: string },
): Allow {
  return withIds(
    (query, alias, right, principal) => {
      const { name, allow } = parent();
      const above = `${alias}_of`;
      query.whereExists((one) => {
        one
          .select(`${above}.id`)
          .from(`${link.table} as k`)
          .join(`${name} as ${above}`, `${above}.id`, `k.${keys.parent}`)
          .where((rights) => allow(rights, above, right, principal))
          .whereRaw(`k.?? = ??.id ${plannedOnce}`, [keys.own, alias]);
      });
    },
    (knex, _table, right, principal) =>
      knex(`${link.table} as k`)
        .select(`k.${keys.own}`)
        .whereRaw("k.?? = any(array(?))", [keys.parent, idsOf(parent(), knex, right, principal)]),
  );
}

/** Creates the rule that allows the caller's own records. */
export function allowOwner(key: string): Allow {
  return withIds(
    (query, alias, _right, { userId }) => {
      query.where(`${alias}.${key}`, userId);
    },
    (knex, table, _right, { userId }) =>
      knex(`${table} as r`).select("r.id").where(`r.${key}`, userId),
  );
}

/** Combines rules. The combined rule allows a record if any of the rules allows it. */
export function allowAny(...reasons: readonly Allow[]): Allow {
  const allow: Allow = (query, alias, right, principal, under) => {
    for (const reason of reasons)
      query.orWhere((one) => reason(one, alias, right, principal, under));
  };
  return withIds(
    allow,
    (knex, table, right, principal) => {
      const each = reasons.map(({ ids }) => ids?.(knex, table, right, principal));
      const [first, ...more] = each.flatMap((ids) => ids ?? []);
      return more.length + 1 === reasons.length ? first?.unionAll(more) : undefined;
    },
    reasons.flatMap(({ keys = [] }) => keys),
  );
}

/** Limits a rule, so that it gives at most the rights *read* and *use*. */
export function allowReading(reason: Allow): Allow {
  const isReading = (right: Right) => right === "read" || right === "use";
  const allow: Allow = (query, alias, right, principal, under) => {
    if (isReading(right)) reason(query, alias, right, principal, under);
    else query.whereRaw("false");
  };
  return withIds(
    allow,
    (knex, table, right, principal) =>
      isReading(right) ? reason.ids?.(knex, table, right, principal) : none(knex, table),
    reason.keys,
  );
}

/**
 * Narrows a query to records of the caller's organization, except those of other suborganizations. A user of a
 * suborganization can read records of the whole organization, but can change only records of the suborganization.
 */
export const allowOrganization: Allow = (query, alias, right, { userId, organizationId }) => {
  const isReading = right === "read" || right === "use";
  query.where(`${alias}.organization_id`, organizationId).whereRaw(
    `exists (select 1 from "user" me where me.id = ? and (me.suborganization is null
       or me.suborganization = ??.suborganization${isReading ? " or ??.suborganization is null" : ""}))`,
    [userId, alias, ...(isReading ? [alias] : [])],
  );
};

/**
 * Returns whether a caller acts as owner of the whole organization. Owners inside a suborganization are limited to it.
 */
export function ownsOrganization({ organizationRole, suborganization }: Principal): boolean {
  return organizationRole === "owner" && (suborganization ?? null) === null;
}
