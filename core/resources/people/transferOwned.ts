import type { Knex } from "knex";
import { writeAudits } from "../../catalog/index.ts";
import { ApiError, type ResourceRow } from "../../base/index.ts";
import type { Declaration, HookCall } from "../kernel/index.ts";

/** Maximum number of ids per resource in a message. */
const namedCount = 3;

interface Owned {
  readonly declaration: Declaration;
  readonly ids: readonly string[];
}

/**
 * Lists the records that a user owns, and locks the user, so that no new record can get this owner before the
 * transaction ends.
 */
async function findOwned(
  userId: string,
  { context }: HookCall,
  transaction: Knex.Transaction,
): Promise<Owned[]> {
  const owned = [...context.declarations.values()].flatMap((declaration) =>
    declaration.ownedBy === undefined ? [] : [[declaration, declaration.ownedBy] as const],
  );
  await transaction("user").where({ id: userId }).forUpdate().first("id");
  const lists = owned.map(
    ([{ ownedIf = "true" }]) =>
      `select ?::text as resource, array_agg(id::text order by created_at, id) as ids from ?? where ?? = ? and ${ownedIf}`,
  );
  const { rows }: { rows: { resource: string; ids: string[] | null }[] } = await transaction.raw(
    lists.join(" union all "),
    owned.flatMap(([{ name }, key]) => [name, name, key, userId]),
  );
  const idsOf = new Map(rows.map(({ resource, ids }) => [resource, ids ?? []]));
  return owned.flatMap(([declaration]) => {
    const ids = idsOf.get(declaration.name) ?? [];
    return ids.length > 0 ? [{ declaration, ids }] : [];
  });
}

function describe(owned: readonly Owned[]): string {
  const parts = owned.map(({ declaration, ids }) => {
    const named = ids.slice(0, namedCount).join(", ");
    return `${ids.length} ${declaration.name}: ${named}${ids.length > namedCount ? ", …" : ""}`;
  });
  return parts.join("; ");
}

/**
 * Checks that the successor may own the records.
 * @throws {ApiError} RECORD_NOT_FOUND, FORBIDDEN, CONFLICT
 */
async function checkSuccessor(
  user: ResourceRow<"user">,
  successorId: string,
  owned: readonly Owned[],
  { context, principal }: HookCall,
  transaction: Knex.Transaction,
): Promise<void> {
  const declared = context.declarations.get("user");
  const found = await transaction("user as t")
    .where("t.id", successorId)
    .whereNot("t.id", user.id)
    .where((query) => declared?.inOrganization?.(query, "t", principal))
    .first("t.id");
  if (!found) throw new ApiError("RECORD_NOT_FOUND", ["user", successorId]);
  if (principal.organizationRole === "member")
    throw new ApiError("FORBIDDEN", ["act as an editor of the organization"]);
  const ownsIntegrations = owned.some(({ declaration }) => declaration.name === "integration");
  if (!ownsIntegrations) return;
  const owner = await transaction("organization_user")
    .where({ user_id: successorId, flagOwn: true })
    .first("user_id");
  if (!owner)
    throw new ApiError("CONFLICT", [
      "the user owns integrations, which only owners of the organization can own; send the id of an owner as successor_id",
    ]);
}

/**
 * Transfers a user's records to a successor, in the transaction that deletes the user. Records that act with their
 * owner's rights (alerts) are deleted with the user.
 * @throws {ApiError} CONFLICT that lists the user's records if there is no successor
 */
export async function transferOwned(
  user: ResourceRow<"user">,
  successorId: string | undefined,
  call: HookCall,
  transaction: Knex.Transaction,
): Promise<void> {
  const owned = await findOwned(user.id, call, transaction);
  if (successorId !== undefined) await checkSuccessor(user, successorId, owned, call, transaction);
  else if (owned.length > 0)
    throw new ApiError("CONFLICT", [
      `the user still owns records (${describe(owned)}); transfer them to another user with properties.successor_id, or delete them first`,
    ]);
  const { records } = call.context;
  for (const { declaration, ids } of owned) {
    const { name, ownedBy = "", ownedIf = "true", goesWithOwner } = declaration;
    if (goesWithOwner) await records.remove(name, ids, transaction);
    else
      await transaction(name)
        .where(ownedBy, user.id)
        .whereRaw(ownedIf)
        .update({ [ownedBy]: successorId, updated_at: new Date() });
    const change = goesWithOwner
      ? ({ action: "delete" } as const)
      : ({ action: "update", members: [ownedBy] } as const);
    const changes = ids.map((recordId) => ({ ...change, resource: name, recordId }));
    await writeAudits(records, call, changes, transaction);
  }
  // Delete the user's records that nobody else can see.
  await transaction.raw(
    `with free as (delete from "column" where user_id = ? and securable_id is null)
     delete from hierarchylevel where user_id = ? and column_id is null`,
    [user.id, user.id],
  );
}
