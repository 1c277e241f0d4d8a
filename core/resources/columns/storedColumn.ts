import type { Knex } from "knex";
import { dataTypes, isDataType } from "../../../plugins/protocol/index.ts";
import { ApiError, type Connection, type ResourceRow, type Row } from "../../base/index.ts";
import { addTask } from "../../catalog/index.ts";
import type { HookCall, KeyChange, Values } from "../kernel/index.ts";
import { placeInStore } from "./placeInStore.ts";
import { storageMembers } from "./storageMembers.ts";

const storeOf = (id: unknown, { connections }: HookCall["context"]): Connection =>
  connections.elsewhere?.get(String(id)) ?? connections.store;

const isStored = ({ id, type, storage }: Row, { context }: HookCall): boolean =>
  type === "dataset" && storage === storeOf(id, context).name;

/**
 * Adds a column to the store when it is associated with a stored dataset, and keeps the dataset's list of columns
 * right. Its values are null until they are pushed. The first column creates the dataset's table. A column that was
 * removed earlier gets its old values back.
 * @throws {ApiError} CONFLICT if the store has the column with another type, MEMBER_INVALID for a type that cannot be
 * stored
 */
export async function joinStored(
  { action, holder, target }: KeyChange<ResourceRow<"column">>,
  call: HookCall,
  transaction: Knex.Transaction,
): Promise<void> {
  if (holder.expression || !isStored(target, call)) return;
  if (action === "dissociate") return recordColumns(target.id, holder, [], call, transaction);
  const store = storeOf(target.id, call.context);
  const { type } = holder;
  if (!isDataType(type))
    throw new ApiError("MEMBER_INVALID", [
      "type",
      `a column of a pushed dataset must be one of ${dataTypes.join(", ")}, not ${type}`,
    ]);
  await recordColumns(target.id, holder, [holder], call, transaction);
  await placeInStore(store, target.id, [{ id: holder.id, type }], call.signal);
}

/**
 * Lists the stored columns in the record of a dataset: `joined` in place of `column`, and all others. Locks the record
 * first, because clients create and delete the columns of a dataset concurrently.
 */
async function recordColumns(
  datasetId: string,
  column: ResourceRow<"column">,
  joined: readonly ResourceRow<"column">[],
  { context: { records } }: HookCall,
  transaction: Knex.Transaction,
): Promise<void> {
  await records.lock("securable", datasetId, transaction);
  const present = await records.find("column", { securable_id: datasetId }, transaction);
  const others = present.filter(({ id }) => id !== column.id);
  await records.change("securable", datasetId, storageMembers([...others, ...joined]), transaction);
}

/** Makes the store drop the values of a column, in the transaction that deletes the column. */
export async function leaveStored(
  column: ResourceRow<"column">,
  call: HookCall,
  transaction: Knex.Transaction,
): Promise<void> {
  if (column.expression) return;
  const [securable] = column.securable_id
    ? await call.context.records.find("securable", { id: column.securable_id }, transaction)
    : [];
  if (!securable || !isStored(securable, call)) return;
  await recordColumns(securable.id, column, [], call, transaction);
  const ids = { securableId: securable.id, columnId: column.id };
  await addTask(transaction, { action: "dropColumn", ...ids });
}

/**
 * Refuses to change the type of a column that belongs to a dataset, because its stored values have that type.
 * @throws {ApiError} CONFLICT
 */
export function refuseOtherType(column: ResourceRow<"column">, values: Values): void {
  const { type } = values;
  if (type === undefined || type === column.type || !column.securable_id) return;
  if (column.expression)
    throw new ApiError("CONFLICT", [
      `the expression of the column ${column.id} has type ${String(column.type)}, and the new expression has type ${String(type)}; create another column`,
    ]);
  throw new ApiError("CONFLICT", [
    `the values of the column ${column.id} have type ${String(column.type)}; to change the type, replace the dataset's rows and columns with a push (type replace, update_metadata)`,
  ]);
}
