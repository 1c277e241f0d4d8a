import type { Condition, Reference } from "../parsedQuery.ts";
import { referencesIn } from "../references.ts";

/**
 * Returns the conditions that test only the column of a dimension, which decide which values of the column the answer
 * contains. An AND is split into its members.
 */
export function conditionsOnColumn(
  where: readonly Condition[],
  { columnId, datasetId, expression }: Reference,
): readonly Condition[] {
  const isOwn = (each: Reference) =>
    each.columnId === columnId && each.datasetId === datasetId && each.expression === expression;
  return where.flatMap(conjuncts).filter((condition) => referencesIn(condition).every(isOwn));
}

/**
 * Returns the conditions that must all be met for a condition to be met. A group of one condition is replaced by that
 * condition.
 */
function conjuncts(condition: Condition): readonly Condition[] {
  if ("and" in condition) return condition.and.flatMap(conjuncts);
  const [only, ...others] = "or" in condition ? condition.or : [condition];
  return only && only !== condition && others.length === 0 ? conjuncts(only) : [condition];
}
