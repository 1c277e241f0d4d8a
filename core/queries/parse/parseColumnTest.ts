import type { Operator } from "../../../plugins/protocol/index.ts";
import { ApiError, kindOf } from "../../base/index.ts";
import { readList } from "./readMembers.ts";
import { isParameter } from "./resolveParameter.ts";
import { isColumnOperator, valuesOf } from "./valuesOf.ts";
import { parseReference } from "./parseReference.ts";
import type { ColumnTest, Operand, Test } from "../parsedQuery.ts";

const mostOperands = 1_000;
const columnMembers = ["column_id", "expression", "formula", "formula_id"];

/** For each operator, the equivalent operator for exchanged operands. */
const mirrored: Readonly<Partial<Record<Operator | "between", Operator>>> = {
  "=": "=",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

/** Returns whether a parameter of a test is a column, or a list that contains one. */
export function mentionsColumn(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isColumn);
  return isColumn(value);
}

function isColumn(value: unknown): boolean {
  if (typeof value !== "object" || value === null || isParameter(value)) return false;
  return columnMembers.some((member) => Object.hasOwn(value, member));
}

/** A test whose parameters include a column. */
export interface GivenColumnTest {
  readonly path: string;
  readonly operator: Operator | "between";
  /** The operand before the operator, with its path. */
  readonly first: readonly [value: unknown, path: string];
  /** The operand after the operator, with its path. It is a list for `in`, `not in` and `between`. */
  readonly value: readonly [value: unknown, path: string];
  /**
   * Index of the list's first value, for its path.
   * @default 0
   */
  readonly listFrom?: number;
  /** Reads a value that is not a column; undefined for a parameter that the caller's token clears. */
  readonly readCell: (value: unknown, path: string) => Operand | undefined;
}

/**
 * Parses a test with several columns, or with a value and a column. If the value comes before the column, returns the
 * mirrored plain test. Returns undefined for a cleared parameter, so that the test is removed.
 * @throws {ApiError} MEMBER_INVALID, MEMBER_MISSING, MEMBER_UNKNOWN
 */
export function parseColumnTest(given: GivenColumnTest): ColumnTest | Test | undefined {
  const { path, operator, readCell } = given;
  if (!isColumnOperator(operator))
    throw new ApiError("MEMBER_INVALID", [given.value[1], `? ${operator} must have no value`]);
  const read = ([value, at]: readonly [unknown, string]): Operand | undefined =>
    isColumn(value) ? { reference: parseReference(value, at) } : readCell(value, at);
  const isNull = (value: unknown) => value === null && valuesOf(operator) === "list";
  const values = listValues(operator, given.value, given.listFrom).map((each) =>
    isNull(each[0]) ? { cell: null, path: each[1] } : read(each),
  );
  const operands = [read(given.first), ...values];
  if (!operands.every((each) => each !== undefined)) return undefined;
  const [first, second] = operands;
  const mirror = mirrored[operator];
  if (mirror && first && "cell" in first && second && "reference" in second)
    return {
      path,
      valuePath: first.path,
      reference: second.reference,
      operator: mirror,
      value: [first.cell],
    };
  return { path, operator, operands };
}

function listValues(
  operator: Operator | "between",
  [value, path]: readonly [unknown, string],
  listFrom = 0,
): readonly (readonly [unknown, string])[] {
  if (valuesOf(operator) === "one") {
    if (!Array.isArray(value)) return [[value, path]];
    throw new ApiError("MEMBER_INVALID", [path, `? ${operator} ? must have one value, not a list`]);
  }
  if (!Array.isArray(value))
    throw new ApiError("MEMBER_INVALID", [
      path,
      `? ${operator} ? must have a list, not ${kindOf(value)}`,
    ]);
  const list = readList(value, path);
  if (operator === "between" && list.length !== 2)
    throw new ApiError("MEMBER_INVALID", [path, "? between ? must have a list of two values"]);
  if (list.length > mostOperands)
    throw new ApiError("MEMBER_INVALID", [
      path,
      `a list with columns must have at most ${mostOperands} values`,
    ]);
  return list.map((each, index) => [each, `${path}[${listFrom + index}]`]);
}
