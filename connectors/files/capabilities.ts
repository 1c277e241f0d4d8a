import type { Capabilities, DataType } from "../../plugins/protocol/index.ts";

const ordered: readonly DataType[] = ["numeric", "datetime"];

/**
 * The connector reads only the requested columns. Filters on numbers and datetimes may pass rows that do not match: in
 * Parquet files, they only skip row groups without matching rows, and in other formats they have no effect.
 */
export const capabilities: Capabilities = {
  projection: true,
  filters: {
    operators: {},
    superset: {
      "=": [...ordered],
      "<": [...ordered],
      "<=": [...ordered],
      ">": [...ordered],
      ">=": [...ordered],
      in: [...ordered],
      "is null": [...ordered],
    },
  },
};
