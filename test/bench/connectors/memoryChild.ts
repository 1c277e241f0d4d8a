import { open } from "../../../connectors/postgres/index.ts";
import { openReach } from "../../support/openReach.ts";
import type { ConnectedSource } from "./connectedSource.ts";
import { openConnected, openScratch } from "./openConnected.ts";
import {
  columnNames,
  everyColumn,
  everyColumnOfScratch,
  orderBatch,
  orderColumns,
} from "./orders.ts";

/** The task of a process: load all rows into scratch, either through the host or while generating them. */
export interface MemoryTask {
  readonly rowCount: number;
  /** The orders in PostgreSQL. Absent if the process generates the rows. */
  readonly source?: Pick<ConnectedSource, "credentials" | "datasetId">;
}

export interface MemoryResult {
  readonly peakMib: number;
  readonly cells: readonly (readonly unknown[])[];
}

const partRows = 25_000;

process.once("message", (task: MemoryTask) => {
  void run(task).then((result) => process.send?.(result, () => process.disconnect?.()));
});

async function run({ rowCount, source }: MemoryTask): Promise<MemoryResult> {
  let peakBytes = 0;
  const sample = () => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  };
  const timer = setInterval(sample, 20);
  const cells = await (source ? throughHost(source) : directly(rowCount));
  sample();
  clearInterval(timer);
  return { peakMib: peakBytes / 2 ** 20, cells };
}

async function throughHost(
  source: NonNullable<MemoryTask["source"]>,
): Promise<MemoryResult["cells"]> {
  const plugin = await open({ reach: openReach(), timeoutMs: 600_000, sizeBytes: 2 ** 30 });
  const { host, close } = await openConnected({ ...source, plugin }, orderColumns, () => ({
    projection: true,
  }));
  const { data } = await host.sendQuery(everyColumn);
  await close();
  await plugin.close?.();
  return data;
}

/** Loads the same rows into the same scratch table, without a database or a host. */
async function directly(rowCount: number): Promise<MemoryResult["cells"]> {
  const { scratch, close } = await openScratch();
  const call = { credentials: { properties: {} }, signal: new AbortController().signal };
  const columns = orderColumns.map(({ id, type }) => ({
    id,
    type: type === "spatial" ? ("hierarchy" as const) : type,
  }));
  const create = { action: "create", id: "orders", columns, temporary: true } as const;
  await scratch.write?.({ ...call, write: create });
  for (let from = 1; from <= rowCount; from += partRows) {
    const batch = orderBatch(from, Math.min(rowCount, from + partRows - 1));
    const write = {
      action: "append",
      id: "orders",
      rows: { columnIds: columnNames, batch },
    } as const;
    await scratch.write?.({ ...call, write });
  }
  const query = { ...everyColumnOfScratch, id: "orders" };
  const { rowCount: groupCount, columns: vectors } = await scratch.query({ ...call, query });
  await close();
  return Array.from({ length: groupCount }, (_, row) =>
    vectors.map((vector) => {
      if (vector.type === "hierarchy") return vector.dictionary[vector.codes[row] ?? -1];
      const value = vector.values[row] ?? 0;
      return vector.type === "datetime" ? new Date(value).toISOString() : value;
    }),
  );
}
