import type { AccountProperty } from "../../plugins/protocol/index.ts";
import { columnProperties } from "../../plugins/sql/index.ts";

/** Properties of a DuckDB account. */
export const properties: readonly AccountProperty[] = [
  { id: "host", label: "Database, file or folder", type: "text", required: true },
  ...columnProperties,
];
