import type { Capabilities, DataType } from "../../plugins/protocol/index.ts";

const ordered: readonly DataType[] = ["numeric", "datetime"];

/**
 * The connector reads only the requested columns. Filters on numbers and datetimes may pass more rows than match: they
 * skip the row groups of Parquet files without matching rows, and have no effect in other formats.
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
