import type { Caller, Connection } from "../../base/index.ts";
import type { KnownDataset } from "../../../plugins/protocol/index.ts";
import type { Filling } from "./fillCopy.ts";
import type { DeltaPlan } from "./planLoad.ts";
import type { Delta } from "./readDelta.ts";
import { readRows } from "./readRows.ts";
import { keysOf, numberAt, selectRows } from "./selectRows.ts";

/** Reports that rows before the delta were deleted at the source, so that all rows must be loaded. */
export class MissedDeletion extends Error {
  override readonly name = "MissedDeletion";
}

export interface MergeOptions {
  readonly read: Delta;
  readonly delta: DeltaPlan;
  /** The store's description of the previous copy. */
  readonly old: KnownDataset;
  readonly store: Connection;
  readonly caller: Caller;
  readonly filling: Filling;
  /** Number of rows of the source before `fromMs`; undefined for a strategy without this check. */
  readonly expectedCount: number | undefined;
}

/**
 * Adds the rows of the previous copy that the delta does not replace. A delta of inserts replaces all rows since
 * `fromMs`. A delta of updates replaces the rows whose key it contains. If `expectedCount` is set, a delta of updates
 * also replaces the rows since `fromMs`.
 * @throws {MissedDeletion} if the source has fewer of the remaining rows than the copy
 */
export async function mergeDelta(options: MergeOptions): Promise<void> {
  const { read, delta, old, store, caller, filling, expectedCount } = options;
  const { strategy, timePlace, fromMs, keyPlaces } = delta;
  const isTailReplaced = strategy === "insert" || expectedCount !== undefined;
  const columnIds = old.columns.map(({ id }) => id);
  let keptCount = 0;
  await readRows({ connection: store, dataset: old, columnIds }, caller, async (batch) => {
    const at = numberAt(batch, timePlace);
    const keyOf = keyPlaces.length > 0 ? keysOf(batch, keyPlaces) : undefined;
    const kept = selectRows(batch, (row) => {
      const isKept =
        !(isTailReplaced && at(row) >= fromMs) && !(keyOf && read.keys.has(keyOf(row)));
      if (isKept && at(row) < fromMs) keptCount++;
      return isKept;
    });
    await filling.add(kept);
  });
  if (expectedCount !== undefined && keptCount !== expectedCount)
    throw new MissedDeletion("the source has fewer rows than the copy");
}
