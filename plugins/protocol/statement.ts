import type { DataType } from "./dataType.ts";

/** The value of a statement's parameter: one cell, or a list. A datetime is milliseconds since 1970. */
export interface StatementParameter {
  readonly type: DataType;
  readonly value: string | number | null | readonly (string | number | null)[];
}

/**
 * A statement of a person in the place of a table. `{{name}}` in its text names a parameter, whose value is bound and
 * never becomes part of the text. Names have no prefix: `{{metadata.tenant}}` names the parameter `tenant`.
 */
export interface Statement {
  readonly text: string;
  /** Every parameter that the text names. */
  readonly parameters: Readonly<Record<string, StatementParameter>>;
}
