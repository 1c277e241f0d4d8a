import { setImmediate } from "node:timers/promises";
import { EngineError } from "../../errors.ts";
import type { Memory } from "../../memory/memory.ts";
import type { Table } from "../../table/table.ts";

/** Bytes to move before yielding to other work. Moving them takes a few milliseconds. */
const stepBytes = 2 ** 23;

/**
 * Releases arenas that have been empty since the last sweep. Moves the data of a nearly empty arena to other arenas, if
 * they have space, so that the next sweep may find that arena empty. Returns the number of released bytes.
 */
export async function sweepArenas(memory: Memory, tables: readonly Table[]): Promise<number> {
  const releasedBytes = memory.releaseArenas();
  const { drainingArena } = memory;
  if (drainingArena === undefined) return releasedBytes;
  try {
    for (const { columns } of tables)
      for (const column of columns) {
        while (!column.leave(drainingArena, stepBytes)) await setImmediate();
        await setImmediate();
      }
  } catch (error) {
    if (!(error instanceof EngineError && error.code === "STORE_OUT_OF_MEMORY")) throw error;
  }
  return releasedBytes;
}
