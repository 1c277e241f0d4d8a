import type { Values } from "./index.ts";
import type { Row } from "../../contracts/index.ts";
import { isObject } from "../../json/index.ts";

/**
 * Keeps stored values of a sealed member for names that come back with null, because responses show the names alone.
 */
export function keepNulls(row: Row, values: Values, member: string): Values {
  const given = values[member];
  const kept = row[member];
  if (!isObject(given) || !isObject(kept)) return values;
  const merged = Object.entries(given).map(([name, value]) => [
    name,
    value === null && Object.hasOwn(kept, name) ? kept[name] : value,
  ]);
  return { ...values, [member]: Object.fromEntries(merged) };
}
