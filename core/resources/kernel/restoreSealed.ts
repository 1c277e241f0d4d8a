import type { Values } from "./index.ts";
import { isObject, type Row } from "../../base/index.ts";

/**
 * Replaces null members of a sealed member with their stored values. Responses show these members as null, and clients
 * send records back as they read them.
 */
export function restoreSealed(row: Row, values: Values, member: string): Values {
  const given = values[member];
  const kept = row[member];
  if (!isObject(given) || !isObject(kept)) return values;
  const merged = Object.entries(given).map(([name, value]) => [
    name,
    value === null && Object.hasOwn(kept, name) ? kept[name] : value,
  ]);
  return { ...values, [member]: Object.fromEntries(merged) };
}
