/** A string as clients receive it: its value, its names by language, and its color if it has one. */
export interface TextCell {
  readonly id: string;
  readonly name: Readonly<Record<string, string>>;
  readonly color?: string;
}

/**
 * A cell of an answer: a number, an ISO instant in UTC, a string as `{id, name}` or plain, a bin such as `[ 100 - 150
 * [`, or null.
 */
export type AnswerCell = number | string | TextCell | null;

/** The labeled strings of one column, by value; undefined for a value without a label. */
export type LabelledTexts = Pick<ReadonlyMap<string, TextCell>, "get">;
