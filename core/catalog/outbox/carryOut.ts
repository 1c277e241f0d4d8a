import { randomUUID } from "node:crypto";
import type { WriteColumn } from "../../../plugins/protocol/index.ts";
import type { Connections, Records } from "../../base/index.ts";
import type { Task } from "./addTask.ts";

interface Parts {
  readonly records: Records;
  readonly connections: Pick<Connections, "store" | "others" | "elsewhere">;
}

/** The rows of a dataset in the store, and in its record before the task; undefined if unknown. */
export interface SettledRows {
  readonly stored: number | undefined;
  readonly recorded?: number | undefined;
}

/**
 * Runs one task, in the turn of its dataset. Running the task again changes nothing. Resolves to the number of rows
 * that the store has afterwards; undefined if the store does not contain the dataset.
 * @throws errors of the store and of the catalog
 */
export async function carryOut(
  task: Task,
  { records, connections }: Parts,
): Promise<SettledRows | undefined> {
  const caller = { signal: new AbortController().signal };
  const { securableId: id } = task;
  if (task.action === "wait") return undefined;
  if (task.action === "drop") {
    const [record] = await records.find("securable", { id });
    for (const store of [connections.store, ...(connections.others ?? [])]) {
      // A failed move leaves a copy in another store, and a successful move leaves the old rows.
      if (record?.storage === store.name) continue;
      const isStored = (await store.datasets(caller)).some((dataset) => dataset.id === id);
      if (isStored) await store.write({ action: "drop", id }, caller);
    }
    return undefined;
  }
  const store = connections.elsewhere?.get(id) ?? connections.store;
  const stored = (await store.datasets(caller)).find((dataset) => dataset.id === id);
  if (!stored) return undefined;
  const isStored = (columnId: string) => stored.columns.some((column) => column.id === columnId);
  switch (task.action) {
    case "dropColumn":
      if (isStored(task.columnId))
        await store.write({ action: "alter", id, drop: [task.columnId] }, caller);
      return { stored: stored.rows };
    case "settle": {
      const [record] = await records.find("securable", { id });
      if (!record) return undefined;
      const columns = await records.find("column", { securable_id: id });
      const add = columns
        .filter((column) => !column.expression && !isStored(column.id))
        .map((column) => ({ id: column.id, type: column.type }) as WriteColumn);
      // An abandoned push may still be running in the store. The store stops the push or waits until it has ended.
      const { rowCount } = await store.write({ action: "alter", id, add }, caller);
      // The values in the stored rows are unknown, so the next push measures all of them.
      const unknown = {
        cardinality: null,
        minimum: null,
        maximum: null,
        minBound: null,
        maxBound: null,
      };
      for (const column of columns)
        if (column.cardinality != null || column.minimum != null)
          await records.change("column", column.id, unknown);
      // Cached answers about the earlier rows are stale, even if the number of rows is unchanged.
      const version = { shared_storage_version: randomUUID() };
      await records.change("securable", id, { rows: rowCount, ...version });
      return { stored: rowCount, recorded: record.rows ?? undefined };
    }
  }
}
