import Type, { type Static, type TUnsafe } from "typebox";
import { DataType } from "./dataType.ts";
import { ExpressionType, FunctionName } from "./functions.ts";
import { readonlyArray } from "./schemas.ts";

/** A constant. A datetime is an ISO instant in UTC. */
const LiteralExpression = Type.Object({
  kind: Type.Literal("literal"),
  type: ExpressionType,
  value: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
});
export interface LiteralExpression extends Readonly<Static<typeof LiteralExpression>> {}

/** A reference to the value of a column in the row. */
const ColumnExpression = Type.Object({ kind: Type.Literal("column"), column_id: Type.String() });
export interface ColumnExpression extends Readonly<Static<typeof ColumnExpression>> {}

/**
 * A call of a function with expressions as arguments. The number and types of the arguments are as declared. Periods,
 * parts, patterns and time zones are literal strings.
 */
const CallExpression = Type.Object({
  kind: Type.Literal("call"),
  function: FunctionName,
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

/** Returns a copy of an expression in which `change(columnId)` replaces each column. O(size). */
export function mapColumns(
  expression: Expression,
  change: (columnId: string) => Expression,
): Expression {
  if (expression.kind === "column") return change(expression.column_id);
  if (expression.kind === "literal") return expression;
  return { ...expression, args: expression.args.map((each) => mapColumns(each, change)) };
}
