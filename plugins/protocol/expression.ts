import Type, { type Static, type TUnsafe } from "typebox";
import { DataType } from "./dataset.ts";
import { oneOf, readonlyArray } from "./schemas.ts";

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
export const FunctionName = oneOf(functions);
export type FunctionName = Static<typeof FunctionName>;

/** The type of an expression's value. A boolean is never null. */
export const ExpressionType = Type.Union([DataType, Type.Literal("boolean")]);
export type ExpressionType = Static<typeof ExpressionType>;

/** A constant. A datetime is an ISO instant in UTC. */
const LiteralExpression = Type.Object({
  kind: Type.Literal("literal"),
  type: ExpressionType,
  value: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
});
export interface LiteralExpression extends Readonly<Static<typeof LiteralExpression>> {}

/** The value of a column in the row. */
const ColumnExpression = Type.Object({ kind: Type.Literal("column"), column_id: Type.String() });
export interface ColumnExpression extends Readonly<Static<typeof ColumnExpression>> {}

/**
 * A function of other expressions. Arguments are complete and of the right types; periods, parts, patterns and time
 * zones are literal texts.
 */
const CallExpression = Type.Object({
  kind: Type.Literal("call"),
  function: FunctionName,
  args: readonlyArray(Type.Ref("Expression")),
});
export interface CallExpression extends Readonly<
  Static<typeof CallExpression, { readonly Expression: TUnsafe<Expression> }>
> {}

/** A value computed per row. It never reads the clock: the host has put the instant of the request in. */
export type Expression = LiteralExpression | ColumnExpression | CallExpression;
export const Expression = Type.Unsafe<Expression>(
  Type.Cyclic(
    { Expression: Type.Union([LiteralExpression, ColumnExpression, CallExpression]) },
    "Expression",
  ),
);

/** A column that the query adds to the dataset. `columns` and `filters` name it by its id, which is no other column's. */
export const Derived = Type.Object({
  id: Type.String(),
  type: DataType,
  /** A datetime that is a calendar date, midnight in UTC. */
  subtype: Type.Optional(Type.Literal("date")),
  expression: Expression,
});
export interface Derived extends Readonly<Static<typeof Derived>> {}

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
