import { EngineError } from "../errors.ts";
import type { DataType } from "../types.ts";

/** The column in which a join looks up values, described for error messages. */
export interface JoinColumn {
  readonly table: string;
  readonly name: string;
  readonly type: DataType;
}

/** Returns the error for a value that occurs twice in the column in which a join looks up values. */
export function ambiguous({ table, name, type }: JoinColumn, value: number | string): EngineError {
  const shown =
    typeof value === "string"
      ? JSON.stringify(value)
      : type === "datetime"
        ? new Date(value).toISOString()
        : value;
  return new EngineError("JOIN_AMBIGUOUS", [name, table, shown]);
}
