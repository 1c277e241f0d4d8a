/** A text as clients read it: its raw value, what people call it by language, and its colour where it has one. */
export interface TextCell {
  readonly id: string;
  readonly name: Readonly<Record<string, string>>;
  readonly color?: string;
}

/** Numbers are numbers, instants ISO texts in UTC, texts `{id, name}` or plain, bins texts like `[ 100 - 150 [`; null is no value. */
export type AnswerCell = number | string | TextCell | null;

/** The labelled texts of one column of an answer, by value; undefined for a value without a label. */
export type LabelledTexts = Pick<ReadonlyMap<string, TextCell>, "get">;
