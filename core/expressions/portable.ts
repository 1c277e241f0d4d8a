import type { AggregateName, FunctionName } from "./portableFunctions.ts";

/** A boolean is never null: every test is true or false. */
export type ValueType = "number" | "text" | "datetime" | "boolean";

/** A number is finite; a datetime is whole milliseconds since 1970-01-01T00:00:00Z; a text has no half of a surrogate pair. */
export type Value = number | string | boolean | null;

/**
 * A checked expression as plain data (it survives JSON), for whoever computes it: its meaning is in
 * `portableFunctions`, and `evaluate` is the reference. Arguments are complete and of the right type:
 * nothing is optional, and time zones, periods and patterns are literal texts.
 */
export type PortableExpression =
  | { readonly kind: "literal"; readonly type: ValueType; readonly value: Value }
  | PortableColumn
  /** In a formula: the result of the aggregate with this index. */
  | { readonly kind: "aggregate"; readonly type: ValueType; readonly index: number }
  | {
      readonly kind: "call";
      readonly type: ValueType;
      readonly function: FunctionName;
      readonly args: readonly PortableExpression[];
    };

export interface PortableColumn {
  readonly kind: "column";
  readonly type: ValueType;
  readonly datasetId: string;
  readonly columnId: string;
}

/** What a formula folds the rows of a group into. Nulls are skipped. */
export interface PortableAggregate {
  readonly function: AggregateName;
  readonly type: ValueType;
  /** A value of each row; absent for `rows`. */
  readonly of?: PortableExpression;
  /** Of `percentile`, from 0 to 1. */
  readonly fraction?: number;
}
