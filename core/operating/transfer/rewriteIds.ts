import { isObject } from "../../base/index.ts";

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/**
 * The value with every id that `ids` knows replaced, wherever it stands: as a text, as a name of a member, within an
 * expression. Ids are of 122 random bits, so that nothing else is taken for one. Other ids stay.
 */
export function rewriteIds<Value>(value: Value, ids: ReadonlyMap<string, string>): Value {
  const rewritten = (text: string) =>
    text.replaceAll(uuid, (found) => ids.get(found.toLowerCase()) ?? found);
  const walk = (each: unknown): unknown => {
    if (typeof each === "string") return rewritten(each);
    if (Array.isArray(each)) return each.map(walk);
    if (!isObject(each)) return each;
    return Object.fromEntries(
      Object.entries(each).map(([member, inner]) => [rewritten(member), walk(inner)]),
    );
  };
  return walk(value) as Value;
}
