/** A text as clients read it: its value, its names by language, and its colour if it has one. */
export interface TextCell {
  readonly id: string;
  readonly name: Readonly<Record<string, string>>;
  readonly color?: string;
}

/**
 * A cell of an answer: a number, an ISO instant in UTC, a text as `{id, name}` or plain, a bin such
 * as `[ 100 - 150 [`, or null.
 */
export type AnswerCell = number | string | TextCell | null;

/** The labelled texts of one column by value; undefined for a value without a label. */
export type LabelledTexts = Pick<ReadonlyMap<string, TextCell>, "get">;
