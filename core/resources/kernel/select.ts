import type { Knex } from "knex";
import { ApiError, isUuid, type Principal, type Right, type Row } from "../../base/index.ts";
import type { Cipher } from "../../catalog/index.ts";
import type { Declaration } from "./declaration.ts";
import type { OrganizationRole, Role } from "./role.ts";
import { idTypeOf, isId } from "./recordId.ts";
import { shorten } from "./shorten.ts";
import { loadRow } from "./rowForm.ts";

/** Returns the stored rows with the given ids on which the caller has the right. Executes one SQL statement. */
export async function selectAllowed(
  knex: Knex,
  declaration: Declaration,
  ids: readonly string[],
  right: Right,
  principal: Principal,
): Promise<Record<string, unknown>[]> {
  const known = ids.filter((id) => isId(declaration, id));
  if (known.length === 0) return [];
  return knex(`${declaration.name} as t`)
    .select("t.*")
    .whereRaw(`t.id = any(?::${idTypeOf(declaration)}[])`, [known])
    .where((query) => declaration.allow(query, "t", right, principal));
}

const standings = ["member", "editor", "owner"] as const;
const needed: { readonly [Each in OrganizationRole]: (typeof standings)[number] } = {
  organizationMember: "member",
  organizationEditor: "editor",
  organizationOwner: "owner",
};

/** Returns whether a role is a role in the organization rather than a right on a record. */
export function isOrganizational(role: Role): role is OrganizationRole {
  return Object.hasOwn(needed, role);
}

/**
 * Refuses callers whose role in the organization is too low.
 * @throws {ApiError} FORBIDDEN
 */
export function expectStanding(role: Role, { organizationRole }: Principal): void {
  if (!isOrganizational(role)) throw new TypeError(`${role} is a right on a record`);
  const standing = needed[role];
  if (standings.indexOf(organizationRole) < standings.indexOf(standing))
    throw new ApiError("FORBIDDEN", [`act as ${standing} of the organization`]);
}

/**
 * Returns the stored row in which `member` (usually the id) equals `id`, if the caller has the role on the record.
 * @throws {ApiError} RECORD_NOT_FOUND if the record does not exist or the caller may not see it; FORBIDDEN if the
 * caller sees the record but lacks the role
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
  if (typeof id !== "string" || (member === "id" ? !isId(declaration, id) : !isUuid(id)))
    throw missing();
  const { inOrganization } = declaration;
  const select = (right: Right): Promise<Record<string, unknown> | undefined> =>
    knex(`${declaration.name} as t`)
      .first("t.*")
      .where(`t.${member}`, id)
      .where((query) => {
        if (isOrganizational(role) && inOrganization) inOrganization(query, "t", principal);
        else declaration.allow(query, "t", right, principal);
      });
  if (!isOrganizational(role)) {
    const row = await select(role);
    if (row) return row;
    if (role === "read" || !(await select("read"))) throw missing();
    throw new ApiError("FORBIDDEN", [`${role} this ${declaration.name}`]);
  }
  const row = await select("read");
  if (!row) throw missing();
  expectStanding(role, principal);
  return row;
}

/**
 * Returns a record of a resource on which the caller has the role.
 * @throws {ApiError} RECORD_NOT_FOUND, FORBIDDEN
 */
export async function expectRow(
  context: {
    readonly knex: Knex;
    readonly cipher: Cipher;
    readonly declarations: ReadonlyMap<string, Declaration>;
  },
  resource: string,
  id: unknown,
  role: Role,
  principal: Principal,
): Promise<Row> {
  const { knex, cipher, declarations } = context;
  const declaration = declarations.get(resource);
  if (!declaration) throw new TypeError(`there is no resource ${resource}`);
  return loadRow(declaration, await selectWithRole(knex, declaration, id, role, principal), cipher);
}
