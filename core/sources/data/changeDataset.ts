import { ApiError, type Connection, type ResourceRow } from "../../base/index.ts";
import type { Knex } from "knex";
import {
  PluginError,
  type BatchColumn,
  type NamedBatch,
  type UpdateCounts,
  type UpdateRefusal,
  type Write,
  type WriteColumn,
} from "../../../plugins/protocol/index.ts";
import { addTask, writeAudit } from "../../catalog/index.ts";
import { sizeOfBatch } from "../../queries/index.ts";
import { placeInStore, storageMembers } from "../../resources/index.ts";
import type { PushContext, PushedDataset } from "./createDataset.ts";
import { recordMeasures, measure } from "./recordMeasures.ts";
import { measureUpdated } from "./measureUpdated.ts";
import { inOrder, matchColumns, typeOf, type ColumnMatch } from "./matchColumns.ts";
import type { EncodedColumn } from "./encodeRows.ts";
import type { Push } from "./parsePush.ts";
import type { UpdateOptions } from "./updateOptions.ts";
import type { NamedWrite } from "./pushRequests.ts";
import { recordUpdatedSize } from "./recordUpdatedSize.ts";
import { checkKeys, findKey, invalidData, listRows } from "./updateKey.ts";

/**
 * Appends pushed rows to a dataset, replaces its rows, or changes and deletes rows by key. Pushes to the same dataset
 * run one after another. The record is changed after the rows are in the store. If changing the record fails, the rows
 * remain, and the outbox updates the record to match them.
 * @throws {ApiError} RECORD_NOT_FOUND, FORBIDDEN without the right `own`, CONFLICT for rows that are not in this host's
 * store, MEMBER_INVALID, DATA_CELL_INVALID
 */
export async function changeDataset(
  push: Push,
  id: string,
  context: PushContext,
): Promise<PushedDataset> {
  const { records, connections, outbox, refuseFilteredColumns, principal, caller } = context;
  let name: NamedWrite | undefined;
  return outbox.guard(
    { action: "settle", securableId: id },
    {
      async prepare() {
        // While this push waited for its turn, the dataset may have been moved from another store.
        const store = connections.elsewhere?.get(id) ?? connections.store;
        const owned = await refuseOthers(id, store, context);
        const present = await records.find("column", { securable_id: id });
        const existing = present.filter((column) => !column.expression);
        if (push.update) refuseUpdate(store, existing, owned);
        const match = matchColumns(push, existing, id, principal.userId);
        const key = push.update && findKey(push, push.update, match);
        const removed = match.removed.map((column) => column.id);
        if (removed.length > 0)
          await records.transaction((transaction) =>
            refuseFilteredColumns(id, removed, {
              records,
              principal,
              knex: transaction,
              transaction,
            }),
          );
        const warnings = [...match.warnings];
        const added = new Set(match.added.map((column) => column.id));
        const targets = match.targets.map((target) =>
          added.has(target.id)
            ? target
            : { ...target, countNumberTexts: warnerOf(target, warnings) },
        );
        const rows = {
          columnIds: match.targets.map((target) => target.id),
          batch: { rowCount: push.rows.count, columns: await push.rows.encode(targets) },
        };
        if (key) checkKeys(keyColumns(key, rows), rows.batch.rowCount);
        // The table is created together with its first column, which this push may add.
        const isPlaced = Boolean(owned.shared_storage_version);
        const stored = columnsOf(existing, match);
        const write =
          push.update && key
            ? updateOf(push.update, id, key, rows)
            : writeOf(push, id, isPlaced ? match : { ...match, added: [] }, rows, stored);
        const byteCount = sizeOfBatch(rows.batch);
        const rowsBefore =
          isPlaced && context.claim && push.type === "append"
            ? await rowsOf(id, { ...context, connections: { store } })
            : 0;
        const replaced = { rows: Number(owned.rows ?? 0) };
        return {
          store,
          rowsBefore,
          byteCount,
          replaced,
          match,
          warnings,
          existing,
          isPlaced,
          rows,
          stored,
          write,
        };
      },
      async claim(transaction, { rowsBefore, byteCount, replaced, rows, match }) {
        const { organizationId } = principal;
        const isAppend = push.type === "append";
        const { rowCount } = rows.batch;
        const gone =
          push.type === "replace"
            ? { ...replaced, bytes: (await context.quotas?.sizeOf(id, transaction)) ?? 0 }
            : { rows: 0, bytes: 0 };
        // Only the store knows which rows of an update it inserts. Until then, all of them count.
        const added =
          push.update && push.update.missing !== "insert"
            ? { rows: 0, bytes: 0 }
            : { rows: rowCount - gone.rows, bytes: byteCount - gone.bytes };
        await context.quotas?.refuseStored(organizationId, added, transaction);
        const call = await context.claim?.(id, transaction);
        // Columns that a push adds get different ids when the call is repeated.
        name = match.added.length === 0 ? call?.write : undefined;
        // A crash may leave new columns out of the catalog. The stored rows then lack cells that were pushed, so they
        // do not count as the rows of this push.
        const known = match.added.length > 0 ? 0 : rowCount;
        const rowsOfCall = isAppend ? { before: rowsBefore, added: known } : null;
        return {
          organizationId,
          rowCount: added.rows,
          byteCount: added.bytes,
          ...(call && { request: { ...call, rows: rowsOfCall } }),
        };
      },
      async write({ store, match, existing, isPlaced, rows, stored, write }) {
        if (!isPlaced) await placeInStore(store, id, stored, caller.signal);
        if (!write) return undefined;
        // Rows that a killed host has sent may still arrive in the store after these rows.
        const named = write.action === "append" ? { ...write, ...name } : write;
        const { rowCount, counts, refused } = await store.write(named, caller);
        if (refused) throw refusalOf(refused);
        const { columnIds, batch } = rows;
        if (named.action === "update") {
          if (!counts)
            throw new PluginError("PLUGIN_BAD_ANSWER", ["the store did not return counts"]);
          const update = { datasetId: id, columns: existing, rowCount, counts, written: named };
          return {
            rowCount,
            counts,
            measures: await measureUpdated(update, { ...context, store }),
          };
        }
        const vectors = columnIds.map(
          (columnId, index) => [columnId, batch.columns[index]!] as const,
        );
        const pushed = { vectors: new Map(vectors), rowCount, pushedCount: batch.rowCount };
        const columns = [
          ...existing.filter((each) => !match.removed.includes(each)),
          ...match.added,
        ];
        return {
          rowCount,
          counts: undefined,
          measures: await measure(
            { datasetId: id, columns, ...pushed },
            { ...context, connections: { store } },
          ),
        };
      },
      async commit(transaction, prepared, written) {
        const { store, match, warnings, existing, byteCount, replaced } = prepared;
        // From this point on, no column can be added or removed.
        await records.lock("securable", id, transaction);
        const present = await records.find("column", { securable_id: id }, transaction);
        const known = new Set(existing.map((column) => column.id));
        // While the replace ran, columns were added to the record. The replace has removed these columns from the
        // store.
        if (present.some((column) => !column.expression && !known.has(column.id)))
          await addTask(transaction, { action: "settle", securableId: id });
        const columns = await changeColumns(match, present, context, transaction);
        const securable = await records.change(
          "securable",
          id,
          {
            ...(written && { rows: written.rowCount }),
            ...storageMembers(columns),
            modifier_id: principal.userId,
            storage: store.name,
          },
          transaction,
        );
        const action = push.update ? "update" : "create";
        const event = { action, resource: "data", recordId: id } as const;
        const members = push.update ? [push.update.deletes ? "delete" : "replace"] : [push.type];
        await writeAudit(records, context, { ...event, members }, transaction);
        const measured = written
          ? await recordMeasures(written.measures, columns, records, transaction)
          : columns;
        const counts = push.update && (written?.counts ?? noCounts);
        if (counts)
          await recordUpdatedSize(
            context,
            id,
            { ...replaced, counts, push, byteCount },
            transaction,
          );
        else
          await context.quotas?.recordSize(transaction, id, {
            byteCount,
            isAdded: push.type === "append",
          });
        const pushed = {
          securable,
          columns: measured,
          warnings,
          ...(counts && { counts }),
        };
        await context.keep?.(pushed, transaction);
        return pushed;
      },
    },
  );
}

/** Returns a function that adds a warning about the strings that were read as numbers in a column. */
function warnerOf({ name }: EncodedColumn, warnings: string[]): (count: number) => void {
  return (count) => {
    const strings =
      count === 1 ? "1 string was read as a number" : `${count} strings were read as numbers`;
    warnings.push(
      `${strings} in the column ${JSON.stringify(name.slice(0, 100))}; send JSON numbers`,
    );
  };
}

/**
 * Returns the number of rows of a dataset in the store, including rows of pushes that were not committed. Queries only
 * a store that does not know the size of its datasets.
 */
async function rowsOf(id: string, { connections, caller }: PushContext): Promise<number> {
  const size = connections.store.sizeOf?.(id);
  if (size) return size.rowCount;
  const count = { column_id: "*", aggregation: "count" } as const;
  const query = { id, columns: [count], filters: [], options: { pushdown: true } };
  const { columns } = await connections.store.query(query, { id, columns: [] }, caller);
  const [counted] = columns;
  return counted?.type === "numeric" ? (counted.values[0] ?? 0) : 0;
}

/** Removes, adds and moves columns of a record as the push requires. Returns all columns in order. */
async function changeColumns(
  { removed, added, moved }: ColumnMatch,
  present: readonly ResourceRow<"column">[],
  { records }: PushContext,
  transaction: Knex.Transaction,
): Promise<readonly ResourceRow<"column">[]> {
  const gone = new Set(removed.map((column) => column.id));
  if (gone.size > 0) await records.remove("column", [...gone], transaction);
  const inserted = added.length > 0 ? await records.insertMany("column", added, transaction) : [];
  const orders = new Map(moved.map((column) => [column.id, column.order]));
  const kept: ResourceRow<"column">[] = [];
  for (const column of present.filter(({ id }) => !gone.has(id))) {
    const order = orders.get(column.id);
    const isMoved = order !== undefined;
    kept.push(isMoved ? await records.change("column", column.id, { order }, transaction) : column);
  }
  return inOrder([...kept, ...inserted]);
}

async function refuseOthers(
  id: string,
  store: Pick<Connection, "name">,
  { records, principal }: PushContext,
): Promise<ResourceRow<"securable">> {
  const owned = (await records.visible("securable", [id], "own", principal)).get(id);
  const seen = owned ?? (await records.visible("securable", [id], "read", principal)).get(id);
  if (!seen) throw new ApiError("RECORD_NOT_FOUND", ["dataset", id.slice(0, 100)]);
  if (seen.type !== "dataset")
    throw new ApiError("MEMBER_INVALID", [
      "properties.securable_id",
      `${id} is a ${String(seen.type)}; only datasets have rows`,
    ]);
  if (!owned) throw new ApiError("FORBIDDEN", [`own the dataset ${id}`]);
  if (owned.storage === "client")
    throw new ApiError("CONFLICT", [
      `the dataset ${id} is live: its rows are in its own source; push to a dataset that was created with type create`,
    ]);
  if (owned.storage !== store.name)
    throw new ApiError("CONFLICT", [
      `the rows of the dataset ${id} are in ${String(owned.storage)}, but this host writes to ${store.name}`,
    ]);
  return owned;
}

/**
 * Returns the columns that a dataset has in the store after a push: those that it keeps and those that the push adds.
 */
function columnsOf(
  existing: readonly ResourceRow<"column">[],
  { added, removed }: ColumnMatch,
): readonly WriteColumn[] {
  const present = existing
    .filter((column) => !removed.includes(column))
    .map((column) => ({ id: column.id, type: typeOf(column) }));
  return [...present, ...added.map(({ id, type }) => ({ id, type }))];
}

/**
 * Returns the write of a push; undefined if there is nothing to write. A replace includes the columns, so that it
 * repairs a dataset that cannot be read.
 */
function writeOf(
  push: Push,
  id: string,
  match: ColumnMatch,
  rows: Extract<Write, { action: "append" }>["rows"],
  columns: readonly WriteColumn[],
): Write | undefined {
  const addColumns = match.added.map(({ id, type }) => ({ id, type }));
  if (push.type === "append") {
    if (rows.batch.rowCount === 0 && addColumns.length === 0) return undefined;
    return { action: "append", id, rows, ...(addColumns.length > 0 && { addColumns }) };
  }
  return { action: "replace", id, rows, columns };
}

const noCounts: UpdateCounts = { updated: 0, inserted: 0, deleted: 0, ignored: 0 };

/**
 * Refuses an update of a dataset that has no columns, and of a store that cannot update.
 * @throws {ApiError} MEMBER_INVALID, CONFLICT
 */
function refuseUpdate(
  store: Pick<Connection, "capabilities" | "name">,
  existing: readonly ResourceRow<"column">[],
  { id }: ResourceRow<"securable">,
): void {
  if (existing.length === 0)
    throw new ApiError("MEMBER_INVALID", [
      "properties.securable_id",
      `the dataset ${id} has no columns yet; push its first rows with create and type append`,
    ]);
  if (!store.capabilities.update)
    throw new ApiError("CONFLICT", [
      `the store ${store.name} cannot change rows by key; replace the rows with create and type replace`,
    ]);
}

type UpdateWrite = Extract<Write, { action: "update" }>;

function updateOf(
  { missing, deletes }: UpdateOptions,
  id: string,
  key: ColumnMatch["targets"],
  rows: NamedBatch,
): UpdateWrite | undefined {
  if (rows.batch.rowCount === 0) return undefined;
  return { action: "update", id, rows, key: key.map((target) => target.id), missing, deletes };
}

function keyColumns(
  key: ColumnMatch["targets"],
  { columnIds, batch }: NamedBatch,
): readonly BatchColumn[] {
  return key.flatMap(({ id }) => batch.columns[columnIds.indexOf(id)] ?? []);
}

function refusalOf({ reason, rows }: UpdateRefusal): ApiError {
  return invalidData(
    reason === "missing"
      ? `no stored row has the key of ${listRows(rows)}; set options.missing to insert or ignore, or leave these rows out`
      : `several stored rows have the key of ${listRows(rows)}, and the header does not name all columns, so that their other values would be lost; name all columns in options.header`,
  );
}
