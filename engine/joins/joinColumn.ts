import { EngineError } from "../errors.ts";
import type { DataType } from "../types.ts";

/** Describes, for error messages, the column in which a join looks up values. */
export interface JoinColumn {
  readonly table: string;
  readonly name: string;
  readonly type: DataType;
  /** Whether the column stands for a key of several columns, whose values are not known by number. */
  readonly isCombined?: boolean;
}

/** Returns the error JOIN_AMBIGUOUS, for a value that occurs twice in the column in which a join looks up values. */
export function ambiguous(
  { table, name, type, isCombined }: JoinColumn,
  value: number | string,
): EngineError {
  if (isCombined) return new EngineError("JOIN_AMBIGUOUS", [name, table, "(a combination)"]);
  const shown =
    typeof value === "string"
      ? JSON.stringify(value)
      : type === "datetime"
        ? new Date(value).toISOString()
        : value;
  return new EngineError("JOIN_AMBIGUOUS", [name, table, shown]);
}
