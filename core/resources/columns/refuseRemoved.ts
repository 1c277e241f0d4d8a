import type { Knex } from "knex";
import { ApiError, type ResourceRow } from "../../base/index.ts";
import type { HookCall, KeyChange } from "../kernel/index.ts";

type Removed = Pick<ResourceRow<"column">, "expression" | "securable_id" | "source_name">;

const table = "removed_column";

/**
 * Returns the name of a source's column as lenient sources compare it: ignoring case, accents and surrounding spaces.
 */
function comparableName({ source_name: name }: Removed): string | undefined {
  return name === null ? undefined : comparable(name);
}

function comparable(name: string): string {
  return name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().trim();
}

/**
 * Returns a function that says whether an owner removed the source's column with the given name from a live dataset.
 */
export async function readRemoved(
  datasetId: string,
  knex: Knex,
): Promise<(source_name: string) => boolean> {
  const names: readonly string[] = await knex(table)
    .where({ securable_id: datasetId })
    .pluck("source_name");
  const removed = new Set(names);
  return (name) => removed.has(comparable(name));
}

/** Records that an owner removed a source's column from its dataset, in the transaction of the removal. */
export async function markRemoved(column: Removed, knex: Knex): Promise<void> {
  const source_name = comparableName(column);
  if (source_name === undefined || column.expression) return;
  await knex(table)
    .insert({ securable_id: column.securable_id, source_name })
    .onConflict(["securable_id", "source_name"])
    .ignore();
}

/**
 * Refuses to restore a source's column that an owner removed from a live dataset. Owners may restore the column, which
 * then no longer counts as removed.
 * @throws {ApiError} FORBIDDEN
 */
export async function refuseRemoved(
  { action, holder, target }: KeyChange<ResourceRow<"column">>,
  { context: { records }, principal }: HookCall,
  transaction: Knex.Transaction,
): Promise<void> {
  const source_name = comparableName(holder);
  const isLive = typeof target["account_id"] === "string";
  if (!isLive || source_name === undefined || holder.expression) return;
  const isOwner = async () =>
    (await records.visible("securable", [target.id], "own", principal, transaction)).size > 0;
  const removed = { securable_id: target.id, source_name };
  if (action === "dissociate") {
    if (await isOwner()) await markRemoved({ ...holder, securable_id: target.id }, transaction);
    return;
  }
  const [found]: readonly object[] = await transaction(table).select("source_name").where(removed);
  if (!found) return;
  if (!(await isOwner()))
    throw new ApiError("FORBIDDEN", [
      "restore a column that an owner of this dataset removed; only owners have this right",
    ]);
  await transaction(table).where(removed).delete();
}
