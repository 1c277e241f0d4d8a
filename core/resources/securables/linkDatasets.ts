import type { Knex } from "knex";
import { arrayBinding } from "../../catalog/index.ts";
import { ApiError, type ResourceRow, type Row, type Members } from "../../base/index.ts";
import type { HookCall } from "../kernel/index.ts";
import { securableDataset } from "../rights/links.ts";
import { datasetsOf } from "./contents.ts";

/** Links a dashboard to exactly those datasets that its contents use and that the caller may read. */
export async function linkDatasets(
  row: ResourceRow<"securable">,
  { context, principal }: HookCall,
  transaction: Knex.Transaction,
): Promise<void> {
  const named = arrayBinding(datasetsOf(row.contents));
  const declared = context.declarations.get("securable");
  if (!declared) throw new TypeError("there is no resource securable");
  const readable: string[] = await transaction("securable as t")
    .whereRaw("t.id = any(?::uuid[]) and t.type = 'dataset'", [named])
    .where((rights) => declared.allow(rights, "t", "read", principal))
    .pluck("t.id");
  const links = readable.map((dataset_id) => ({ dashboard_id: row.id, dataset_id }));
  await transaction(securableDataset.table).where({ dashboard_id: row.id }).delete();
  if (links.length > 0) await transaction(securableDataset.table).insert(links);
}

/** Refuses a link that is not between a dashboard and a dataset. The call may name them in either order. */
export function checkDashboard(one: ResourceRow<"securable">, other: Row & Members<"type">): void {
  if (one.type === other.type)
    throw new ApiError("CONFLICT", [
      "Datasets and Dashboards must link a dashboard with a dataset",
    ]);
}
