import {
  ApiError,
  type Connection,
  type ResourceRow,
  type WrittenValues,
} from "../../base/index.ts";
import type { Knex } from "knex";
import type { Batch, UpdateCounts, Write, WriteColumn } from "../../../plugins/protocol/index.ts";
import { addTask, countPush, writeAudit } from "../../catalog/index.ts";
import { sizeOfBatch } from "../../queries/index.ts";
import { placeInStore, storageMembers } from "../../resources/index.ts";
import type { PushContext, PushedDataset } from "./createDataset.ts";
import { fillStore } from "./fillStore.ts";
import type { MeasuredColumn, Measures } from "./measureColumns.ts";
import { recordMeasures, measure, measureFilled } from "./recordMeasures.ts";
import { inOrder, matchColumns, typeOf, type ColumnMatch, type PushShape } from "./matchColumns.ts";
import type { countRows, RowNotes } from "./countRows.ts";
import type { EncodedColumn } from "./encodeRows.ts";
import type { NamedWrite } from "./pushRequests.ts";
import { recordUpdatedSize } from "./recordUpdatedSize.ts";
import { checkKeys, findKey } from "./updateKey.ts";
import type { UpdateOptions } from "./updateOptions.ts";
import { keyColumns, noCounts, refuseUpdate, writeUpdate } from "./writeUpdate.ts";

/** A change to the rows of a dataset. */
export interface RowChange extends PushShape {
  /** How rows are changed by key; present for the type `update`, whose rows are not streamed. */
  readonly update?: UpdateOptions;
  /** Further members of the record. */
  readonly members?: WrittenValues<"securable">;
  /** Warnings about the rows. */
  readonly warnings?: readonly string[];
  /** Returns the rows for the columns that they match. */
  rowsFor(targets: ColumnMatch["targets"]): Promise<Batch | StreamedRows>;
}

/** Rows that are read while they are stored. */
export interface StreamedRows {
  /** Reads the rows. They are counted before they are passed on. */
  stream(notes: RowNotes): Pick<ReturnType<typeof countRows>, "batches" | "counted">;
}

/** The statistics of rows, by column id, and their number and size. */
interface Changed {
  readonly rowCount: number;
  readonly byteCount: number;
  readonly measures: ReadonlyMap<string, Measures>;
  /** What an update did; absent for other changes. */
  readonly counts?: UpdateCounts;
}

/**
 * Appends rows to a dataset, replaces its rows, or changes and deletes rows by key. Changes to the same dataset run one
 * after another. The record is changed after the rows are in the store. If changing the record fails, the rows remain,
 * and the outbox updates the record to match them.
 * @throws {ApiError} RECORD_NOT_FOUND, FORBIDDEN without the right `own`, CONFLICT for rows that are not in this host's
 * store, MEMBER_INVALID, DATA_CELL_INVALID, and the errors of streamed rows
 */
export async function changeDataset(
  push: RowChange,
  id: string,
  context: PushContext,
): Promise<PushedDataset> {
  const { records, connections, outbox, refuseFilteredColumns, principal, caller } = context;
  const { organizationId } = principal;
  const isAppend = push.type === "append";
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
        const content = await push.rowsFor(targets);
        if (key && !("stream" in content))
          checkKeys(keyColumns(key, match, content), content.rowCount);
        // The table is created together with its first column, which this push may add.
        const isPlaced = Boolean(owned.shared_storage_version);
        const rowsBefore =
          isPlaced && context.claim && isAppend
            ? await rowsOf(id, { ...context, connections: { store } })
            : 0;
        return {
          store,
          rowsBefore,
          rowsOfRecord: Number(owned.rows ?? 0),
          match,
          key,
          warnings,
          existing,
          isPlaced,
          content,
          stored: columnsOf(existing, match),
        };
      },
      async claim(transaction, { rowsBefore, rowsOfRecord, content, match }) {
        const { rowCount, byteCount } = knownSize(content);
        const gone =
          push.type === "replace"
            ? { rows: rowsOfRecord, bytes: (await context.quotas?.sizeOf(id, transaction)) ?? 0 }
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
      async write(prepared): Promise<Changed | undefined> {
        const { store, isPlaced, stored, content, match, existing, key } = prepared;
        if (!isPlaced) await placeInStore(store, id, stored, caller.signal);
        // If the table was just created, it has all columns.
        const placed = { ...prepared, match: isPlaced ? match : { ...match, added: [] } };
        const columns = [
          ...existing.filter((each) => !match.removed.includes(each)),
          ...match.added,
        ];
        const ofStore = { ...context, connections: { store } };
        if ("stream" in content) return writeStream(push, id, content, placed, columns, ofStore);
        const columnIds = match.targets.map((target) => target.id);
        const rows = { columnIds, batch: content };
        if (push.update && key)
          return writeUpdate({ id, ...push.update, key, rows, columns: existing }, store, context);
        const write = writeOf(push, id, placed.match, rows, stored);
        if (!write) return undefined;
        // Rows that a killed host has sent may still arrive in the store after these rows.
        const named = write.action === "append" ? { ...write, ...name } : write;
        const textCountsBefore = store.sizeOf?.(id)?.textCounts;
        const { rowCount } = await store.write(named, caller);
        const vectors = columnIds.map(
          (columnId, index) => [columnId, content.columns[index]!] as const,
        );
        const pushed = {
          vectors: new Map(vectors),
          rowCount,
          pushedCount: content.rowCount,
          ...(textCountsBefore && { textCountsBefore }),
        };
        return {
          rowCount,
          byteCount: sizeOfBatch(content),
          measures: await measure({ datasetId: id, columns, ...pushed }, ofStore),
        };
      },
      async commit(transaction, prepared, written) {
        const { store, match, warnings, existing, content, rowsOfRecord } = prepared;
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
            ...push.members,
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
        const { byteCount } = written ?? knownSize(content);
        const counts = push.update && (written?.counts ?? noCounts);
        if (counts) {
          const { rowCount: pushedCount } = knownSize(content);
          const updated = { rowsBefore: rowsOfRecord, counts, pushedCount, byteCount };
          await recordUpdatedSize(context, id, updated, transaction);
        } else await context.quotas?.recordSize(transaction, id, { byteCount, isAdded: isAppend });
        const all = [...(push.warnings ?? []), ...warnings];
        const pushed = { securable, columns: measured, warnings: all, ...(counts && { counts }) };
        await context.keep?.(pushed, transaction);
        return pushed;
      },
    },
  );
}

/** Returns the number and size of rows, as far as they are known before they are stored. */
function knownSize(content: Batch | StreamedRows): {
  readonly rowCount: number;
  readonly byteCount: number;
} {
  if ("stream" in content) return { rowCount: 0, byteCount: 0 };
  return { rowCount: content.rowCount, byteCount: sizeOfBatch(content) };
}

/** Stores streamed rows as one change. The quotas are checked before the rows become visible. */
async function writeStream(
  { type }: RowChange,
  id: string,
  { stream }: StreamedRows,
  {
    store,
    match,
    stored,
    rowsBefore,
    rowsOfRecord,
  }: {
    readonly store: Connection;
    readonly match: ColumnMatch;
    readonly stored: readonly WriteColumn[];
    readonly rowsBefore: number;
    readonly rowsOfRecord: number;
  },
  columns: readonly MeasuredColumn[],
  context: PushContext,
): Promise<Changed> {
  const { records, quotas, principal, caller } = context;
  const isAppend = type === "append";
  const { counted, batches } = stream({
    note: async () => undefined,
    end: ({ rows, bytes }) =>
      records.transaction(async (transaction) => {
        const goneBytes = isAppend ? 0 : ((await quotas?.sizeOf(id, transaction)) ?? 0);
        const added = {
          rows: rows - (isAppend ? 0 : rowsOfRecord),
          bytes: bytes - goneBytes,
        };
        await quotas?.refuseStored(principal.organizationId, added, transaction);
        // Columns that the push adds are lost in a crash, so the rows then do not count as those of this push.
        const rowsAdded = isAppend && match.added.length === 0 ? { rowsAdded: rows } : {};
        const count = { rowCount: added.rows, byteCount: added.bytes, ...rowsAdded };
        await countPush(transaction, id, count);
      }),
  });
  const columnIds = match.targets.map((target) => target.id);
  const added = isAppend
    ? match.added.map(({ id: columnId, type: of }) => ({ id: columnId, type: of }))
    : [];
  if (added.length > 0) await store.write({ action: "alter", id, add: added }, caller);
  const fill = {
    action: isAppend ? ("append" as const) : ("replace" as const),
    id,
    columnIds,
    ...(!isAppend && { columns: stored }),
  };
  const textCountsBefore = store.sizeOf?.(id)?.textCounts;
  const { rowCount } = await fillStore(store, fill, batches, caller).catch(
    async (failure: unknown) => {
      if (added.length > 0)
        await store
          .write({ action: "alter", id, drop: added.map((column) => column.id) }, caller)
          .catch(() => undefined);
      throw failure;
    },
  );
  const ranges = new Map(columnIds.map((columnId, index) => [columnId, counted.ranges[index]]));
  const rowCountBefore = isAppend ? Math.max(rowsBefore, rowCount - counted.rows) : 0;
  const filled = {
    datasetId: id,
    columns,
    ranges,
    rowCount,
    rowCountBefore,
    ...(textCountsBefore && { textCountsBefore }),
  };
  return {
    rowCount,
    byteCount: counted.bytes,
    measures: await measureFilled(filled, context),
  };
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

/**
 * Returns the record of a dataset whose rows the caller may change.
 * @throws {ApiError} RECORD_NOT_FOUND, MEMBER_INVALID, FORBIDDEN, CONFLICT
 */
export async function refuseOthers(
  id: string,
  store: Pick<Connection, "name">,
  { records, principal }: Pick<PushContext, "records" | "principal">,
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
  push: RowChange,
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
