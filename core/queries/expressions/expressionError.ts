/** The errors of the language: stable codes and their meanings. */
export const expressionErrors = {
  EXPRESSION_TOO_LONG: "the source is too long",
  EXPRESSION_TOO_DEEP: "operations are nested too deeply",
  EXPRESSION_TOO_LARGE: "there are too many values, references and operations",
  EXPRESSION_CHARACTER: "a character does not belong to the language",
  EXPRESSION_UNCLOSED: "a string or a reference is not closed",
  EXPRESSION_NUMBER: "a number is malformed or too large",
  EXPRESSION_SYNTAX: "the syntax is not valid here",
  EXPRESSION_FUNCTION_UNKNOWN: "there is no such function",
  EXPRESSION_ARGUMENTS: "a function has too few or too many arguments",
  EXPRESSION_TYPE: "a value is of the wrong type",
  EXPRESSION_VALUE: "a constant is not one of the values allowed here",
  EXPRESSION_COLUMN_UNKNOWN: "there is no such column, or the caller may not see it",
  EXPRESSION_AGGREGATE: "rows and aggregates are mixed, or aggregates are nested",
} as const;

export type ExpressionErrorCode = keyof typeof expressionErrors;

/** Where and why a source text is invalid. */
export interface Refusal {
  readonly source: string;
  /** Index into `source`, in UTF-16 units. */
  readonly at: number;
  /** The syntax or value that is allowed at this position. */
  readonly expected: string;
  /** The part of the source at this position. */
  readonly found: string;
  /** How to correct the source, if there is something to suggest. */
  readonly hint?: string | undefined;
}

/** The only error class of the language. Lines and columns count from 1; columns are in code points. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
  readonly code: ExpressionErrorCode;
  readonly line: number;
  readonly column: number;
  readonly expected: string;

  constructor(code: ExpressionErrorCode, { source, at, expected, found, hint }: Refusal) {
    const before = source.slice(0, at).split(/\r\n|\n|\r/);
    const line = before.length;
    const column = Array.from(before.at(-1) ?? "").length + 1;
    const advice = hint === undefined ? "" : `; ${hint}`;
    super(`line ${line}, column ${column}: expected ${expected}, found ${found}${advice}`);
    this.code = code;
    this.line = line;
    this.column = column;
    this.expected = expected;
  }
}
