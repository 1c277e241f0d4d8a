import {
  functionOf,
  positiveOf,
  type Cell,
  type DataType,
  type Expression,
  type FunctionName,
  type PositiveOperator,
} from "../../../plugins/protocol/index.ts";
import { ApiError } from "../../base/index.ts";
import { bindCell, typesOf } from "./bindConditions.ts";
import type { ColumnOperator, ColumnTest } from "../parsedQuery.ts";

/** One side of a test: an expression over a row or group, or a value in the query with its path. */
export type Compared =
  | {
      readonly type: DataType;
      /** Whether the values are dates, which no time zone shifts. */
      readonly isDate: boolean;
      readonly expression: Expression;
      readonly label: string;
    }
  | { readonly cell: Cell; readonly path: string };

/** The value of `compareColumns` for rows that pass. */
const passed = 1;

const call = (name: FunctionName, ...args: readonly Expression[]): Expression => ({
  kind: "call",
  function: name,
  args,
});
const number = (value: number): Expression => ({ kind: "literal", type: "numeric", value });

/**
 * Returns a test with several columns as an expression: 1 for rows that pass, otherwise 0. The logic is two-valued, as
 * in every filter: the result is never null. Datetimes without a time zone are read on the clock of `timezone`.
 * @throws {ApiError} MEMBER_INVALID if the columns differ in type, or if an operator or value does not fit them
 */
export function compareColumns(
  test: ColumnTest,
  sides: readonly Compared[],
  timezone: string,
): Expression {
  const { operator, path } = test;
  const columns = sides.flatMap((side) => ("cell" in side ? [] : [side]));
  const [column] = columns;
  if (!column) throw new TypeError(`${path} must reference a column`);
  const { type } = column;
  const other = columns.find((each) => each.type !== type);
  if (other)
    throw new ApiError("MEMBER_INVALID", [
      `${path}.parameters`,
      `${column.label} is ${type} but ${other.label} is ${other.type}; compare columns of the same type`,
    ]);
  const types = typesOf(operator);
  if (!types.includes(type))
    throw new ApiError("MEMBER_INVALID", [
      `${path}.expression`,
      `? ${operator} ? must have columns of type ${types.join(" or ")}, but ${column.label} is ${type}`,
    ]);
  const zone = columns.every(({ isDate }) => isDate) ? "UTC" : timezone;
  const [first, ...others] = sides.map((side): Expression => {
    if (!("cell" in side)) return side.expression;
    const { cell } = side;
    const value = cell === null ? null : bindCell(cell, type, side.path, zone);
    return { kind: "literal", type, value };
  });
  if (!first) throw new TypeError(`${path} must have operands`);
  return call("case", testOf(operator, first, others), number(passed), number(0));
}

/**
 * Returns a test, positive or negative. A negative test is the exact complement of the positive test, even for null.
 */
function testOf(
  operator: ColumnOperator,
  first: Expression,
  others: readonly Expression[],
): Expression {
  if (operator === "between") return call("between", first, ...others);
  const positive = positiveOf(operator);
  if (positive !== operator) return call("not", positiveTest(positive, first, others));
  return positiveTest(positive, first, others);
}

/** Returns a positive test. A null on either side fails the test, except a null in a list. */
function positiveTest(
  operator: PositiveOperator,
  first: Expression,
  others: readonly Expression[],
): Expression {
  if (operator !== "in") return call(functionOf(operator), first, ...others);
  return anyOf(
    others.map((each) =>
      each.kind === "literal" && each.value === null
        ? call("isNull", first)
        : call("equal", first, each),
    ),
  );
}

function anyOf(tests: readonly Expression[]): Expression {
  const [only] = tests;
  return tests.length === 1 && only ? only : call("or", ...tests);
}
