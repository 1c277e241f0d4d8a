import { isObject } from "../base/index.ts";

/** Returns the ids of the columns that filters name, without duplicates. */
export function columnIdsIn(filters: unknown): readonly string[] {
  if (Array.isArray(filters)) return [...new Set(filters.flatMap(columnIdsIn))];
  if (!isObject<"column_id">(filters)) return [];
  const { column_id: id } = filters;
  const nested = Object.values(filters).flatMap((each) =>
    typeof each === "object" && each !== null ? columnIdsIn(each) : [],
  );
  return [...new Set([...(typeof id === "string" ? [id] : []), ...nested])];
}
