import type { Knex } from "knex";
import { ApiError, type Row } from "../../base/index.ts";
import type { HookCall } from "../kernel/index.ts";

const namedCount = 5;

/**
 * Refuses to delete a record that other records need. The message lists the ids of those that the caller may see.
 * @throws {ApiError} CONFLICT
 */
export async function refuseDependents(
  row: Row,
  {
    resource,
    key,
    without,
  }: { readonly resource: string; readonly key: string; readonly without: string },
  { context, principal }: HookCall,
  transaction: Knex.Transaction,
): Promise<void> {
  const counted: { count?: unknown } | undefined = await transaction(resource)
    .where(key, row.id)
    .count({ count: "*" })
    .first();
  const count = Number(counted?.count);
  if (count === 0) return;
  const seen: string[] = await transaction(`${resource} as t`)
    .where(`t.${key}`, row.id)
    .where((rights) => context.declarations.get(resource)?.allow(rights, "t", "read", principal))
    .orderBy("t.created_at")
    .limit(namedCount)
    .pluck("t.id");
  const named = seen.length === 0 ? "you may not see any of them" : seen.join(", ");
  const more = seen.length > 0 && seen.length < count ? ", …" : "";
  throw new ApiError("CONFLICT", [
    `${count} ${resource} (${named}${more}) ${without}; delete them first`,
  ]);
}
