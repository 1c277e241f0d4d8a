/**
 * A query in short: `by` and `order` name dimensions (`orders.channel`, `orders.day:month`), `of` and `order` measures
 * (`sum orders.amount`, `count orders`, `formula orders.revenue`); a minus before an entry of `order` is descending.
 */
export interface Gold {
  readonly by?: readonly string[];
  readonly of: readonly string[];
  readonly where?: readonly GoldTest[];
  readonly having?: readonly GoldTest[];
  readonly order?: readonly string[];
  readonly limit?: number;
}

/** A dimension or measure, the expression of its test, and the value. */
export type GoldTest = readonly [what: string, expression: string, value?: unknown];

export type Language = "en" | "nl" | "fr";

interface QuestionBase {
  readonly id: string;
  readonly language: Language;
  readonly text: string;
  /** The id of the question before it in the same conversation. */
  readonly after?: string;
}

/** A question that has one answer: those of the gold query and of its SQL, which DuckDB computes. */
export interface Answerable extends QuestionBase {
  readonly expect: "answer";
  readonly isRelative?: boolean;
  readonly gold: Gold;
  readonly sql: string;
  /** The order of the rows is asked for. */
  readonly isOrdered?: boolean;
}

/** A question that can mean several things, or that no column answers. */
export interface Unanswerable extends QuestionBase {
  readonly expect: "ask_back" | "refuse";
}

export type Question = Answerable | Unanswerable;

type Given = Omit<Answerable, "id" | "language" | "text" | "expect">;

/** Makes a question with an answer. */
export function answered(id: string, language: Language, text: string, given: Given): Answerable {
  return { id, language, text, expect: "answer", ...given };
}

/** Makes a question to which another question, or a refusal, is the right answer. */
export function unanswered(
  expect: Unanswerable["expect"],
  id: string,
  language: Language,
  text: string,
): Unanswerable {
  return { id, language, text, expect };
}
