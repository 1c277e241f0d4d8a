import { join } from "node:path";
import { openStore } from "../../../../engine/index.ts";
import { loadFile } from "../../loadFile.ts";
import { measureColumns } from "../../strata/measureColumns.ts";
import { rowsOf } from "../../strata/systems/openStrataStore.ts";
import type { OpenPublicRequest, PublicSystem } from "./publicSystem.ts";

/** Opens our store with two threads and loads the tables. */
export async function openEngine({ tables, dir }: OpenPublicRequest): Promise<PublicSystem> {
  const store = await openStore({ dir: join(dir, "store"), workers: 2, memoryBytes: 12 * 2 ** 30 });
  for (const { name, columns, file } of tables) {
    await store.create({ name, columns });
    await loadFile({ store, table: name, columns, path: file });
  }
  return {
    async ask({ plan }) {
      if (!plan) throw new Error("the host computes a part of this question");
      return rowsOf(await store.query(plan));
    },
    async measureColumns({ name, columns }) {
      return (await measureColumns({ store, table: name, columns })).columns;
    },
    close: () => store.close(),
  };
}
