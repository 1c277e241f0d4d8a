import { EngineError } from "../errors.ts";
import { readZone } from "../time/zone.ts";
import { periods, type DataType, type Expression, type Predicate, type Scalar } from "../types.ts";
import { compileDateFormat } from "./compileDateFormat.ts";
import { decimalMarks, thousandsMarks } from "./compileNumberFormat.ts";
import { dateParts, isDatePattern } from "./datetimeFunctions.ts";
import type { LiteralParameter } from "./scalarFunction.ts";
import { findFunction } from "./scalarFunctions.ts";

/** Returns the type of a column. Throws if there is no column of that name. */
export type TypeOfColumn = (name: string, join: string | undefined) => DataType;

/** Maximum nesting of expressions and predicates. Deeper recursion would overflow the stack. */
const deepest = 500;

/**
 * Checks an expression and returns the type of its values. Takes time linear in the size of the expression.
 * @throws {EngineError} QUERY_PLAN, COLUMN_TYPE, and the errors of `typeOfColumn`
 */
export function checkExpression(expression: Expression, typeOfColumn: TypeOfColumn): DataType {
  return check(expression, typeOfColumn, 0);
}

function check(expression: Expression, typeOfColumn: TypeOfColumn, depth: number): DataType {
  if (depth > deepest) throw invalid(`expressions may nest at most ${deepest} levels deep`);
  const typeOf = (part: Expression) => check(part, typeOfColumn, depth + 1);
  switch (expression.kind) {
    case "column":
      return typeOfColumn(expression.name, expression.join);
    case "literal":
      checkScalar(expression.value, expression.type, "a literal");
      return expression.type;
    case "period":
      expect(expression.of, typeOf(expression.of), "datetime");
      checkLiteral("period", expression.period);
      checkLiteral("zone", expression.timezone);
      return "datetime";
    case "bin": {
      const { width, origin } = expression;
      expect(expression.of, typeOf(expression.of), "number");
      if (!(width > 0 && Number.isFinite(width)))
        throw invalid(`the width of a bin must be a finite number above 0, not ${width}`);
      if (!Number.isFinite(origin))
        throw invalid(`the origin of bins must be a finite number, not ${origin}`);
      return "number";
    }
    case "case": {
      const { branches, otherwise } = expression;
      const values = branches.map(({ then }) => then).concat(otherwise ?? []);
      if (branches.length === 0) throw invalid("a case needs at least one branch");
      const type = typeOf(values[0]);
      for (const value of values) expect(value, typeOf(value), type);
      for (const { when } of branches) checkTest(when, typeOfColumn, depth + 1);
      return type;
    }
    case "call":
      return checkCall(expression, typeOf);
    default:
      throw invalid(`there is no expression of the kind ${givenKind(expression)}`);
  }
}

function checkCall(
  call: Extract<Expression, { kind: "call" }>,
  typeOf: (part: Expression) => DataType,
): DataType {
  const { parameters, repeated, result } = findFunction(call.function);
  const count = parameters.length;
  if (call.of.length < count || (call.of.length > count && !repeated))
    throw invalid(
      `${call.function} takes ${count}${repeated ? " or more" : ""} arguments, not ${call.of.length}`,
    );
  let any: DataType | undefined;
  call.of.forEach((part, index) => {
    const parameter = parameters[index] ?? repeated;
    if (parameter === "T") {
      const type = typeOf(part);
      any ??= type;
      expect(part, type, any);
    } else if (parameter === "number" || parameter === "datetime" || parameter === "text")
      expect(part, typeOf(part), parameter);
    else checkLiteral(parameter, part.kind === "literal" ? part.value : undefined);
  });
  return result === "T" ? (any ?? "number") : result;
}

/** Checks a predicate and the expressions that it contains. */
export function checkTest(test: Predicate, typeOfColumn: TypeOfColumn, depth = 0): void {
  if (depth > deepest) throw invalid(`tests may nest at most ${deepest} levels deep`);
  switch (test.kind) {
    case "and":
    case "or":
      for (const part of test.of) checkTest(part, typeOfColumn, depth + 1);
      return;
    case "not":
      return checkTest(test.of, typeOfColumn, depth + 1);
    case "compare":
    case "in": {
      const type = check(test.left, typeOfColumn, depth + 1);
      const label = labelOf(test.left);
      if (test.kind === "compare" && test.value === null) throw noNull(label);
      if (test.kind === "in") for (const value of test.values) checkScalar(value, type, label);
      else if (["=", "<", "<=", ">", ">="].includes(test.operator))
        checkScalar(test.value, type, label);
      else throw invalid(`there is no comparison operator ${String(test.operator)}`);
      return;
    }
    case "match":
      if (!["contains", "startsWith", "endsWith"].includes(test.match))
        throw invalid(
          `there is no match ${String(test.match)}; use contains, startsWith or endsWith`,
        );
      expect(test.left, check(test.left, typeOfColumn, depth + 1), "text");
      if (test.text === null) throw noNull(labelOf(test.left));
      checkScalar(test.text, "text", labelOf(test.left));
      return;
    case "isNull":
      check(test.left, typeOfColumn, depth + 1);
      return;
    default:
      throw invalid(`there is no predicate of the kind ${givenKind(test)}`);
  }
}

/** Returns the `kind` of a node of unknown type. */
const givenKind = ({ kind }: { readonly kind?: unknown }): string => String(kind);

const literals: Readonly<Record<LiteralParameter, (text: string) => boolean>> = {
  period: (text) => periods.some((period) => period === text),
  part: (text) => dateParts.some((part) => part === text),
  pattern: isDatePattern,
  zone: (text) => readZone(text) !== undefined,
  dateFormat: (text) => compileDateFormat(text) !== undefined,
  decimalMark: (text) => decimalMarks.includes(text),
  thousandsMark: (text) => thousandsMarks.includes(text),
};

function checkLiteral(parameter: LiteralParameter, text: unknown): void {
  if (typeof text !== "string")
    throw invalid(`the ${parameter} of a function must be a literal string`);
  if (!literals[parameter](text)) throw invalid(`there is no ${parameter} ${JSON.stringify(text)}`);
}

function checkScalar(value: Scalar, type: DataType, label: string): void {
  if (value === null) return;
  const found = typeof value === "string" ? "text" : "number";
  if ((found === "text") !== (type === "text"))
    throw new EngineError("COLUMN_TYPE", [label, type, found]);
  if (typeof value === "number" && !Number.isFinite(value))
    throw invalid(`${label} must be compared with a finite number, not ${value}`);
}

function expect(part: Expression, found: DataType, expected: DataType): void {
  if (found !== expected) throw new EngineError("COLUMN_TYPE", [labelOf(part), found, expected]);
}

/** Returns the name of an expression for error messages. */
function labelOf(expression: Expression): string {
  if (expression.kind === "column") return expression.name;
  return expression.kind === "call" ? expression.function : `a ${expression.kind}`;
}

function invalid(message: string): EngineError {
  return new EngineError("QUERY_PLAN", [message]);
}

const noNull = (label: string) =>
  invalid(`${label} is compared with null, which equals nothing; use isNull instead`);
