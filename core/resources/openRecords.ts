import type { Catalog, Cipher } from "../catalog/index.ts";
import { declarations } from "./declarations.ts";
import { recordsOver } from "./kernel/index.ts";
import type { Records } from "../base/index.ts";

/**
 * Opens the records of a catalog for the host's own code. Values are trusted, and only `visible` checks roles. The
 * records need not be closed.
 */
export function openRecords(options: {
  readonly catalog: Pick<Catalog, "knex" | "transactions">;
  readonly cipher: Cipher;
}): Records {
  return recordsOver({ ...options, declarations });
}
