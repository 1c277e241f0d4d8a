import type { Caller, Connection } from "../../base/index.ts";
import type { KnownDataset } from "../../../plugins/protocol/index.ts";
import type { Filling } from "./fillCopy.ts";
import type { DeltaPlan } from "./planLoad.ts";
import type { Delta } from "./readDelta.ts";
import { readRows } from "./readRows.ts";
import { keysOf, numberAt, selectRows } from "./selectRows.ts";

/** Reports rows that were deleted from the source before the delta begins, so everything is read again. */
export class MissedDeletion extends Error {
  override readonly name = "MissedDeletion";
}

export interface MergeOptions {
  readonly read: Delta;
  readonly delta: DeltaPlan;
  /** The copy before, as the store knows it. */
  readonly old: KnownDataset;
  readonly store: Connection;
  readonly caller: Caller;
  readonly filling: Filling;
  /** The rows of the source before `fromMs`; undefined for a strategy that does not look. */
  readonly expectedCount: number | undefined;
}

/**
 * Adds the rows of the copy before that the delta does not replace. Inserts replace all rows since `fromMs`, updates
 * the rows with a key of the delta; where deletions are followed, both.
 * @throws {MissedDeletion} when fewer rows are left in the source than in the copy
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
