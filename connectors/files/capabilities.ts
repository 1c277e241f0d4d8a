import type { Capabilities, DataType } from "../../plugins/protocol/index.ts";

const ordered: readonly DataType[] = ["numeric", "datetime"];

/**
 * Rows with the columns that are asked for. Tests of numbers and datetimes are supersets: they leave out the row groups
 * of Parquet files that have no row for them, and nothing in other formats.
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
