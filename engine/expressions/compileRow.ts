import { floorInstant } from "../time/floorInstant.ts";
import { readZone } from "../time/zone.ts";
import type { ComparisonOperator, DataType, Expression, Predicate, Scalar } from "../types.ts";
import { limitsOf } from "./binLimits.ts";
import { compareCells, isNull } from "./choiceFunctions.ts";
import { matchText } from "./matchText.ts";
import type { Cell } from "./scalarFunction.ts";
import type { Leaf } from "./testDictionary.ts";
import { findFunction, callRow } from "./scalarFunctions.ts";

/** Returns a function that reads a column in the current row. */
export type CellReader = (name: string, join: string | undefined) => () => Cell;

/**
 * Compiles a checked expression into a function that evaluates it for the current row. Null is NaN for numbers and
 * datetimes, and null for strings. Costs one function call per node and row.
 */
export function compileRow(
  expression: Expression,
  readerOf: CellReader,
  type: DataType,
): () => Cell {
  const none = type === "text" ? null : NaN;
  switch (expression.kind) {
    case "column":
      return readerOf(expression.name, expression.join);
    case "literal": {
      const value = expression.value ?? none;
      return () => value;
    }
    case "period": {
      const { of, period, timezone } = expression;
      const read = compileRow(of, readerOf, "datetime");
      const zone = readZone(timezone);
      return () => {
        const instant = Number(read());
        return instant === instant ? floorInstant(zone, period, instant) : NaN;
      };
    }
    case "bin": {
      const read = compileRow(expression.of, readerOf, "number");
      const { startOf } = limitsOf(expression);
      return () => startOf(Number(read()));
    }
    case "case": {
      const branches = expression.branches.map(({ when, then }) => ({
        when: compileTest(when, readerOf),
        value: compileRow(then, readerOf, type),
      }));
      const otherwise = expression.otherwise
        ? compileRow(expression.otherwise, readerOf, type)
        : () => none;
      return () => (branches.find(({ when }) => when())?.value ?? otherwise)();
    }
    case "call": {
      const { parts, literals } = splitArguments(expression);
      const reads = parts.map(({ of, type: own }) => compileRow(of, readerOf, own ?? type));
      return callRow(expression.function, literals, reads);
    }
  }
}

/**
 * Splits the arguments of a call into computed arguments, each with the type that the function declares for it, and
 * literal arguments.
 */
export function splitArguments(call: Extract<Expression, { kind: "call" }>): {
  readonly parts: readonly { readonly of: Expression; readonly type: DataType | undefined }[];
  readonly literals: readonly string[];
} {
  const { parameters, repeated } = findFunction(call.function);
  const parts = [];
  const literals = [];
  for (const [index, of] of call.of.entries()) {
    const parameter = parameters[index] ?? repeated;
    if (parameter === "T") parts.push({ of, type: undefined });
    else if (parameter === "number" || parameter === "datetime" || parameter === "text")
      parts.push({ of, type: parameter });
    else literals.push(of.kind === "literal" ? String(of.value) : "");
  }
  return { parts, literals };
}

const comparisons: Readonly<Record<ComparisonOperator, (order: number) => boolean>> = {
  "=": (order) => order === 0,
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

/** Compiles a checked predicate into a function that evaluates it for the current row. */
export function compileTest(test: Predicate, readerOf: CellReader): () => boolean {
  switch (test.kind) {
    case "and": {
      const parts = test.of.map((part) => compileTest(part, readerOf));
      return () => parts.every((part) => part());
    }
    case "or": {
      const parts = test.of.map((part) => compileTest(part, readerOf));
      return () => parts.some((part) => part());
    }
    case "not": {
      const part = compileTest(test.of, readerOf);
      return () => !part();
    }
    case "compare":
    case "in":
    case "isNull":
    case "match": {
      const read = compileRow(test.left, readerOf, typeOfLeaf(test));
      const passes = compileLeaf(test);
      return () => passes(read());
    }
  }
}

/**
 * Returns a type for the expression of a predicate. The type only decides how null is represented, which does not
 * affect the predicate, so a literal or a `case` gets any suitable type.
 */
function typeOfLeaf(leaf: Leaf): DataType {
  if (leaf.kind === "match") return "text";
  const values: readonly Scalar[] =
    leaf.kind === "compare" ? [leaf.value] : leaf.kind === "in" ? leaf.values : [];
  return values.some((value) => typeof value === "string") ? "text" : "number";
}

/** Compiles a predicate into a function that tests a value. */
export function compileLeaf(leaf: Leaf): (cell: Cell) => boolean {
  switch (leaf.kind) {
    case "isNull":
      return isNull;
    case "in": {
      const values = new Set<Cell>(leaf.values.filter((value) => value !== null));
      const hasNull = leaf.values.includes(null);
      return (cell) => (isNull(cell) ? hasNull : values.has(cell));
    }
    case "match": {
      const matches = matchText(leaf.match, leaf.text);
      return (cell) => typeof cell === "string" && matches(cell);
    }
    case "compare": {
      const { value } = leaf;
      const passes = comparisons[leaf.operator];
      return (cell) => !isNull(cell) && passes(compareCells(cell, value));
    }
  }
}
