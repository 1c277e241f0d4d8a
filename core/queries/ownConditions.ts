import type { Condition, Reference } from "./question.ts";
import { referencesIn } from "./references.ts";

/** Keeps the conditions that test the column of a dimension and no other: its values, where all are answered, are those that pass them. */
export function ownConditions(
  where: readonly Condition[],
  { columnId, datasetId, expression }: Reference,
): readonly Condition[] {
  const isOwn = (each: Reference) =>
    each.columnId === columnId && each.datasetId === datasetId && each.expression === expression;
  return where.filter((condition) => referencesIn(condition).every(isOwn));
}
