import { fork } from "node:child_process";
import { once } from "node:events";
import { compareCells } from "../endToEnd/compareCells.ts";
import type { MemoryResult, MemoryTask } from "./memoryChild.ts";
import { openOrders } from "./openOrders.ts";

export interface MemoryReport {
  /** Peak resident memory in MiB of a process that reads the rows through the host. */
  readonly hostMib: number;
  /** Peak resident memory in MiB of a process that generates the rows and loads them into the same scratch table. */
  readonly scratchMib: number;
}

/** Measures the memory that plain rows need on their way from PostgreSQL to the answer of a residual. */
export async function measureMemory(rowCount: number): Promise<MemoryReport> {
  const { credentials, datasetId, close } = await openOrders(rowCount);
  try {
    const made = await inChild({ rowCount });
    const read = await inChild({ rowCount, source: { credentials, datasetId } });
    compareCells("every column", read.cells, made.cells, true);
    return { hostMib: read.peakMib, scratchMib: made.peakMib };
  } finally {
    await close();
  }
}

async function inChild(task: MemoryTask): Promise<MemoryResult> {
  const child = fork(`${import.meta.dirname}/memoryChild.ts`, []);
  const result = Promise.race([
    once(child, "message").then(([message]: unknown[]) => message as MemoryResult),
    once(child, "exit").then(([code]: unknown[]) => {
      throw new Error(`the process exited with ${String(code)} before it responded`);
    }),
  ]);
  child.send(task);
  try {
    return await result;
  } finally {
    child.kill();
  }
}
