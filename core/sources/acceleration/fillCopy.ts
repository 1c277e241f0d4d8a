import { setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "knex";
import type { Caller, Connection } from "../../base/index.ts";
import type { Batch } from "../../../plugins/protocol/index.ts";
import { type CopyColumn, refusal } from "./planLoad.ts";
import { releaseRows } from "./releaseRows.ts";
import { bytesOf, numberAt } from "./selectRows.ts";

/** A dataset of the store that a load fills. */
export interface Filling {
  /**
   * Adds rows, as soon as the rate allows; their columns are those of the copy. The source is read on while the store
   * writes them. Rows that were given away are freed once they are written.
   */
  add(rows: Batch, isGivenAway?: boolean): Promise<void>;
  /** Resolves when everything that was added is durable. */
  finish(): Promise<void>;
  readonly filled: Filled;
}

/** The rows that were written so far. */
export interface Filled {
  readonly rowCount: number;
  readonly sizeBytes: number;
  /** The newest instant of the column that deltas go by; -Infinity for none. */
  readonly newestMs: number;
}

export interface FillOptions {
  readonly datasetId: string;
  readonly buildId: string;
  readonly columns: readonly CopyColumn[];
  /** -1 for none. */
  readonly timePlace: number;
  readonly store: Connection;
  readonly knex: Knex;
  readonly caller: Caller;
  readonly rowsPerSecond: number;
  readonly mostRows: number;
}

/** Ends a load whose dataset is not accelerated any more, or that another load has replaced. */
export class Superseded extends Error {
  override readonly name = "Superseded";
}

const progressEveryMs = 1000;

/**
 * Makes a dataset in the store and fills it. Each second it records the progress, and learns that it is superseded.
 * @throws {ApiError} ACCELERATION_REFUSED above `mostRows`
 * @throws {Superseded}
 * @throws {PluginError} of the store, as for a full disk
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
  let filled: Filled = { rowCount: 0, sizeBytes: 0, newestMs: -Infinity };
  const note = async () => {
    if (performance.now() - notedAt < progressEveryMs) return;
    notedAt = performance.now();
    const noted = await knex("datasetcopy")
      .where({ building_id: buildId })
      .update({ copied_rows: filled.rowCount });
    if (noted === 0) throw new Superseded(`the load ${buildId} is not needed any more`);
  };
  return {
    get filled() {
      return filled;
    },
    async finish() {
      await writing;
    },
    async add(rows, isGivenAway = false) {
      caller.signal.throwIfAborted();
      const rowCount = filled.rowCount + rows.rowCount;
      if (rowCount > mostRows)
        throw refusal(
          options.datasetId,
          `it has more than ${mostRows} rows, the most that MANIFOLD_ACCELERATION_ROWS allows; raise it, or make a dataset of a statement that selects fewer`,
        );
      await writing;
      if (rows.rowCount > 0) {
        const append = { columnIds, batch: rows };
        writing = store.write({ action: "append", id: buildId, rows: append }, caller).then(() => {
          // A write that failed may have been left at its deadline, and still read them.
          if (isGivenAway) releaseRows(rows);
        });
        // Whoever adds next, or finishes, learns of a failure.
        writing.catch(() => undefined);
      }
      filled = {
        rowCount,
        sizeBytes: filled.sizeBytes + bytesOf(rows),
        newestMs: newestIn(rows, timePlace, filled.newestMs),
      };
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
