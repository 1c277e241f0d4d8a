import { dataTypes, type DataType } from "./dataType.ts";
import type { FunctionName } from "./functions.ts";
import { namesOf, oneOf } from "./schemas.ts";

/** The kind of comparison in a test: equality of values, their order, a part of a string, or only null. */
export type OperatorTest = "equality" | "order" | "part" | "null";

/** The properties of an operator, which tests a value. */
export interface OperatorDefinition {
  /** The kind of comparison. */
  readonly tests: OperatorTest;
  /** Number of values that the operator takes. */
  readonly values: "none" | "one" | "list";
  /**
   * The positive operator that passes exactly the rows that this one rejects, null included. Absent for positive
   * operators.
   */
  readonly complementOf?: string;
  /** The function of expressions that performs the same test. Absent for negative operators. */
  readonly function?: FunctionName;
}

/**
 * The table of operators. Code that depends on an operator must be derived from its row, or fail to compile when a row
 * is added.
 */
const definitions = {
  "=": { tests: "equality", values: "one", function: "equal" },
  "!=": { tests: "equality", values: "one", complementOf: "=" },
  "<": { tests: "order", values: "one", function: "less" },
  "<=": { tests: "order", values: "one", function: "lessOrEqual" },
  ">": { tests: "order", values: "one", function: "greater" },
  ">=": { tests: "order", values: "one", function: "greaterOrEqual" },
  in: { tests: "equality", values: "list", function: "in" },
  "not in": { tests: "equality", values: "list", complementOf: "in" },
  like: { tests: "part", values: "one", function: "contains" },
  "not like": { tests: "part", values: "one", complementOf: "like" },
  "starts with": { tests: "part", values: "one", function: "startsWith" },
  "not starts with": { tests: "part", values: "one", complementOf: "starts with" },
  "ends with": { tests: "part", values: "one", function: "endsWith" },
  "not ends with": { tests: "part", values: "one", complementOf: "ends with" },
  "is null": { tests: "null", values: "none", function: "isNull" },
  "is not null": { tests: "null", values: "none", complementOf: "is null" },
} as const satisfies Readonly<Record<string, OperatorDefinition>>;

/** The name of an operator of filters. */
export type Operator = keyof typeof definitions;

/** The operators with a given property, such as `OperatorWith<"values", "one">`. */
export type OperatorWith<Member extends keyof OperatorDefinition, Value> = {
  [Name in Operator]: (typeof definitions)[Name] extends Readonly<Record<Member, Value>>
    ? Name
    : never;
}[Operator];

/** The operators that are not the complement of another operator. */
export type PositiveOperator = Exclude<Operator, OperatorWith<"complementOf", string>>;

/** The positive operators with a given kind of comparison, such as the four comparisons of `"order"`. */
export type PositiveOperatorOf<Test extends OperatorTest> = PositiveOperator &
  OperatorWith<"tests", Test>;

/** The properties of each operator. */
export const operatorDefinitions: Readonly<Record<Operator, OperatorDefinition>> = definitions;

/** The names of the operators, in the order of the table. */
export const operators: readonly Operator[] = namesOf(definitions);

/** Returns whether a value is the name of an operator. Queries that were not validated may contain other names. */
export function isOperator(value: unknown): value is Operator {
  return operators.some((each) => each === value);
}

/** The schema of an operator's name. */
export const Operator = oneOf(operators);

/** Returns the positive operator that a negative operator negates. Returns a positive operator unchanged. */
export function positiveOf(operator: Operator): PositiveOperator {
  if (isPositive(operator)) return operator;
  return definitions[operator].complementOf;
}

function isPositive(operator: Operator): operator is PositiveOperator {
  return operatorDefinitions[operator].complementOf === undefined;
}

/** Returns whether an operator performs a given kind of comparison. */
export function makesTest<Test extends OperatorTest>(
  operator: Operator,
  test: Test,
): operator is OperatorWith<"tests", Test> {
  return operatorDefinitions[operator].tests === test;
}

/**
 * Returns the function of expressions that performs the same test as a positive operator. Only `isNull` passes null.
 */
export function functionOf(operator: PositiveOperator): FunctionName {
  return definitions[operator].function;
}

const partTypes: readonly DataType[] = ["hierarchy"];

/**
 * The column types on which each operator is defined. A plugin that carries out all operators can declare this table.
 */
export const everyOperator: { readonly [Name in Operator]?: readonly DataType[] } =
  Object.fromEntries(
    operators.map((operator) => [operator, makesTest(operator, "part") ? partTypes : dataTypes]),
  );
