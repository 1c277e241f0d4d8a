import type { Knex } from "knex";
import { ApiError, type ResourceRow } from "../../base/index.ts";
import type { HookCall, KeyChange } from "../kernel/index.ts";

/** The value of `task` for a schedule whose slots copy the rows of a dataset. */
export const accelerationTask = "acceleration";

const refuse = (id: string, why: string) => new ApiError("ACCELERATION_REFUSED", [id, why]);

/**
 * Starts accelerating a dataset, in the transaction that associates it with the acceleration. Creates the record of the
 * copy, and a schedule whose first slot is now. When the acceleration is removed, a trigger of the catalog stops it.
 * @throws {ApiError} ACCELERATION_REFUSED
 */
export async function startAcceleration(
  { action, key, holder, target }: KeyChange<ResourceRow<"securable">>,
  { context: { records } }: HookCall,
  transaction: Knex.Transaction,
): Promise<void> {
  if (key !== "acceleration_id" || action !== "associate") return;
  const acceleration = target as ResourceRow<"acceleration">;
  const { id } = holder;
  if (holder.type !== "dataset") throw refuse(id, "it is a dashboard, which has no rows");
  if (holder.storage !== "client")
    throw refuse(
      id,
      "its rows are already in the store of this host, so a copy would not be faster",
    );
  if ((holder.source_parameters ?? []).length > 0)
    throw refuse(
      id,
      "its statement has parameters, so the rows depend on the caller; remove the parameters and use row filters",
    );
  await refuseOthersColumns(acceleration, id, records, transaction);
  const own = { securable_id: id };
  const [copy] = await records.find("datasetcopy", own, transaction);
  if (!copy) await records.insert("datasetcopy", own, transaction);
  const { frequency_unit = null, frequency_quantity = null } = acceleration.schedule ?? {};
  const now = new Date();
  const values = {
    frequency_unit,
    frequency_quantity,
    active: true,
    started_at: now,
    scheduled_at: now,
  };
  const task = { ...own, task: accelerationTask };
  const [made] = await records.find("schedule", task, transaction);
  if (made) await records.change("schedule", made.id, values, transaction);
  else
    await records.insert("schedule", { ...task, ...values, user_id: holder.owner_id }, transaction);
}

/** The members of an acceleration that refer to columns. */
const columnMembers = [
  "created_at_column_id",
  "updated_at_column_id",
  "deleted_at_column_id",
] as const;

async function refuseOthersColumns(
  acceleration: ResourceRow<"acceleration">,
  datasetId: string,
  records: HookCall["context"]["records"],
  transaction: Knex.Transaction,
): Promise<void> {
  const named = [
    ...columnMembers.map((member) => [member, acceleration[member]] as const),
    ...(acceleration.primary_key_column_ids ?? []).map(
      (id) => ["primary_key_column_ids", id] as const,
    ),
  ];
  const columns = await records.find("column", { securable_id: datasetId }, transaction);
  for (const [member, columnId] of named) {
    if (columnId === null) continue;
    const column = columns.find(({ id }) => id === columnId);
    if (!column || column.expression)
      throw refuse(
        datasetId,
        `${member} of the acceleration must name a column of the source; ${columnId} is not a column of it`,
      );
    if (member !== "primary_key_column_ids" && column.type !== "datetime")
      throw refuse(
        datasetId,
        `${member} of the acceleration must name a column of type datetime, not ${column.type}`,
      );
  }
}
