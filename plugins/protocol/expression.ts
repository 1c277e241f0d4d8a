import Type, { type Static } from "typebox";
import { DataType } from "./dataset.ts";

/**
 * The closed list of functions in an `Expression`, operators among them; each with its parameters, its nulls and its bounds as
 * core/expressions/portableFunctions.ts has it. A plugin that promises one computes exactly that.
 */
export const functions = [
  "and",
  "or",
  "not",
  "isNull",
  "equal",
  "less",
  "lessOrEqual",
  "greater",
  "greaterOrEqual",
  "between",
  "in",
  "contains",
  "startsWith",
  "endsWith",
  "case",
  "switch",
  "coalesce",
  "nullIf",
  "greatest",
  "least",
  "add",
  "subtract",
  "multiply",
  "divide",
  "modulo",
  "quotient",
  "negate",
  "abs",
  "sign",
  "ceil",
  "floor",
  "round",
  "trunc",
  "sqrt",
  "power",
  "exp",
  "ln",
  "log10",
  "concat",
  "length",
  "lower",
  "upper",
  "trim",
  "trimStart",
  "trimEnd",
  "left",
  "right",
  "substring",
  "replace",
  "position",
  "padStart",
  "padEnd",
  "repeat",
  "reverse",
  "splitPart",
  "toNumber",
  "numberText",
  "datetimeText",
  "toDatetime",
  "toDate",
  "datePart",
  "dateTrunc",
  "dateAdd",
  "dateDiff",
  "makeDate",
  "dateOf",
  "formatDate",
  "epochMs",
  "fromEpochMs",
] as const;
export const FunctionName = Type.Union(functions.map((name) => Type.Literal(name)));
export type FunctionName = (typeof functions)[number];

/** What a part of an expression gives; a boolean is never null. */
export const ExpressionType = Type.Union([DataType, Type.Literal("boolean")]);
export type ExpressionType = Static<typeof ExpressionType>;

/**
 * A value computed per row. Arguments are complete and of the right types; periods, parts, patterns and time zones are literal
 * texts. A literal datetime is an ISO instant in UTC. The clock is never read: whoever asks has put its instant in.
 */
export type Expression =
  | {
      readonly kind: "literal";
      readonly type: ExpressionType;
      readonly value: string | number | boolean | null;
    }
  | { readonly kind: "column"; readonly column_id: string }
  | {
      readonly kind: "call";
      readonly function: FunctionName;
      readonly args: readonly Expression[];
    };

/** A column that the query adds to the dataset: `columns` and `filters` name it by its id, which no column of the dataset has. */
export interface Derived {
  readonly id: string;
  readonly type: DataType;
  /** A datetime that is a calendar date, midnight in UTC. */
  readonly subtype?: "date";
  readonly expression: Expression;
}

/** The parts of the schema of a query that describe derived columns. */
export const derivedSchemas = {
  Expression: Type.Union([
    Type.Object({
      kind: Type.Literal("literal"),
      type: ExpressionType,
      value: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
    }),
    Type.Object({ kind: Type.Literal("column"), column_id: Type.String() }),
    Type.Object({
      kind: Type.Literal("call"),
      function: FunctionName,
      args: Type.Array(Type.Ref("Expression")),
    }),
  ]),
  Derived: Type.Object({
    id: Type.String(),
    type: DataType,
    subtype: Type.Optional(Type.Literal("date")),
    expression: Type.Ref("Expression"),
  }),
};

/** Lists the functions and the columns that an expression names, with repetitions. O(size). */
export function namesIn(expression: Expression): {
  readonly functions: readonly FunctionName[];
  readonly columnIds: readonly string[];
} {
  const found = { functions: [] as FunctionName[], columnIds: [] as string[] };
  const visit = (part: Expression): void => {
    if (part.kind === "column") found.columnIds.push(part.column_id);
    if (part.kind !== "call") return;
    found.functions.push(part.function);
    part.args.forEach(visit);
  };
  visit(expression);
  return found;
}
