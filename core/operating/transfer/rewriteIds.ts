import { isObject } from "../../base/index.ts";

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/**
 * Returns a copy of the value in which every id in `ids` is replaced, whether it is a string, a member name or part of
 * an expression. Ids have 122 random bits, so no other string is mistaken for an id. Other ids stay unchanged.
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
