import type { DataType } from "../../../engine/index.ts";
import type { Cell } from "./benchQuery.ts";

/** Converts values of any system to comparable cells: numbers, strings, and milliseconds for datetimes. */
export function toCells(
  rows: readonly (readonly unknown[])[],
  types: readonly DataType[],
): Cell[][] {
  return rows.map((row) =>
    types.map((type, index) => {
      const value = row[index];
      if (value === null || value === undefined) return null;
      if (type === "text") return String(value);
      if (type === "number") return Number(value);
      return value instanceof Date ? value.getTime() : parseInstant(String(value));
    }),
  );
}

/** Parses a datetime of ClickHouse, which writes `2023-03-01` and `2023-03-01 00:00:00.000`, both in UTC. */
function parseInstant(text: string): number {
  return Date.parse(text.length === 10 ? text : `${text.replace(" ", "T")}Z`);
}
