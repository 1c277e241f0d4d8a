import type { DataType } from "../../../engine/index.ts";
import type { Cell } from "../strata/benchQuery.ts";

/**
 * Converts values of any system to comparable cells: numbers, strings, and milliseconds for datetimes. A division by 0,
 * which is NaN for the peers, is null as for the host.
 */
export function toPublicCells(
  rows: readonly (readonly unknown[])[],
  types: readonly DataType[],
): Cell[][] {
  return rows.map((row) =>
    types.map((type, index) => {
      const value = row[index];
      if (value === null || value === undefined || Number.isNaN(value)) return null;
      if (type === "text") return String(value);
      if (type === "number") return Number(value);
      return value instanceof Date ? value.getTime() : instantOf(String(value));
    }),
  );
}

/** Parses a datetime of the API (ISO 8601) or of ClickHouse (`2013-07-01`, `2013-07-01 00:00:00.000000`), in UTC. */
function instantOf(text: string): number {
  return Date.parse(text.endsWith("Z") || text.length === 10 ? text : `${text.replace(" ", "T")}Z`);
}
