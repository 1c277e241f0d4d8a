import type { DataType, Expression } from "../../../plugins/protocol/index.ts";
import type { FormulaAggregate } from "./aggregates.ts";
import { check } from "./check.ts";
import { asColumnValue } from "./checkCast.ts";
import { refuse, type Checking, type Reference, type Resolve } from "./checked.ts";
import { parse } from "./parse.ts";

export interface CompileOptions {
  /** `column`: a value of each row. `formula`: arithmetic over aggregates of rows. */
  readonly kind: "column" | "formula";
  readonly resolve: Resolve;
  /** IANA name of the time zone whose clock and calendar the date functions read; UTC when absent. */
  readonly timezone?: string;
  /** The instant that `now()` gives, in milliseconds; the instant of the call when absent. */
  readonly nowMs?: number;
}

/** A checked column or formula. */
export interface CompiledExpression {
  readonly type: DataType;
  /** A datetime that is a calendar date, held as its midnight in UTC and never shifted by a time zone. */
  readonly isDate: boolean;
  /** In a formula the results of `aggregates` are columns whose ids are their indexes: "0", "1", …. */
  readonly value: Expression;
  readonly aggregates: readonly FormulaAggregate[];
  /** Every column that is read, once. */
  readonly references: readonly Reference[];
  /** False when it reads the clock: the same rows may give another value later. */
  readonly isDeterministic: boolean;
}

/**
 * Compiles the source text of a derived column or a formula: parsed, types checked, references
 * resolved, constants computed. Reads nothing but its arguments. O(length), bounded by `limits`.
 * @throws {ExpressionError} with line, column and what was expected
 */
export function compileExpression(source: string, options: CompileOptions): CompiledExpression {
  const { kind, resolve, timezone = "UTC", nowMs = Date.now() } = options;
  const checking: Checking = {
    source,
    timezone,
    resolve,
    place: kind === "column" ? "row" : "formula",
    clock: { nowMs, isRead: false },
    references: new Map(),
    aggregates: [],
    constants: new Set(),
  };
  const syntax = parse(source);
  const { tree, type, isDate } = asColumnValue(checking, check(checking, syntax));
  const { aggregates, references, clock } = checking;
  if (kind === "formula" && aggregates.length === 0)
    throw refuse(
      checking,
      "EXPRESSION_AGGREGATE",
      syntax,
      "an aggregate such as sum({dataset id:column id})",
      "none in the formula",
    );
  return {
    type,
    isDate,
    value: tree,
    aggregates,
    references: [...references.values()],
    isDeterministic: !clock.isRead,
  };
}
