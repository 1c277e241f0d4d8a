import { check } from "./check.ts";
import { asColumnValue } from "./checkCast.ts";
import { refuse, type Checking, type Reference, type Resolve } from "./checked.ts";
import { parse } from "./parse.ts";
import type { PortableAggregate, PortableExpression, ValueType } from "./portable.ts";
import { portableFunctions } from "./portableFunctions.ts";

export interface CompileOptions {
  /** `column`: a value of each row. `formula`: arithmetic over aggregates of rows. */
  readonly kind: "column" | "formula";
  readonly resolve: Resolve;
  /** IANA name of the time zone whose clock and calendar the date functions read; UTC when absent. */
  readonly timezone?: string;
}

/** A checked column or formula. */
export interface CompiledExpression {
  readonly type: Exclude<ValueType, "boolean">;
  /** Of a datetime: a calendar date, held as its midnight in UTC and never shifted by a time zone. */
  readonly isDate: boolean;
  readonly value: PortableExpression;
  /** Of a formula: what the nodes `aggregate` of `value` stand for. */
  readonly aggregates: readonly PortableAggregate[];
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
  const { kind, resolve, timezone = "UTC" } = options;
  const checking: Checking = {
    source,
    timezone,
    resolve,
    place: kind === "column" ? "row" : "formula",
    references: new Map(),
    aggregates: new Map(),
  };
  const syntax = parse(source);
  const { tree, type, isDate } = asColumnValue(checking, check(checking, syntax));
  const aggregates = [...checking.aggregates.values()];
  if (kind === "formula" && aggregates.length === 0)
    throw refuse(
      checking,
      "EXPRESSION_AGGREGATE",
      syntax,
      "an aggregate such as sum({dataset id:column id})",
      "none in the formula",
    );
  const parts = [tree, ...aggregates.flatMap(({ of }) => of ?? [])];
  return {
    type: type as CompiledExpression["type"],
    isDate,
    value: tree,
    aggregates,
    references: [...checking.references.values()],
    isDeterministic: parts.every(isDeterministic),
  };
}

function isDeterministic(tree: PortableExpression): boolean {
  if (tree.kind !== "call") return true;
  return portableFunctions[tree.function].isDeterministic && tree.args.every(isDeterministic);
}
