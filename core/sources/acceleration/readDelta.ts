import { createHash } from "node:crypto";
import type { Caller, Connection } from "../../base/index.ts";
import {
  PluginError,
  type Batch,
  type ColumnFilter,
  type KnownDataset,
} from "../../../plugins/protocol/index.ts";
import { type DeltaPlan, type LoadPlan, refusal } from "./planLoad.ts";
import { isSent, readRows } from "./readRows.ts";
import { bytesOf, keysOf, numberAt, selectRows } from "./selectRows.ts";

/** The rows that changed at a source since the last load. */
export interface Delta {
  /** Rows at or after `fromMs`, except rows marked as deleted. */
  readonly batches: readonly Batch[];
  /** The keys of all rows read, including deleted rows. Empty if the dataset has no keys. */
  readonly keys: ReadonlySet<unknown>;
  /** A fingerprint that is equal for two deltas with the same rows, in any order. */
  readonly print: string;
}

/** Maximum number of changed rows in a delta. Above this number, a full load needs less memory. */
const mostRows = 500_000;
const mostBytes = 64 * 2 ** 20;

/** Reports that so many rows changed that a full load is cheaper. */
export class TooMuch extends Error {
  override readonly name = "TooMuch";
}

/**
 * Reads the rows of a delta: rows with an instant at or after `fromMs`, and rows marked as deleted since then.
 * @throws {TooMuch} if there are too many rows, or if they need too much memory
 * @throws {ApiError} ACCELERATION_REFUSED if two rows have the same key
 * @throws {PluginError} of the source
 */
export async function readDelta(
  plan: LoadPlan,
  delta: DeltaPlan,
  connection: Connection,
  caller: Caller,
): Promise<Delta> {
  const { source, columns, dataset } = plan;
  const { timePlace, deletedPlace, fromMs, keyPlaces } = delta;
  const columnIds = columns.map((column) => column.source_name);
  const batches: Batch[] = [];
  const keys = new Set<unknown>();
  const print = createPrint();
  let [rowCount, sizeBytes] = [0, 0];
  const readSince = async (place: number, isNew: (batch: Batch) => (row: number) => boolean) => {
    const filters = [sinceFilter(columnIds[place]!, fromMs)];
    await readRows({ connection, dataset: source, columnIds, filters }, caller, async (batch) => {
      const at = numberAt(batch, place);
      const isUnread = isNew(batch);
      const changed = selectRows(batch, (row) => at(row) >= fromMs && isUnread(row));
      rowCount += changed.rowCount;
      sizeBytes += bytesOf(changed);
      if (rowCount > mostRows || sizeBytes > mostBytes) throw new TooMuch("too many rows changed");
      print.add(changed);
      if (keyPlaces.length > 0) addKeys(changed, keyPlaces, keys, dataset.id);
      batches.push(withoutDeleted(changed, deletedPlace));
    });
  };
  await readSince(timePlace, () => () => true);
  if (deletedPlace !== undefined)
    // Reads rows that were marked as deleted without changing the instant that deltas use.
    await readSince(deletedPlace, (batch) => {
      const keyOf = keysOf(batch, keyPlaces);
      return (row) => !keys.has(keyOf(row));
    });
  return { batches, keys, print: print.text() };
}

/** Removes rows that are marked as deleted. */
export function withoutDeleted(batch: Batch, place: number | undefined): Batch {
  if (place === undefined) return batch;
  const at = numberAt(batch, place);
  return selectRows(batch, (row) => Number.isNaN(at(row)));
}

function addKeys(
  batch: Batch,
  places: readonly number[],
  keys: Set<unknown>,
  datasetId: string,
): void {
  const keyOf = keysOf(batch, places);
  for (let row = 0; row < batch.rowCount; row++) {
    const key = keyOf(row);
    if (keys.has(key))
      throw refusal(
        datasetId,
        "two rows of its source have the same values of primary_key_column_ids; choose columns that are unique together",
      );
    keys.add(key);
  }
}

const sinceFilter = (column_id: string, fromMs: number): ColumnFilter => ({
  column_id,
  expression: ">=",
  value: [new Date(fromMs).toISOString()],
});

/**
 * Counts the rows of a source before an instant, to detect deletions. Undefined if the source cannot count them
 * exactly.
 */
export async function countBefore(
  source: KnownDataset,
  { timeName, fromMs }: Pick<DeltaPlan, "timeName" | "fromMs">,
  connection: Connection,
  caller: Caller,
): Promise<number | undefined> {
  const { capabilities, isTrusted } = connection;
  const filter: ColumnFilter = {
    column_id: timeName,
    expression: "<",
    value: [new Date(fromMs).toISOString()],
  };
  const isExact =
    isTrusted &&
    capabilities.filters?.operators["<"]?.includes("datetime") === true &&
    capabilities.grouping?.aggregations.includes("count") === true;
  if (!isExact || !isSent(filter, connection, source)) return undefined;
  const query = {
    id: source.id,
    columns: [{ column_id: "*", aggregation: "count" as const }],
    filters: [filter],
    options: { pushdown: true },
  };
  const { columns: counted } = await connection.query(query, source, caller);
  const [count] = counted;
  if (count?.type !== "numeric")
    throw new PluginError("PLUGIN_BAD_ANSWER", ["its count must be a number"]);
  return count.values[0] ?? 0;
}

/**
 * Creates a fingerprint of rows. The fingerprint adds up the hashes of the rows, so that the order of the rows does not
 * matter.
 */
function createPrint() {
  let [high, low, count] = [0n, 0n, 0];
  const mask = 2n ** 64n - 1n;
  return {
    add(batch: Batch): void {
      const cellsOf = keysOf(
        batch,
        batch.columns.map((_, place) => place),
      );
      for (let row = 0; row < batch.rowCount; row++) {
        const hash = createHash("sha256")
          .update(JSON.stringify([cellsOf(row)]))
          .digest();
        high = (high + hash.readBigUInt64LE(0)) & mask;
        low = (low + hash.readBigUInt64LE(8)) & mask;
      }
      count += batch.rowCount;
    },
    text: () => `${count} ${high.toString(16)} ${low.toString(16)}`,
  };
}
