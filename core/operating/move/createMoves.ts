import { randomUUID } from "node:crypto";
import {
  ApiError,
  type Caller,
  type Connection,
  type Connections,
  type Records,
} from "../../base/index.ts";
import { addTask, type Outbox } from "../../catalog/index.ts";
import type { Batch, Dataset } from "../../../plugins/protocol/index.ts";
import { createChecksums, type Checksums } from "./createChecksums.ts";

/** A dataset that was moved, with the number of its rows. */
export interface Moved {
  readonly id: string;
  readonly rowCount: number;
}

/** A dataset whose rows are in another store than the host's. */
export interface LeftDataset {
  readonly id: string;
  readonly store: string;
  readonly rowCount: number;
}

/** Moves a host's datasets into its store. */
export interface Moves {
  /** Lists the datasets that are still in another store. */
  left(): Promise<readonly LeftDataset[]>;
  /**
   * Copies a dataset into the host's store, compares both copies, and switches to the new copy. Undefined if the
   * dataset is already in that store. In the meantime queries are answered, and pushes to this dataset wait. After a
   * failure or a crash the dataset is unchanged. The old rows are dropped after the queries that use them have ended.
   * @throws {ApiError} RECORD_NOT_FOUND, CONFLICT if the copies differ
   */
  move(id: string): Promise<Moved | undefined>;
}

export interface MovesOptions {
  readonly records: Pick<Records, "find" | "change">;
  readonly connections: Pick<Connections, "store" | "elsewhere">;
  readonly outbox: Pick<Outbox, "guard">;
  /** Slugs of all stores. Datasets in a store that is not listed are reported and not moved. */
  readonly stores: readonly string[];
  /** Milliseconds after which no running query uses the old rows any longer. */
  readonly questionMs: number;
  /** Called after each attempt to move a dataset. */
  readonly onSwitched: () => Promise<void> | void;
}

interface Prepared {
  readonly source: Connection;
  readonly dataset: Dataset;
}

/** Creates the moves of a host. They need no closing. */
export function createMoves(options: MovesOptions): Moves {
  const { records, connections, outbox, stores, questionMs, onSwitched } = options;
  const { store } = connections;
  const elsewhere = connections.elsewhere ?? new Map<string, Connection>();
  const caller = { signal: new AbortController().signal };

  const copy = async ({ source, dataset }: Prepared): Promise<number> => {
    const { id, columns } = dataset;
    const isThere = (await store.datasets(caller)).some((stored) => stored.id === id);
    // An earlier move that was interrupted started this copy, and no query uses it.
    if (isThere) await store.write({ action: "drop", id }, caller);
    const written = columns.map((column) => ({ id: column.id, type: column.type }));
    await store.write({ action: "create", id, columns: written, rowsFollow: true }, caller);
    const columnIds = columns.map((column) => column.id);
    const [given, taken] = [createChecksums(columnIds), createChecksums(columnIds)];
    let rowCount = 0;
    await readAll(source, dataset, caller, async (batch) => {
      rowCount += batch.rowCount;
      await given.add(batch);
      await store.write({ action: "append", id, rows: { columnIds, batch } }, caller);
    });
    await readAll(store, dataset, caller, (batch) => taken.add(batch));
    refuseDifference(id, [source.name, given], [store.name, taken]);
    return rowCount;
  };

  return {
    async left() {
      const others = stores.filter((slug) => slug !== store.name);
      const found = await records.find("securable", { type: "dataset", storage: others });
      return found
        .filter(({ shared_storage_version: version }) => version)
        .map(({ id, storage, rows }) => ({ id, store: String(storage), rowCount: rows ?? 0 }));
    },
    async move(id) {
      const [record] = await records.find("securable", { id });
      if (!record) throw new ApiError("RECORD_NOT_FOUND", ["dataset", id.slice(0, 100)]);
      const { storage, shared_storage_version: version } = record;
      if (!elsewhere.has(id) && version && storage !== store.name)
        throw new ApiError("CONFLICT", [
          `the rows of the dataset ${id} are in ${String(storage)}, and this host cannot read them; run the move on the host that has them, with the settings of ${String(storage)}`,
        ]);
      let source: Connection | undefined;
      try {
        return await outbox.guard<Prepared | undefined, number, Moved | undefined>(
          { action: "drop", securableId: id },
          {
            async prepare() {
              source = elsewhere.get(id);
              if (!source) return undefined;
              const stored = await source.datasets(caller);
              const dataset = stored.find((each) => each.id === id);
              if (!dataset)
                throw new ApiError("CONFLICT", [
                  `${source.name} cannot read the dataset ${id}; replace its rows with a push, and move again`,
                ]);
              return { source, dataset };
            },
            write: async (prepared) => (prepared ? copy(prepared) : 0),
            async commit(transaction, prepared, rowCount) {
              if (!prepared) return undefined;
              await addTask(transaction, { action: "drop", securableId: id }, questionMs);
              const version = { storage: store.name, shared_storage_version: randomUUID() };
              await records.change("securable", id, { ...version, rows: rowCount }, transaction);
              // Switch before the commit, because both stores contain the same rows now.
              elsewhere.delete(id);
              return { id, rowCount };
            },
          },
        );
      } catch (failure) {
        if (source) elsewhere.set(id, source);
        throw failure;
      } finally {
        await onSwitched();
      }
    },
  };
}

async function readAll(
  connection: Connection,
  { id, columns }: Dataset,
  caller: Caller,
  take: (batch: Batch) => Promise<void>,
): Promise<void> {
  if (columns.length === 0) return;
  const query = {
    id,
    columns: columns.map((column) => ({ column_id: column.id })),
    filters: [],
    options: { pushdown: false },
  };
  if (!connection.scan) throw new Error(`${connection.name} cannot read a dataset completely`);
  await connection.scan(query, { id, columns }, caller, take);
}

type Side = readonly [store: string, checksums: Checksums];

/**
 * Refuses a copy whose cells differ from the original.
 * @throws {ApiError} CONFLICT that names the first column that differs
 */
function refuseDifference(id: string, [from, given]: Side, [to, taken]: Side): void {
  const found = taken.sums();
  for (const [name, sum] of given.sums())
    if (found.get(name) !== sum)
      throw new ApiError("CONFLICT", [
        `the copy of the dataset ${id} in ${to} differs from ${from} in ${name}; the dataset stays in ${from}`,
      ]);
}
