import Type, { type Static, type TUnsafe } from "typebox";
import { DataType } from "./dataType.ts";
import { ExpressionType, FunctionName } from "./functions.ts";
import { readonlyArray } from "./schemas.ts";

/** A constant. A datetime is an ISO instant in UTC. */
const LiteralExpression = Type.Object({
  /** Marks a constant. */
  kind: Type.Literal("literal"),
  /** Type of the constant. */
  type: ExpressionType,
  /** The constant. */
  value: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
});
export interface LiteralExpression extends Readonly<Static<typeof LiteralExpression>> {}

/** A reference to the value of a column in the row. */
const ColumnExpression = Type.Object({
  /** Marks a column. */
  kind: Type.Literal("column"),
  /** Id of a column of the dataset or of a join. */
  column_id: Type.String(),
});
export interface ColumnExpression extends Readonly<Static<typeof ColumnExpression>> {}

/**
 * A call of a function with expressions as arguments. The number and types of the arguments must match the function's
 * declaration. Periods, parts, patterns and time zones are literal strings.
 */
const CallExpression = Type.Object({
  /** Marks a call. */
  kind: Type.Literal("call"),
  /** Name of the function. */
  function: FunctionName,
  /** The arguments of the function. */
  args: readonlyArray(Type.Ref("Expression")),
});
export interface CallExpression extends Readonly<
  Static<typeof CallExpression, { readonly Expression: TUnsafe<Expression> }>
> {}

/**
 * An expression that is computed per row. It never reads the clock: the host inserts the instant of the request as a
 * constant.
 */
export type Expression = LiteralExpression | ColumnExpression | CallExpression;
export const Expression = Type.Unsafe<Expression>(
  Type.Cyclic(
    { Expression: Type.Union([LiteralExpression, ColumnExpression, CallExpression]) },
    "Expression",
  ),
);

/** A column that the query adds to the dataset, under an id that no other column has. */
export const Derived = Type.Object({
  /** Id of the column in the query. */
  id: Type.String(),
  /** Logical type of the values. */
  type: DataType,
  /** Marks a datetime that is a calendar date, at midnight UTC. */
  subtype: Type.Optional(Type.Literal("date")),
  /** The expression that computes the value of a row. */
  expression: Expression,
});
export interface Derived extends Readonly<Static<typeof Derived>> {}

/** Lists the functions and the columns that occur in an expression, including duplicates. O(size). */
export function namesIn(expression: Expression): {
  readonly functions: readonly FunctionName[];
  readonly columnIds: readonly string[];
} {
  const found: { functions: FunctionName[]; columnIds: string[] } = {
    functions: [],
    columnIds: [],
  };
  const visit = (part: Expression): void => {
    if (part.kind === "column") found.columnIds.push(part.column_id);
    if (part.kind !== "call") return;
    found.functions.push(part.function);
    part.args.forEach(visit);
  };
  visit(expression);
  return found;
}

/** Returns a copy of an expression in which each column is replaced by the result of `change(columnId)`. O(size). */
export function mapColumns(
  expression: Expression,
  change: (columnId: string) => Expression,
): Expression {
  if (expression.kind === "column") return change(expression.column_id);
  if (expression.kind === "literal") return expression;
  return { ...expression, args: expression.args.map((each) => mapColumns(each, change)) };
}
