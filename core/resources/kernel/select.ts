import type { Knex } from "knex";
import type { Principal, Right } from "../../access/principal.ts";
import { ApiError } from "../../errors.ts";
import type { Declaration, Role } from "./declaration.ts";
import { shorten } from "./json.ts";
import { isUuid } from "./uuid.ts";

/** Of `ids`, the stored rows on which the caller has the right; every other id is absent. One statement. */
export async function selectAllowed(
  knex: Knex,
  declaration: Declaration,
  ids: readonly string[],
  right: Right,
  principal: Principal,
): Promise<Record<string, unknown>[]> {
  const known = ids.filter(isUuid);
  if (known.length === 0) return [];
  return knex(`${declaration.name} as t`)
    .select("t.*")
    .whereRaw("t.id = any(?::uuid[])", [known])
    .where((query) => declaration.allow(query, "t", right, principal));
}

const organizationRoles = ["member", "editor", "owner"] as const;

/**
 * Answers the stored row whose `member` (the id, mostly) is `id`, if the caller has the role on it.
 * @throws {ApiError} RECORD_NOT_FOUND when it does not exist or is not the caller's to see; FORBIDDEN when the caller sees it, but lacks the role
 */
export async function selectWithRole(
  knex: Knex,
  declaration: Declaration,
  id: unknown,
  role: Role,
  principal: Principal,
  member = "id",
): Promise<Record<string, unknown>> {
  const missing = () =>
    new ApiError("RECORD_NOT_FOUND", [
      declaration.name,
      typeof id === "string" ? shorten(id) : "without an id",
    ]);
  if (!isUuid(id)) throw missing();
  const { inOrganization } = declaration;
  const isOrganizational = role === "organizationMember" || role === "organizationEditor";
  const select = (right: Right): Promise<Record<string, unknown> | undefined> =>
    knex(`${declaration.name} as t`)
      .first("t.*")
      .where(`t.${member}`, id)
      .where((query) => {
        if (isOrganizational && inOrganization) inOrganization(query, "t", principal);
        else declaration.allow(query, "t", right, principal);
      });
  if (!isOrganizational) {
    const row = await select(role);
    if (row) return row;
    if (!(await select("read"))) throw missing();
    throw new ApiError("FORBIDDEN", [`${role} this ${declaration.name}`]);
  }
  const row = await select("read");
  if (!row) throw missing();
  const needed = role === "organizationEditor" ? "editor" : "member";
  if (organizationRoles.indexOf(principal.organizationRole) < organizationRoles.indexOf(needed))
    throw new ApiError("FORBIDDEN", [`act as ${needed} of the organization`]);
  return row;
}
