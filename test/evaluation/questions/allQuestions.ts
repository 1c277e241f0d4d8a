import { flightQuestions } from "./flights.ts";
import type { Question } from "./question.ts";
import { salesQuestions } from "./sales.ts";

export const allQuestions: readonly Question[] = [...flightQuestions, ...salesQuestions];

/** Returns the name of the data model that a question is about. */
export function modelOf(question: Question): "flights" | "sales" {
  return flightQuestions.includes(question) ? "flights" : "sales";
}
