import type { DataType } from "./dataType.ts";

/**
 * The value of a statement's parameter: a single cell or a list. A datetime is milliseconds since 1970-01-01T00:00:00Z.
 */
export interface StatementParameter {
  readonly type: DataType;
  readonly value: string | number | null | readonly (string | number | null)[];
}

/**
 * A SQL statement that a person wrote, and whose rows take the place of a table. `{{name}}` in its text refers to a
 * parameter. The value of a parameter is bound and never becomes part of the text. A prefix is not part of the name:
 * `{{metadata.tenant}}` refers to the parameter `tenant`.
 */
export interface Statement {
  /** SQL text with parameters written as `{{name}}`. */
  readonly text: string;
  /** One value for each parameter in the text, keyed by the parameter's name. */
  readonly parameters: Readonly<Record<string, StatementParameter>>;
}
