/**
 * A query in short form. `by` and `order` can contain dimensions such as `orders.channel` and `orders.day:month`. `of`
 * and `order` can contain measures such as `sum orders.amount`, `count orders` and `formula orders.revenue`. A minus
 * before an entry of `order` means descending.
 */
export interface Gold {
  readonly by?: readonly string[];
  readonly of: readonly string[];
  readonly where?: readonly GoldTest[];
  readonly having?: readonly GoldTest[];
  readonly order?: readonly string[];
  readonly limit?: number;
}

/** A filter: a dimension or measure, the expression of the test, and the value. */
export type GoldTest = readonly [what: string, expression: string, value?: unknown];

export type Language = "en" | "nl" | "fr";

interface QuestionBase {
  readonly id: string;
  readonly language: Language;
  readonly text: string;
  /** Id of the previous question in the same conversation. */
  readonly after?: string;
}

/**
 * A question with one correct answer, which the gold query and its SQL statement define. DuckDB computes the answer.
 */
export interface Answerable extends QuestionBase {
  readonly expect: "answer";
  readonly isRelative?: boolean;
  readonly gold: Gold;
  readonly sql: string;
  /** Whether the question requires a particular order of the rows. */
  readonly isOrdered?: boolean;
}

/** A question that is ambiguous, or that the columns cannot answer. */
export interface Unanswerable extends QuestionBase {
  readonly expect: "ask_back" | "refuse";
}

export type Question = Answerable | Unanswerable;

type Given = Omit<Answerable, "id" | "language" | "text" | "expect">;

/** Creates a question that has a correct answer. */
export function answered(id: string, language: Language, text: string, given: Given): Answerable {
  return { id, language, text, expect: "answer", ...given };
}

/** Creates a question to which the assistant should respond with a question of its own, or decline to answer. */
export function unanswered(
  expect: Unanswerable["expect"],
  id: string,
  language: Language,
  text: string,
): Unanswerable {
  return { id, language, text, expect };
}
