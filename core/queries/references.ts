import type { Condition, Question, Reference } from "./question.ts";

/** Lists every mention of a column in a question, in the order of the request. */
export function referencesOf(question: Question): readonly Reference[] {
  return [
    ...question.dimensions,
    ...question.measures,
    ...[...question.where, ...question.having].flatMap(inCondition),
    ...question.order.map((item) => item.reference),
  ];
}

function inCondition(condition: Condition): readonly Reference[] {
  if ("and" in condition) return condition.and.flatMap(inCondition);
  if ("or" in condition) return condition.or.flatMap(inCondition);
  return [condition.reference];
}
