import { setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "knex";
import type { Caller, Connection } from "../../base/index.ts";
import type { Batch } from "../../../plugins/protocol/index.ts";
import { type CopyColumn, refusal } from "./planLoad.ts";
import { releaseRows } from "../data/index.ts";
import { bytesOf, numberAt } from "./selectRows.ts";

/** A dataset of the store that a load is filling. */
export interface Filling {
  /**
   * Adds rows, with the columns of the copy, as soon as the rate limit allows. Resolves before the store has written
   * the rows, so that the caller can read the next rows from the source meanwhile. If `isGivenAway`, the rows are freed
   * once they are written. `share` is the part of the source's rows that has been read, including these rows.
   */
  add(rows: Batch, isGivenAway?: boolean, share?: number): Promise<void>;
  /** Resolves when all added rows are durable. Rejects if a row could not be written. */
  finish(): Promise<void>;
  readonly filled: Filled;
}

/** The number, size and newest instant of the rows that were added so far. */
export interface Filled {
  readonly rowCount: number;
  readonly sizeBytes: number;
  /** The newest instant in the column that deltas use; -Infinity if there is none. */
  readonly newestMs: number;
}

export interface FillOptions {
  readonly datasetId: string;
  readonly buildId: string;
  readonly columns: readonly CopyColumn[];
  /** Index of the column that deltas use; -1 if there is none. */
  readonly timePlace: number;
  readonly store: Connection;
  readonly knex: Knex;
  readonly caller: Caller;
  readonly rowsPerSecond: number;
  readonly mostRows: number;
}

/** Reports that a load must stop, because its dataset is no longer accelerated or another load has replaced it. */
export class Superseded extends Error {
  override readonly name = "Superseded";
}

const progressEveryMs = 1000;
/** Maximum share of a running load. Only a load that has ended is complete, whatever its source estimates. */
const mostProgress = 0.99;

/**
 * Creates a dataset in the store and fills it. Once per second, records the progress and checks whether the load is
 * superseded.
 * @throws {ApiError} ACCELERATION_REFUSED above `mostRows`
 * @throws {Superseded}
 * @throws {PluginError} of the store, for example for a full disk
 */
export async function fillCopy(options: FillOptions): Promise<Filling> {
  const { store, buildId, caller, knex, columns, timePlace, rowsPerSecond, mostRows } = options;
  await store.write(
    {
      action: "create",
      id: buildId,
      columns: columns.map(({ id, type }) => ({ id, type })),
      rowsFollow: true,
    },
    caller,
  );
  const columnIds = columns.map(({ id }) => id);
  const startedAt = performance.now();
  let notedAt = startedAt;
  let writing: Promise<unknown> = Promise.resolve();
  let progress: number | null = null;
  let filled: Filled = { rowCount: 0, sizeBytes: 0, newestMs: -Infinity };
  const note = async () => {
    if (performance.now() - notedAt < progressEveryMs) return;
    notedAt = performance.now();
    const noted = await knex("datasetcopy")
      .where({ building_id: buildId })
      .update({ copied_rows: filled.rowCount, progress });
    if (noted === 0) throw new Superseded(`the load ${buildId} is no longer needed`);
  };
  return {
    get filled() {
      return filled;
    },
    async finish() {
      await writing;
    },
    async add(rows, isGivenAway = false, share = undefined) {
      caller.signal.throwIfAborted();
      const rowCount = filled.rowCount + rows.rowCount;
      if (rowCount > mostRows)
        throw refusal(
          options.datasetId,
          `it has more than the ${mostRows} rows that MANIFOLD_ACCELERATION_ROWS allows; raise the limit, or create a dataset with a statement that selects fewer rows`,
        );
      await writing;
      if (rows.rowCount > 0) {
        const append = { columnIds, batch: rows };
        writing = store.write({ action: "append", id: buildId, rows: append }, caller).then(() => {
          // A failed write may have been abandoned at its deadline while the store was still reading the rows.
          if (isGivenAway) releaseRows(rows);
        });
        // The next call of add or finish reports the failure.
        writing.catch(() => undefined);
      }
      filled = {
        rowCount,
        sizeBytes: filled.sizeBytes + bytesOf(rows),
        newestMs: newestIn(rows, timePlace, filled.newestMs),
      };
      if (share !== undefined) progress = Math.max(progress ?? 0, Math.min(share, mostProgress));
      await note();
      while (rowCount > ((performance.now() - startedAt) / 1000) * rowsPerSecond) {
        const leftMs = (rowCount / rowsPerSecond) * 1000 - (performance.now() - startedAt);
        await sleep(Math.min(progressEveryMs, Math.max(1, leftMs)), undefined, {
          signal: caller.signal,
        });
        await note();
      }
    },
  };
}

function newestIn(rows: Batch, place: number, newestMs: number): number {
  const at = numberAt(rows, place);
  let newest = newestMs;
  for (let row = 0; row < rows.rowCount; row++) {
    const value = at(row);
    if (value > newest) newest = value;
  }
  return newest;
}
