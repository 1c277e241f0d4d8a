import { dataTypes, type DataType } from "./dataType.ts";
import type { FunctionName } from "./functions.ts";
import { namesOf, oneOf } from "./schemas.ts";

/**
 * The kind of comparison in a test: whether values are equal, how they are ordered, whether a string contains another
 * string, or whether a value is null.
 */
export type OperatorTest = "equality" | "order" | "part" | "null";

/** The properties of an operator, which tests a value. */
export interface OperatorDefinition {
  /** The kind of comparison. */
  readonly tests: OperatorTest;
  /** Number of values that the operator takes. */
  readonly values: "none" | "one" | "list";
  /**
   * The positive operator that passes exactly the rows that this operator rejects, including rows with null. Absent for
   * positive operators.
   */
  readonly complementOf?: string;
  /** The function of expressions that performs the same test. Absent for negative operators. */
  readonly function?: FunctionName;
  /** Describes the values that pass, as a phrase such as "values that equal the given value". */
  readonly meaning: string;
}

/**
 * The table of operators. Code that depends on an operator must be derived from its row, or fail to compile when a row
 * is added.
 */
const definitions = {
  "=": {
    tests: "equality",
    values: "one",
    function: "equal",
    meaning:
      "values that equal the given value; strings are compared exactly, code point by code point",
  },
  "!=": {
    tests: "equality",
    values: "one",
    complementOf: "=",
    meaning: "all other values, and null",
  },
  "<": {
    tests: "order",
    values: "one",
    function: "less",
    meaning: "values before the given value; strings are ordered by code point",
  },
  "<=": {
    tests: "order",
    values: "one",
    function: "lessOrEqual",
    meaning: "values before the given value, and those equal to it",
  },
  ">": {
    tests: "order",
    values: "one",
    function: "greater",
    meaning: "values after the given value; strings are ordered by code point",
  },
  ">=": {
    tests: "order",
    values: "one",
    function: "greaterOrEqual",
    meaning: "values after the given value, and those equal to it",
  },
  in: {
    tests: "equality",
    values: "list",
    function: "in",
    meaning:
      "values that equal an entry of the list, and null if the list contains null; none if the list is empty",
  },
  "not in": {
    tests: "equality",
    values: "list",
    complementOf: "in",
    meaning: "all other values, and null unless the list contains null; all if the list is empty",
  },
  like: {
    tests: "part",
    values: "one",
    function: "contains",
    meaning:
      "strings that contain the given string; case is ignored (simple Unicode folding), and there are no wildcards",
  },
  "not like": {
    tests: "part",
    values: "one",
    complementOf: "like",
    meaning: "all other strings, and null",
  },
  "starts with": {
    tests: "part",
    values: "one",
    function: "startsWith",
    meaning: "strings that begin with the given string; case is ignored (simple Unicode folding)",
  },
  "not starts with": {
    tests: "part",
    values: "one",
    complementOf: "starts with",
    meaning: "all other strings, and null",
  },
  "ends with": {
    tests: "part",
    values: "one",
    function: "endsWith",
    meaning: "strings that end with the given string; case is ignored (simple Unicode folding)",
  },
  "not ends with": {
    tests: "part",
    values: "one",
    complementOf: "ends with",
    meaning: "all other strings, and null",
  },
  "is null": { tests: "null", values: "none", function: "isNull", meaning: "null" },
  "is not null": {
    tests: "null",
    values: "none",
    complementOf: "is null",
    meaning: "all values other than null",
  },
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
 * Returns the function of expressions that performs the same test as a positive operator. Of these functions, only
 * `isNull` returns true for null.
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
