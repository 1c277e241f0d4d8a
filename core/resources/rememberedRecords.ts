import type { CatalogMemory } from "../catalog/index.ts";
import type { Records, Row } from "../base/index.ts";

/** Resources whose records a push changes. */
const ofRows = new Set(["securable", "column"]);

/** Wraps records so that reads are cached in memory. Reads inside a transaction, and all writes, go to the catalog. */
export function rememberedRecords(records: Records, memory: CatalogMemory): Records {
  return {
    ...records,
    find: async (resource, where, transaction) =>
      transaction
        ? records.find(resource, where, transaction)
        : memory.remember(
            JSON.stringify(["find", resource, where]),
            () => records.find(resource, where),
            sizeOfRows,
            ofRows.has(resource) ? "everything" : "structure",
          ),
    linked: async (resource, association, ids) =>
      memory.remember(
        JSON.stringify(["linked", resource, association, ids]),
        () => records.linked(resource, association, ids),
        (links) => links.length * 200,
        "structure",
      ),
    visible: async (resource, ids, right, principal, transaction) =>
      transaction
        ? records.visible(resource, ids, right, principal, transaction)
        : memory.remember(
            JSON.stringify(["visible", resource, ids, right, memory.nameOf(principal)]),
            () => records.visible(resource, ids, right, principal),
            (rows) => sizeOfRows([...rows.values()]),
          ),
  };
}

function sizeOfRows(rows: readonly Row[]): number {
  let sizeBytes = 0;
  for (const row of rows)
    for (const value of Object.values(row)) {
      if (typeof value === "string") sizeBytes += 32 + 2 * value.length;
      else if (typeof value === "object" && value !== null && !(value instanceof Date))
        sizeBytes += 64 + 4 * JSON.stringify(value).length;
      else sizeBytes += 32;
    }
  return sizeBytes;
}
