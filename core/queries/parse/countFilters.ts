import type { Work } from "../workMeter.ts";

/**
 * Counts the tests of an unparsed query and of its inner queries, and the values in their lists. Accepts any value,
 * because `parseQuery` rejects malformed queries. O(tests).
 */
export function countFilters(query: unknown): Required<Pick<Work, "tests" | "filter_values">> {
  let tests = 0;
  let values = 0;
  const visit = (condition: unknown): void => {
    if (Array.isArray(condition)) return condition.forEach(visit);
    if (typeof condition !== "object" || condition === null) return;
    if ("and" in condition) visit(condition.and);
    if ("or" in condition) visit(condition.or);
    if (!("parameters" in condition) || !Array.isArray(condition.parameters)) return;
    tests++;
    for (const parameter of condition.parameters) values += lengthOf(parameter);
  };
  const visitQuery = (each: unknown): void => {
    if (typeof each !== "object" || each === null) return;
    if ("where" in each) visit(each.where);
    if ("having" in each) visit(each.having);
    const inner = "from" in each ? each.from : undefined;
    if (typeof inner === "object" && inner !== null && "query" in inner) visitQuery(inner.query);
  };
  visitQuery(query);
  return { tests, filter_values: values };
}

/** Returns the length of a list, or of the list that is a parameter's default. */
function lengthOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  const isObject = typeof value === "object" && value !== null;
  return isObject && "value" in value && Array.isArray(value.value) ? value.value.length : 0;
}
