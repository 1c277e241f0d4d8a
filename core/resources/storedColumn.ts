import type { Knex } from "knex";
import { ApiError } from "../errors.ts";
import { addTask } from "../outbox/index.ts";
import type { WriteColumn } from "../../plugins/protocol/index.ts";
import type { HookCall, KeyChange, Values } from "./kernel/index.ts";
import type { Row } from "./records.ts";

const storable = ["numeric", "datetime", "hierarchy"];

const isStored = (securable: Row, { context }: HookCall): boolean =>
  securable["type"] === "dataset" && securable["storage"] === context.connections.store.name;

/**
 * Gives a column that joins a stored dataset its place in the store, where its values are null until they are
 * pushed. A column that was there before finds its values again.
 * @throws {ApiError} CONFLICT when the store holds it with another type, MEMBER_INVALID for a type that cannot be stored
 */
export async function joinStored(
  { action, holder, target }: KeyChange,
  call: HookCall,
): Promise<void> {
  if (action === "dissociate" || holder["expression"] || !isStored(target, call)) return;
  const { store } = call.context.connections;
  const type = String(holder["type"]);
  if (!storable.includes(type))
    throw new ApiError("MEMBER_INVALID", [
      "type",
      `a column of a pushed dataset is one of ${storable.join(", ")}, not ${type}`,
    ]);
  const stored = (await store.datasets({ signal: call.signal })).find(({ id }) => id === target.id);
  const present = stored?.columns.find(({ id }) => id === holder.id);
  if (present && present.type !== type)
    throw new ApiError("CONFLICT", [
      `the values of the column ${holder.id} are ${present.type}, the column says ${type}`,
    ]);
  const added = { id: holder.id, type } as WriteColumn;
  if (!present)
    await store.write({ action: "alter", id: target.id, add: [added] }, { signal: call.signal });
}

/** Tells the store, with the deletion of a column, to drop its values. */
export async function leaveStored(
  column: Row,
  call: HookCall,
  transaction: Knex.Transaction,
): Promise<void> {
  if (column["expression"]) return;
  const [securable] = column["securable_id"]
    ? await call.context.records.find("securable", { id: column["securable_id"] }, transaction)
    : [];
  if (!securable || !isStored(securable, call)) return;
  const ids = { securableId: securable.id, columnId: column.id };
  await addTask(transaction, { action: "dropColumn", ...ids });
}

/**
 * Keeps the type of a column that belongs to a dataset: its values are of that type.
 * @throws {ApiError} CONFLICT
 */
export function keepType(column: Row, values: Values): void {
  const { type } = values;
  if (type === undefined || type === column["type"] || !column["securable_id"]) return;
  if (column["expression"])
    throw new ApiError("CONFLICT", [
      `the expression of the column ${column.id} gives ${String(column["type"])} so far, and would give ${String(type)}; create another column`,
    ]);
  throw new ApiError("CONFLICT", [
    `the values of the column ${column.id} are ${String(column["type"])}; to change that, replace the dataset's rows and columns with a push (type replace, update_metadata)`,
  ]);
}
