import type { Right } from "../access/principal.ts";
import type { Allow, Declaration, Link } from "./kernel/index.ts";

/** The flag of a link that says each right. */
export const flagOf: { readonly [Each in Right]: string } = {
  read: "flagRead",
  use: "flagUse",
  modify: "flagModify",
  own: "flagOwn",
};

/** Where a record is its owner's, and of those users and groups to whom a link gives the right. */
export interface Sharing {
  readonly ownerKey: string;
  /** The member of the links that names the record. */
  readonly recordKey: string;
  readonly users: Link;
  readonly groups?: Link;
}

/** Narrows a query to the records that the caller owns, or holds by the flags of a link, as a user or in a group. */
export function allowShared({ ownerKey, recordKey, users, groups }: Sharing): Allow {
  return (query, alias, right, { userId }) => {
    const flag = flagOf[right];
    query
      .where(`${alias}.${ownerKey}`, userId)
      .orWhereRaw("exists (select 1 from ?? l where l.?? = ??.id and l.user_id = ? and l.??)", [
        users.table,
        recordKey,
        alias,
        userId,
        flag,
      ]);
    if (groups?.flags?.includes(flag))
      query.orWhereRaw(
        "exists (select 1 from ?? l join membership m on m.group_id = l.group_id where l.?? = ??.id and m.user_id = ? and l.??)",
        [groups.table, recordKey, alias, userId, flag],
      );
  };
}

/** Narrows a query to the records of the caller's integrations that these have the right on. Nothing is owned that way. */
export function allowIntegrated(link: Link, recordKey: string): Allow {
  return (query, alias, right, { userId }) => {
    if (right === "own") query.whereRaw("false");
    else
      query.whereRaw(
        "exists (select 1 from ?? l join integration_membership m on m.integration_id = l.integration_id where l.?? = ??.id and m.user_id = ? and l.??)",
        [link.table, recordKey, alias, userId, flagOf[right]],
      );
  };
}

/** Narrows a query to the records whose `key` names a record of `parent` on which the caller has the right. */
export function allowThrough(parent: () => Declaration, key: string): Allow {
  return (query, alias, right, principal) => {
    const { name, allow } = parent();
    const above = `${alias}_of`;
    query.whereExists((one) => {
      one
        .select(`${above}.id`)
        .from(`${name} as ${above}`)
        .whereRaw("??.id = ??", [above, `${alias}.${key}`])
        .where((rights) => allow(rights, above, right, principal));
    });
  };
}

/** Narrows a query to the records that are linked to a record of `parent` on which the caller has the right. */
export function allowLinked(
  parent: () => Declaration,
  link: Link,
  keys: { readonly own: string; readonly parent: string },
): Allow {
  return (query, alias, right, principal) => {
    const { name, allow } = parent();
    const above = `${alias}_of`;
    query.whereExists((one) => {
      one
        .select(`${above}.id`)
        .from(`${link.table} as k`)
        .join(`${name} as ${above}`, `${above}.id`, `k.${keys.parent}`)
        .whereRaw("k.?? = ??.id", [keys.own, alias])
        .where((rights) => allow(rights, above, right, principal));
    });
  };
}

/** Narrows a query to the caller's own records. */
export function allowOwner(key: string): Allow {
  return (query, alias, _right, { userId }) => {
    query.where(`${alias}.${key}`, userId);
  };
}

/** Any of several reasons is enough. */
export function allowAny(...reasons: readonly Allow[]): Allow {
  return (query, alias, right, principal) => {
    for (const reason of reasons) query.orWhere((one) => reason(one, alias, right, principal));
  };
}

/** What narrows a query may only be read or used. */
export function allowReading(reason: Allow): Allow {
  return (query, alias, right, principal) => {
    if (right === "modify" || right === "own") query.whereRaw("false");
    else reason(query, alias, right, principal);
  };
}

/**
 * Narrows a query to the records of the caller's organization, without those of another suborganization. A user of a
 * suborganization reads what the organization keeps for all, and changes only what is of the suborganization.
 */
export const allowOrganization: Allow = (query, alias, right, { userId, organizationId }) => {
  const isReading = right === "read" || right === "use";
  query.where(`${alias}.organization_id`, organizationId).whereRaw(
    `exists (select 1 from "user" me where me.id = ? and (me.suborganization is null
       or me.suborganization = ??.suborganization${isReading ? " or ??.suborganization is null" : ""}))`,
    [userId, alias, ...(isReading ? [alias] : [])],
  );
};
