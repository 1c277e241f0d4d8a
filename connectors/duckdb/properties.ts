import type { AccountProperty } from "../../plugins/protocol/index.ts";

/** Properties of an account of DuckDB. */
export const properties: readonly AccountProperty[] = [
  { id: "host", label: "Database, file or folder", type: "text", required: true },
];
