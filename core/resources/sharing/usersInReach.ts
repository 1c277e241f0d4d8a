import type { Knex } from "knex";
import type { Principal } from "../../base/index.ts";
import { inOrganizationOfUser } from "../rights/allowUser.ts";

/** A user as people with whom something may be shared see them. */
export interface KnownUser {
  readonly id: string;
  readonly name: string | null;
  readonly email: string;
}

/** Returns, by id, those users who belong to the caller's organization and, if there is one, suborganization. */
export async function usersInReach(
  ids: readonly string[],
  principal: Principal,
  knex: Knex,
): Promise<ReadonlyMap<string, KnownUser>> {
  if (ids.length === 0) return new Map();
  const rows: KnownUser[] = await knex("user as u")
    .select("u.id", "u.name", "u.email")
    .whereRaw("u.id = any(?::uuid[])", [[...ids]])
    .where((query) => inOrganizationOfUser(query, "u", principal));
  return new Map(rows.map((row) => [row.id, row]));
}
