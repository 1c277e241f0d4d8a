/**
 * A query in short form. `by` and `order` contain dimensions (`orders.channel`, `orders.day:month`), and `of` and
 * `order` contain measures (`sum orders.amount`, `count orders`, `formula orders.revenue`). A minus in front of an
 * entry of `order` means descending.
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
  /** Id of the previous question in the same conversation. */
  readonly after?: string;
}

/** A question with one answer: that of the gold query and of its SQL, which DuckDB computes. */
export interface Answerable extends QuestionBase {
  readonly expect: "answer";
  readonly isRelative?: boolean;
  readonly gold: Gold;
  readonly sql: string;
  /** Whether the question requires an order of the rows. */
  readonly isOrdered?: boolean;
}

/** A question that can mean several things, or that no column can answer. */
export interface Unanswerable extends QuestionBase {
  readonly expect: "ask_back" | "refuse";
}

export type Question = Answerable | Unanswerable;

type Given = Omit<Answerable, "id" | "language" | "text" | "expect">;

/** Creates a question with an answer. */
export function answered(id: string, language: Language, text: string, given: Given): Answerable {
  return { id, language, text, expect: "answer", ...given };
}

/** Creates a question that should be answered by asking back or by declining. */
export function unanswered(
  expect: Unanswerable["expect"],
  id: string,
  language: Language,
  text: string,
): Unanswerable {
  return { id, language, text, expect };
}
