import type { Knex } from "knex";
import { withIds } from "./allow.ts";
import type { Allow, Declaration } from "../kernel/index.ts";

/** Narrows to users whose suborganization the caller is not kept apart from. */
const inReach = `(exists (select 1 from organization_user l where l.user_id = ??.id and l.organization_id = ?)
  and (exists (select 1 from "user" me where me.id = ? and me.suborganization is null)
    or ??.suborganization = (select me.suborganization from "user" me where me.id = ?)))`;

/** The user's suborganization, and the caller is one of its owners. */
const ownsSuborganization = `exists (
  select 1 from organization_user l
    join organization_user mine on mine.organization_id = l.organization_id
    join "user" me on me.id = mine.user_id
   where l.user_id = ??.id and mine.user_id = ? and mine."flagSuborganizationOwn"
     and me.suborganization = ??.suborganization)`;

/** The users of the caller's suborganization, when the caller is in one. */
const beside = (knex: Knex, userId: string, organizationId: string) =>
  knex("user as u")
    .select("u.id")
    .join("organization_user as l", "l.user_id", "u.id")
    .whereRaw(`u.suborganization = (select me.suborganization from "user" me where me.id = ?)`, [
      userId,
    ])
    .where("l.organization_id", organizationId);

/**
 * Narrows a query to the caller, and to the users whom the caller rules: of the organization, or of the own
 * suborganization.
 */
export const allowUser: Allow = withIds(
  (query, alias, _right, { userId, organizationId, organizationRole }) => {
    query.where(`${alias}.id`, userId);
    if (organizationRole === "owner")
      query.orWhereRaw(inReach, [alias, organizationId, userId, alias, userId]);
    query.orWhereRaw(ownsSuborganization, [alias, userId, alias]);
  },
  (knex, _table, _right, { userId, organizationId, organizationRole }) => {
    const ruled = beside(knex, userId, organizationId);
    const me = knex("user as u").select("u.id").where("u.id", userId);
    if (organizationRole !== "owner")
      return me.unionAll([
        ruled.whereRaw(
          `exists (select 1 from organization_user mine where mine.user_id = ? and mine."flagSuborganizationOwn")`,
          [userId],
        ),
      ]);
    const everyone = knex("organization_user as l")
      .select("l.user_id")
      .where("l.organization_id", organizationId)
      .whereRaw(`exists (select 1 from "user" me where me.id = ? and me.suborganization is null)`, [
        userId,
      ]);
    return me.unionAll([ruled, everyone]);
  },
);

/** Narrows a query to users of the caller's organization, without users that suborganizations keep apart. */
export const inOrganizationOfUser: NonNullable<Declaration["inOrganization"]> = (
  query,
  alias,
  { userId, organizationId },
) => {
  query.whereRaw(inReach, [alias, organizationId, userId, alias, userId]);
};
