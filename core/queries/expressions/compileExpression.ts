import type { DataType, Expression } from "../../../plugins/protocol/index.ts";
import type { FormulaAggregate } from "./aggregates.ts";
import { check } from "./check.ts";
import { asColumnValue } from "./checkCast.ts";
import { refuse, type Checking, type Reference, type Resolve } from "./checked.ts";
import { parse } from "./parse.ts";

export interface CompileOptions {
  /** `column`: a value per row. `formula`: arithmetic over aggregates of rows. */
  readonly kind: "column" | "formula";
  readonly resolve: Resolve;
  /**
   * IANA name of the time zone for date functions.
   * @default UTC
   */
  readonly timezone?: string;
  /**
   * The instant that `now()` returns, in milliseconds. Read only if the expression reads the clock.
   * @default the instant of the call
   */
  readonly nowMs?: number;
}

/** A compiled column or formula, with its type and the columns that it reads. */
export interface CompiledExpression {
  readonly type: DataType;
  /** Whether the value is a calendar date. Dates are stored as midnight in UTC, and no time zone shifts them. */
  readonly isDate: boolean;
  /**
   * The compiled expression. In a formula, the results of `aggregates` are columns whose ids are their indexes: "0",
   * "1", ….
   */
  readonly value: Expression;
  readonly aggregates: readonly FormulaAggregate[];
  /** Every column that the expression reads, without repetitions. */
  readonly references: readonly Reference[];
  /** Whether the value depends only on the rows. False if the expression reads the clock. */
  readonly isDeterministic: boolean;
}

/**
 * Compiles the source text of a derived column or a formula: parses it, checks types, resolves references and computes
 * constants. Reads nothing but its arguments. O(length), bounded by `limits`.
 * @throws {ExpressionError} with line, column and the expected syntax or value
 */
export function compileExpression(source: string, options: CompileOptions): CompiledExpression {
  const { kind, resolve, timezone = "UTC" } = options;
  const calledMs = Date.now();
  const checking: Checking = {
    source,
    timezone,
    resolve,
    place: kind === "column" ? "row" : "formula",
    clock: {
      get nowMs() {
        return options.nowMs ?? calledMs;
      },
      isRead: false,
    },
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
