import { isRecord, type Api } from "../../api/index.ts";
import type { KnownFields } from "./itemsOfQuery.ts";

type Json = Readonly<Record<string, unknown>>;

const attributes = ["id", "name", "type", "subtype", "format"];
const mostFields = 200;

/** Fetches the columns and formulas in a query that the reader can see. */
export async function readFields(api: Api, query: Json, signal: AbortSignal): Promise<KnownFields> {
  const ids = { column: new Set<string>(), formula: new Set<string>() };
  for (const each of [query["dimensions"], query["measures"]].flat().filter(isRecord)) {
    const { column_id: column, formula_id: formula } = each;
    if (typeof column === "string" && column !== "*") ids.column.add(column);
    if (typeof formula === "string") ids.formula.add(formula);
  }
  const read = async (resource: "column" | "formula", members: readonly string[]) => {
    const id = [...ids[resource]].slice(0, mostFields);
    if (id.length === 0) return [];
    const find = { where: { id }, attributes: members, limit: mostFields };
    return (await api.get(resource, find, { signal })).rows;
  };
  const found = await Promise.all([read("column", attributes), read("formula", ["id", "name"])]);
  return new Map(found.flat().map((row) => [String(row["id"]), row]));
}
