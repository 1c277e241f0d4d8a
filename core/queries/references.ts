import type { Condition, Question, Reference } from "./question.ts";

/** Lists every mention of a column in a question, in the order of the request. */
export function referencesOf(question: Question): readonly Reference[] {
  return [
    ...question.dimensions,
    ...question.measures,
    ...[...question.where, ...question.having].flatMap(referencesIn),
    ...question.order.map((item) => item.reference),
  ].flatMap((reference) => (reference.weight ? [reference, reference.weight] : [reference]));
}

/** Lists every mention of a column in a condition. */
export function referencesIn(condition: Condition): readonly Reference[] {
  if ("and" in condition) return condition.and.flatMap(referencesIn);
  if ("or" in condition) return condition.or.flatMap(referencesIn);
  return [condition.reference];
}
