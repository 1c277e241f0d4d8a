import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createQueries, type Queries } from "../../../core/queries/index.ts";
import type { DataType, BatchColumn } from "../../../plugins/protocol/index.ts";
import { openStrata } from "../../../plugins/strata/index.ts";
import { createMemoryRecords } from "../../support/memoryRecords.ts";
import { createPlainConnections } from "../../support/plainConnections.ts";

export interface StoredHost {
  readonly queries: Queries;
  /** Gives a user the right to read the dataset. */
  admit(userId: string): void;
  close(): Promise<void>;
}

/** Number of rows per appended batch. */
const batchRowCount = 2 ** 16;

/**
 * Opens the query path over the dataset `D` in the store, which belongs to the user `ada`. For each column, a function
 * computes the value of a row from the row number.
 */
export async function openStoredHost(
  rowCount: number,
  columns: Readonly<Record<string, { readonly type: DataType; at(row: number): number }>>,
  dictionaryOf: (columnId: string) => readonly string[],
): Promise<StoredHost> {
  const dir = await mkdtemp(join(tmpdir(), "manifold-bench-"));
  const strata = await openStrata({ dir, workers: 2, memoryBytes: 2 ** 32 });
  const call = { credentials: { properties: {} }, signal: new AbortController().signal };
  const ids = Object.keys(columns);
  const definitions = Object.entries(columns).map(([id, { type }]) => ({ id, type }));
  await strata.write?.({ ...call, write: { action: "create", id: "D", columns: definitions } });
  for (let from = 0; from < rowCount; from += batchRowCount) {
    const count = Math.min(batchRowCount, rowCount - from);
    const vectors = Object.entries(columns).map(([id, { type, at }]): BatchColumn => {
      if (type !== "hierarchy")
        return { type, values: Float64Array.from({ length: count }, (_, row) => at(from + row)) };
      const used = new Map<number, number>();
      const dictionary: string[] = [];
      const texts = dictionaryOf(id);
      const codes = Int32Array.from({ length: count }, (_, row) => {
        const code = at(from + row);
        const known = used.get(code) ?? dictionary.push(texts[code] ?? "") - 1;
        used.set(code, known);
        return known;
      });
      return { type, codes, dictionary };
    });
    const batch = { rowCount: count, columns: vectors };
    const rows = { columnIds: ids, batch };
    await strata.write?.({ ...call, write: { action: "append", id: "D", rows } });
  }
  const records = createMemoryRecords();
  await records.insert("securable", {
    id: "D",
    type: "dataset",
    storage: "plainstore",
    uses_strata_experimental: true,
    owner_id: "ada",
  });
  await records.insertMany(
    "column",
    definitions.map(({ id, type }, order) => ({
      id,
      type,
      securable_id: "D",
      source_name: id,
      name: { en: id },
      order,
    })),
  );
  const connections = createPlainConnections({ store: strata, scratch: strata });
  const queries = createQueries({ records, connections, rowFilters: async () => [] });
  return {
    queries,
    admit: (userId) => records.grant("D", userId, "read"),
    async close() {
      await strata.close?.();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
