import {
  operators,
  type Cell,
  type Level,
  type Operator,
} from "../../../plugins/protocol/index.ts";
import { ApiError } from "../../errors.ts";
import type { QueryLimits } from "../limits.ts";
import { kindOf, quote, readList, readMembers, readText } from "./readMembers.ts";
import { isParameter, resolveParameter, type Parameters } from "./resolveParameter.ts";
import { parseLevel, parseReference } from "./parseReference.ts";
import { mentionsColumn, parseColumnTest, type GivenColumnTest } from "./parseColumnTest.ts";
import {
  type Condition,
  type Operand,
  type Reference,
  type RelativeTest,
  type Test,
  type RelativeWord,
  relativeWords,
} from "../parsedQuery.ts";

/** Clients' names for `to_date` with a unit. */
const periodsToDate: Readonly<Record<string, Level>> = {
  wtd: "week",
  mtd: "month",
  qtd: "quarter",
  ytd: "year",
};
const mostPeriods = 1_000_000;
const words: readonly (Operator | "between")[] = [...operators, "between"];
const allowed = [
  ...words.map((word) => `? ${word}${word.endsWith("null") ? "" : " ?"}`),
  "? between ? and ?",
  ...relativeWords,
].join(", ");

/**
 * Parses `where` or `having`: a list of `{expression, parameters}`, `{and: […]}`, `{or: […]}` and
 * nested lists, which are ANDed.
 * A parameter in the place of a value takes the override of the caller's token, else its default.
 * An empty list from a parameter lets no row pass.
 * @throws {ApiError} MEMBER_UNKNOWN, MEMBER_INVALID, MEMBER_MISSING, QUERY_NOT_SERVED
 */
export function parseConditions(
  value: unknown,
  path: string,
  limits: QueryLimits,
  parameters: Parameters = new Map(),
): readonly Condition[] {
  let count = 0;
  const list = (entries: readonly unknown[], at: string, depth: number): readonly Condition[] => {
    if (depth > limits.filterDepth)
      throw new ApiError("MEMBER_INVALID", [
        at,
        `groups may be nested at most ${limits.filterDepth} levels deep`,
      ]);
    return entries.flatMap((entry, index) => one(entry, `${at}[${index}]`, depth) ?? []);
  };
  /** Undefined for a test with a cleared parameter. */
  const one = (entry: unknown, at: string, depth: number): Condition | undefined => {
    const all = (given: readonly unknown[], path: string): Condition | undefined => {
      const and = list(given, path, depth + 1);
      return given.length > 0 && and.length === 0 ? undefined : { and };
    };
    if (Array.isArray(entry)) return all(entry, at);
    const members = readMembers(entry, at, ["expression", "parameters", "and", "or"]);
    const given = ["and", "or", "expression"].filter((name) => members[name] !== undefined);
    if (given.length !== 1 || (given[0] !== "expression" && members["parameters"] !== undefined))
      throw new ApiError("MEMBER_INVALID", [
        at,
        "it must be {expression, parameters}, {and: […]} or {or: […]}",
      ]);
    if (members["and"] !== undefined)
      return all(readList(members["and"], `${at}.and`), `${at}.and`);
    if (members["or"] !== undefined) {
      const given = readList(members["or"], `${at}.or`);
      const or = list(given, `${at}.or`, depth + 1);
      if (given.length === 0)
        throw new ApiError("MEMBER_INVALID", [
          `${at}.or`,
          "an empty group matches nothing; leave it out",
        ]);
      return or.length > 0 ? { or } : undefined;
    }
    count++;
    if (count > limits.filterCount)
      throw new ApiError("MEMBER_INVALID", [path, `it holds at most ${limits.filterCount} tests`]);
    return parseWhere(members["expression"], members["parameters"], at, limits, parameters);
  };
  return list(readList(value, path), path, 0);
}

function parseWhere(
  expression: unknown,
  parameters: unknown,
  path: string,
  limits: QueryLimits,
  overrides: Parameters,
): Condition | undefined {
  const name = readText(expression, `${path}.expression`);
  const isRange = isRangeForm(name);
  const given = readList(parameters, `${path}.parameters`);
  const [column, value, end] = given;
  const isComplete = isRange ? given.length === 3 : column !== undefined && given.length < 3;
  if (!isComplete)
    throw new ApiError("MEMBER_INVALID", [`${path}.parameters`, formOf(name, isRange)]);
  const at = (index: number) => `${path}.parameters[${index}]`;
  const readCell = (cell: unknown, cellPath: string) => readOperand(cell, cellPath, overrides);
  if (isRange) {
    const first = [column, at(0)] as const;
    const columnCount = [value, end].filter(mentionsColumn).length;
    if (!mentionsColumn(column) && columnCount === 1) {
      const list = [[value, end], `${path}.parameters`] as const;
      return parseColumnTest({
        path,
        operator: "between",
        first,
        value: list,
        listFrom: 1,
        readCell,
      });
    }
    const bounds = [parseBound(">=", first, [value, at(1)]), parseBound("<=", first, [end, at(2)])];
    return bounds.every((each) => each !== undefined) ? { and: bounds } : undefined;
  }
  if (!relativeOf(name) && mentionsColumn(value))
    return parseColumns(name, [column, value], path, at(1), readCell);
  const reference = parseReference(column, at(0));
  const test = { expression: name, reference, value, path };
  if (relativeOf(name) || !isParameter(value)) return parseTest(test, limits);
  const resolved = resolveParameter(value, overrides, at(1));
  if (!resolved) return undefined;
  const parsed = parseTest({ ...test, value: resolved.value }, limits);
  const isEmpty = Array.isArray(resolved.value) && resolved.value.length === 0;
  return isEmpty ? passesNone(parsed) : parsed;

  /** One bound of a range; undefined for a cleared parameter. */
  function parseBound(
    operator: ">=" | "<=",
    first: readonly [unknown, string],
    bound: readonly [unknown, string],
  ): Condition | undefined {
    if (mentionsColumn(bound[0]))
      return parseColumnTest({ path, operator, first, value: bound, readCell });
    const operand = readCell(...bound);
    if (!operand || !("cell" in operand)) return undefined;
    const reference = parseReference(...first);
    return { path, valuePath: bound[1], reference, operator, value: [operand.cell] };
  }
}

function formOf(name: string, isRange: boolean): string {
  if (isRange) return "it must be [column, value, value]; each value may be a column";
  return relativeOf(name)
    ? "it must be [column, {unit, quantity}]"
    : "it must be [column] or [column, value]";
}

/**
 * Parses a test of several columns from its operands. Without `readCell`, parameters are not
 * resolved.
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

/**
 * Reads a value beside columns. A parameter takes the override of the caller's token, else its
 * default.
 */
function readOperand(value: unknown, path: string, overrides: Parameters): Operand | undefined {
  if (!isParameter(value)) return { cell: parseCell(value, path, false), path };
  const resolved = resolveParameter(value, overrides, path);
  return resolved && { cell: parseCell(resolved.value, path, false), path };
}

/** Returns whether a test has two bounds, each a parameter of its own. */
function isRangeForm(expression: string): boolean {
  return /^\s*\?\s*between\s*\?\s*and\s*\?\s*$/i.test(expression);
}

/** A test whose column is parsed. */
export interface GivenTest {
  readonly expression: string;
  readonly reference: Reference;
  readonly value: unknown;
  readonly path: string;
  /** The path of the value, unless it is the second of `parameters`. */
  readonly valuePath?: string;
}

/**
 * Parses one test. Its value is no parameter: those are resolved before.
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

/** Makes a condition that no row passes: null and not null. */
export function passesNone({ path, reference }: Test | RelativeTest): Condition {
  const test = { path, reference, value: undefined };
  return {
    and: [
      { ...test, operator: "is null" },
      { ...test, operator: "is not null" },
    ],
  };
}

interface RelativeName {
  readonly word: RelativeWord;
  /** The period of a client's name such as MTD. */
  readonly period: Level | undefined;
}

/** Returns the relative test that a name means; undefined for other names. */
function relativeOf(expression: string): RelativeName | undefined {
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
  const members = readMembers(value ?? {}, path, ["unit", "quantity"]);
  const unit = period ?? parseLevel(members["unit"], `${path}.unit`);
  if (!unit)
    throw new ApiError("MEMBER_MISSING", [
      `${path}.unit`,
      "the number of a level, such as 5 (day)",
    ]);
  return {
    relative: word,
    unit,
    quantity: readQuantity(members["quantity"], `${path}.quantity`),
  };
}

/** Ignores the sign: the word gives the direction. */
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
  const operator = words.find((word) =>
    word.endsWith("null") ? isForm(normal, word, false) : isForm(normal, word, true),
  );
  if (!operator)
    throw new ApiError("MEMBER_INVALID", [
      path,
      `there is no ${quote(expression)}; there are: ${allowed}`,
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
  if (operator === "is null" || operator === "is not null") {
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0))
      return undefined;
    throw new ApiError("MEMBER_INVALID", [path, `? ${operator} takes no value`]);
  }
  if (operator === "in" || operator === "not in") {
    if (!Array.isArray(value))
      throw new ApiError("MEMBER_INVALID", [
        path,
        `? ${operator} ? takes a list, not ${kindOf(value)}`,
      ]);
    if (value.length > limits.listLength)
      throw new ApiError("MEMBER_INVALID", [
        path,
        `a list holds at most ${limits.listLength} values`,
      ]);
    return value.map((cell, index) => parseCell(cell, `${path}[${index}]`, true));
  }
  if (operator === "between") {
    if (!Array.isArray(value) || value.length !== 2)
      throw new ApiError("MEMBER_INVALID", [path, "? between ? takes a list of two values"]);
    return value.map((cell, index) => parseCell(cell, `${path}[${index}]`, false));
  }
  if (value === undefined)
    throw new ApiError("MEMBER_MISSING", [path, `the value of ? ${operator} ?`]);
  return [parseCell(value, path, false)];
}

function parseCell(value: unknown, path: string, nullable: boolean): Cell {
  refuseParameter(value, path);
  if (value === null && nullable) return null;
  if (value === null)
    throw new ApiError("MEMBER_INVALID", [
      path,
      "it must not be null; test null with ? is null, or with a list and ? in ?",
    ]);
  if (typeof value === "string") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new ApiError("MEMBER_INVALID", [
    path,
    `it must be a text or a finite number, not ${kindOf(value)}`,
  ]);
}

function refuseParameter(value: unknown, path: string): void {
  if (isParameter(value))
    throw new ApiError("MEMBER_INVALID", [
      path,
      "a parameter must replace the whole value, not a part of it",
    ]);
}
