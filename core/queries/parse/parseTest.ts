import {
  operators,
  type Cell,
  type Level,
  type Operator,
} from "../../../plugins/protocol/index.ts";
import { ApiError, kindOf, memberNames } from "../../base/index.ts";
import type { QueryLimits } from "../limits.ts";
import {
  relativeWords,
  type Condition,
  type Reference,
  type RelativeTest,
  type RelativeWord,
  type Test,
} from "../parsedQuery.ts";
import { parseColumnTest, type GivenColumnTest } from "./parseColumnTest.ts";
import { parseLevel } from "./parseLevel.ts";
import { quote, readMembers } from "./readMembers.ts";
import { FilterPeriod } from "./rowFilterSchemas.ts";
import { valuesOf } from "./valuesOf.ts";
import { isParameter } from "./resolveParameter.ts";

/** Names that clients send for `to_date` with a unit. */
const periodsToDate: Readonly<Record<string, Level>> = {
  wtd: "week",
  mtd: "month",
  qtd: "quarter",
  ytd: "year",
};
const mostPeriods = 1_000_000;
const words: readonly (Operator | "between")[] = [...operators, "between"];
const allowed = [
  ...words.map((word) => `? ${word}${valuesOf(word) === "none" ? "" : " ?"}`),
  "? between ? and ?",
  ...relativeWords,
].join(", ");

/** A test whose column is already parsed. */
export interface GivenTest {
  readonly expression: string;
  readonly reference: Reference;
  readonly value: unknown;
  readonly path: string;
  /** The path of the value. Absent if the value is the second element of `parameters`. */
  readonly valuePath?: string;
}

/**
 * Parses one test. Its value cannot be a parameter, because parameters are resolved first.
 * @throws {ApiError} MEMBER_INVALID, MEMBER_MISSING, MEMBER_UNKNOWN
 */
export function parseTest(given: GivenTest, limits: QueryLimits): Test | RelativeTest {
  const { expression, reference, value, path, valuePath } = given;
  const place = { path, ...(valuePath !== undefined && { valuePath }) };
  const at = valuePath ?? `${path}.parameters[1]`;
  const relative = relativeOf(expression);
  if (relative) return { ...place, reference, ...parsePeriods(relative, value, at) };
  const operator = parseOperator(expression, `${path}.expression`);
  return { ...place, reference, operator, value: parseValue(operator, value, at, limits) };
}

/** Returns a condition that no row passes: that the value is both null and not null. */
export function passesNone({ path, reference }: Test | RelativeTest): Condition {
  const test = { path, reference, value: undefined };
  return {
    and: [
      { ...test, operator: "is null" },
      { ...test, operator: "is not null" },
    ],
  };
}

/**
 * Parses a test with several columns from its operands. Without `readCell`, parameters are not resolved.
 * @throws {ApiError} MEMBER_INVALID, MEMBER_MISSING, MEMBER_UNKNOWN
 */
export function parseColumns(
  expression: string,
  [first, value]: readonly [unknown, unknown],
  path: string,
  valuePath: string,
  readCell: GivenColumnTest["readCell"] = (cell, at) => ({
    cell: parseCell(cell, at, false),
    path: at,
  }),
): Condition | undefined {
  return parseColumnTest({
    path,
    operator: parseOperator(expression, `${path}.expression`),
    first: [first, `${path}.parameters[0]`],
    value: [value, valuePath],
    readCell,
  });
}

interface RelativeName {
  readonly word: RelativeWord;
  /** The period that a client's name such as MTD stands for. */
  readonly period: Level | undefined;
}

/**
 * Returns the relative test that a name such as `last_now` or `MTD` stands for, in upper or lower case; undefined for
 * any other name.
 */
export function relativeOf(expression: string): RelativeName | undefined {
  const name = expression.trim().toLowerCase();
  const period = Object.hasOwn(periodsToDate, name) ? periodsToDate[name] : undefined;
  const word = period ? "to_date" : relativeWords.find((known) => known === name);
  return word && { word, period };
}

function parsePeriods(
  { word, period }: RelativeName,
  value: unknown,
  path: string,
): Pick<RelativeTest, "relative" | "unit" | "quantity"> {
  if (period && (value === undefined || value === null))
    return { relative: word, unit: period, quantity: 1 };
  const members = readMembers(value ?? {}, path, memberNames(FilterPeriod));
  const unit = period ?? parseLevel(members.unit, `${path}.unit`);
  if (!unit)
    throw new ApiError("MEMBER_MISSING", [
      `${path}.unit`,
      "the number of a level, such as 5 (day)",
    ]);
  return {
    relative: word,
    unit,
    quantity: readQuantity(members.quantity, `${path}.quantity`),
  };
}

/** Reads a quantity and drops its sign, because the word already states the direction. */
function readQuantity(value: unknown, path: string): number {
  if (value === undefined || value === null) return 1;
  if (typeof value === "number" && Number.isInteger(value) && Math.abs(value) <= mostPeriods)
    return Math.abs(value);
  throw new ApiError("MEMBER_INVALID", [
    path,
    `it must be a whole number of periods, at most ${mostPeriods}`,
  ]);
}

function parseOperator(expression: string, path: string): Operator | "between" {
  const normal = expression.trim().toLowerCase().replaceAll(/\s+/g, " ");
  const operator = words.find((word) => isForm(normal, word, valuesOf(word) !== "none"));
  if (!operator)
    throw new ApiError("MEMBER_INVALID", [
      path,
      `${quote(expression)} is not a known test; the tests are: ${allowed}`,
    ]);
  return operator;
}

function isForm(expression: string, word: string, binary: boolean): boolean {
  if (!expression.startsWith("?") || (binary && !expression.endsWith("?"))) return false;
  return expression.length > 1 && expression.slice(1, binary ? -1 : undefined).trim() === word;
}

function parseValue(
  operator: Operator | "between",
  value: unknown,
  path: string,
  limits: QueryLimits,
): readonly Cell[] | undefined {
  refuseParameter(value, path);
  const values = valuesOf(operator);
  if (values === "none") {
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0))
      return undefined;
    throw new ApiError("MEMBER_INVALID", [path, `? ${operator} must have no value`]);
  }
  if (values === "list") {
    if (!Array.isArray(value))
      throw new ApiError("MEMBER_INVALID", [
        path,
        `? ${operator} ? must have a list, not ${kindOf(value)}`,
      ]);
    if (value.length > limits.listLength)
      throw new ApiError("MEMBER_INVALID", [
        path,
        `a list must have at most ${limits.listLength} values`,
      ]);
    return value.map((cell, index) => parseCell(cell, `${path}[${index}]`, true));
  }
  if (values === "pair") {
    if (!Array.isArray(value) || value.length !== 2)
      throw new ApiError("MEMBER_INVALID", [path, "? between ? must have a list of two values"]);
    return value.map((cell, index) => parseCell(cell, `${path}[${index}]`, false));
  }
  if (value === undefined)
    throw new ApiError("MEMBER_MISSING", [path, `the value of ? ${operator} ?`]);
  return [parseCell(value, path, false)];
}

/**
 * Parses a value of a test: a string or a finite number, or null if `nullable`.
 * @throws {ApiError} MEMBER_INVALID
 */
export function parseCell(value: unknown, path: string, nullable: boolean): Cell {
  refuseParameter(value, path);
  if (value === null && nullable) return null;
  if (value === null)
    throw new ApiError("MEMBER_INVALID", [
      path,
      'it must not be null; to test for null, use "? is null", or "? in ?" with a list that contains null',
    ]);
  if (typeof value === "string") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new ApiError("MEMBER_INVALID", [
    path,
    `it must be a string or a finite number, not ${kindOf(value)}`,
  ]);
}

function refuseParameter(value: unknown, path: string): void {
  if (isParameter(value))
    throw new ApiError("MEMBER_INVALID", [
      path,
      "a parameter must replace the whole value, not only a part",
    ]);
}
