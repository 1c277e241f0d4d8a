import type { Write, WriteColumn } from "../../plugins/protocol/index.ts";
import { writeAudit } from "../audit/index.ts";
import { ApiError } from "../errors.ts";
import { placeInStore, type Row } from "../resources/index.ts";
import type { PushContext, PushedDataset } from "./createDataset.ts";
import { encodeRows } from "./encodeRows.ts";
import { keepMeasures } from "./keepMeasures.ts";
import { inOrder, matchColumns, typeOf, type ColumnMatch } from "./matchColumns.ts";
import type { Push } from "./parsePush.ts";
import { storageMembers } from "./storageMembers.ts";

/**
 * Appends pushed rows to a dataset, or replaces its rows by them. The dataset's record is locked for the
 * time of the write, so that pushes of several hosts follow each other; the record is changed only when the store has the rows.
 * When the commit fails after that, the rows stay and the outbox settles the record by them.
 * @throws {ApiError} RECORD_NOT_FOUND, FORBIDDEN without the right to own, CONFLICT for rows that do not lie in the store, MEMBER_INVALID, DATA_CELL_INVALID
 */
export async function changeDataset(
  push: Push,
  id: string,
  context: PushContext,
): Promise<PushedDataset> {
  const { records, connections, outbox, keepFilters, principal, caller } = context;
  await refuseOthers(id, context);
  return outbox.guard({ action: "settle", securableId: id }, async (transaction) => {
    const locked = await records.change(
      "securable",
      id,
      { modifier_id: principal.userId, storage: connections.store.name },
      transaction,
    );
    const present = await records.find("column", { securable_id: id }, transaction);
    const existing = present.filter((column) => !column["expression"]);
    const match = matchColumns(push, existing, id, principal.userId);
    const vectors = encodeRows(push.rows, match.targets);
    const removed = match.removed.map((column) => column.id);
    const keptBy = { records, principal, knex: transaction, transaction };
    await keepFilters(id, removed, keptBy);
    if (match.removed.length > 0) await records.remove("column", removed, transaction);
    if (match.added.length > 0) await records.insertMany("column", match.added, transaction);
    for (const { id: columnId, order } of match.moved)
      await records.change("column", columnId, { order }, transaction);
    const isChanged = [match.removed, match.added, match.moved].some(({ length }) => length > 0);
    const found = isChanged
      ? await records.find("column", { securable_id: id }, transaction)
      : present;
    const columns = inOrder(found);
    const rows = {
      columnIds: match.targets.map((target) => target.id),
      batch: { rowCount: push.rows.length, columns: vectors },
    };
    // Its table is made with its first column, which may be one of this push.
    const isPlaced = Boolean(locked["shared_storage_version"]);
    if (!isPlaced)
      await placeInStore(connections.store, id, columnsOf(existing, match), caller.signal);
    const write = writeOf(push, id, isPlaced ? match : { ...match, added: [] }, rows);
    const rowCount = write
      ? (await connections.store.write(write, caller)).rowCount
      : locked["rows"];
    const securable = await records.change(
      "securable",
      id,
      { rows: rowCount, ...storageMembers(columns) },
      transaction,
    );
    const measured = write
      ? await keepMeasures(
          {
            datasetId: id,
            columns,
            vectors: new Map(
              rows.columnIds.flatMap((columnId, index) => {
                const vector = vectors[index];
                return vector ? [[columnId, vector]] : [];
              }),
            ),
            rowCount: Number(rowCount),
            pushedCount: push.rows.length,
          },
          context,
          transaction,
        )
      : columns;
    const event = { action: "create", resource: "data", recordId: id } as const;
    await writeAudit(records, context, { ...event, members: [push.type] }, transaction);
    return { securable, columns: measured, warnings: match.warnings };
  });
}

async function refuseOthers(
  id: string,
  { records, connections, principal }: PushContext,
): Promise<void> {
  const owned = (await records.visible("securable", [id], "own", principal)).get(id);
  const seen = owned ?? (await records.visible("securable", [id], "read", principal)).get(id);
  if (!seen) throw new ApiError("RECORD_NOT_FOUND", ["dataset", id.slice(0, 100)]);
  if (seen["type"] !== "dataset")
    throw new ApiError("MEMBER_INVALID", [
      "properties.securable_id",
      `${id} is a ${String(seen["type"])}; only datasets hold rows`,
    ]);
  if (!owned) throw new ApiError("FORBIDDEN", [`own the dataset ${id}`]);
  if (owned["storage"] === "client")
    throw new ApiError("CONFLICT", [
      `the rows of the dataset ${id} lie in its own source and are asked there; push to a dataset made by type create`,
    ]);
  if (owned["storage"] && owned["storage"] !== connections.store.name)
    throw new ApiError("CONFLICT", [
      `the rows of the dataset ${id} lie in ${String(owned["storage"] ?? "no store")}, this host writes to ${connections.store.name}`,
    ]);
}

/** The columns that a dataset without a table needs there: those that it has, and those that the push adds. */
function columnsOf(existing: readonly Row[], { added }: ColumnMatch): readonly WriteColumn[] {
  const present = existing.map((column) => ({ id: column.id, type: typeOf(column) }));
  return [...present, ...added.map(({ id, type }) => ({ id, type }))];
}

/** Undefined when there is nothing to write. */
function writeOf(
  push: Push,
  id: string,
  match: ColumnMatch,
  rows: Extract<Write, { action: "append" }>["rows"],
): Write | undefined {
  const addColumns = match.added.map(({ id, type }) => ({ id, type }));
  if (push.type === "append") {
    if (rows.batch.rowCount === 0 && addColumns.length === 0) return undefined;
    return { action: "append", id, rows, ...(addColumns.length > 0 && { addColumns }) };
  }
  const isReshaped = addColumns.length > 0 || match.removed.length > 0;
  if (!isReshaped) return { action: "replace", id, rows };
  const columns = match.targets.map((target) => ({ id: target.id, type: target.type }));
  return { action: "replace", id, rows, columns };
}
