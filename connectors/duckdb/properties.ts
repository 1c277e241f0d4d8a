import type { AccountProperty } from "../../plugins/protocol/index.ts";

/** What an account of DuckDB may have. */
export const properties: readonly AccountProperty[] = [
  { id: "host", label: "Database, file or folder", type: "text", required: true },
];
