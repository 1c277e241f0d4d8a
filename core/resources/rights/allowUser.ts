import type { Knex } from "knex";
import { withIds } from "./allow.ts";
import type { Allow, Declaration } from "../kernel/index.ts";

/** Narrows a query to users in the caller's organization and in the caller's suborganization, if there is one. */
const inReach = `(exists (select 1 from organization_user l where l.user_id = ??.id and l.organization_id = ?)
  and (exists (select 1 from "user" me where me.id = ? and me.suborganization is null)
    or ??.suborganization = (select me.suborganization from "user" me where me.id = ?)))`;

/** Tests that the caller is an owner inside the user's suborganization. */
const ownsSuborganization = `exists (
  select 1 from organization_user l
    join organization_user mine on mine.organization_id = l.organization_id
    join "user" me on me.id = mine.user_id
   where l.user_id = ??.id and mine.user_id = ? and mine."flagSuborganizationOwn"
     and me.suborganization = ??.suborganization)`;

/** Selects the users of the caller's suborganization, if the caller has one. */
const beside = (knex: Knex, userId: string, organizationId: string) =>
  knex("user as u")
    .select("u.id")
    .join("organization_user as l", "l.user_id", "u.id")
    .whereRaw(`u.suborganization = (select me.suborganization from "user" me where me.id = ?)`, [
      userId,
    ])
    .where("l.organization_id", organizationId);

/**
 * Narrows a query to the caller and the users whom the caller manages, in the whole organization or in the caller's
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

/** Narrows a query to users of the caller's organization, except users of other suborganizations. */
export const inOrganizationOfUser: NonNullable<Declaration["inOrganization"]> = (
  query,
  alias,
  { userId, organizationId },
) => {
  query.whereRaw(inReach, [alias, organizationId, userId, alias, userId]);
};
