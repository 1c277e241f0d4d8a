import { ApiError } from "../../base/index.ts";
import type { QueryLimits } from "../limits.ts";
import type { Condition, Operand } from "../parsedQuery.ts";
import { mentionsColumn, parseColumnTest } from "./parseColumnTest.ts";
import { parseReference } from "./parseReference.ts";
import { parseCell, parseColumns, parseTest, passesNone, relativeOf } from "./parseTest.ts";
import { readList, readMembers, readText } from "./readMembers.ts";
import { isParameter, resolveParameter, type Parameters } from "./resolveParameter.ts";

/**
 * Parses `where` or `having`: a list of `{expression, parameters}`, `{and: […]}`, `{or: […]}` and nested lists, which
 * are combined with AND. The value of a parameter is the override of the caller's token, or else its default. If the
 * value of a parameter is an empty list, no row passes.
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
        `groups must be nested at most ${limits.filterDepth} levels deep`,
      ]);
    return entries.flatMap((entry, index) => one(entry, `${at}[${index}]`, depth) ?? []);
  };
  /** Parses one condition; undefined for a test with a cleared parameter. */
  const one = (entry: unknown, at: string, depth: number): Condition | undefined => {
    const all = (given: readonly unknown[], path: string): Condition | undefined => {
      const and = list(given, path, depth + 1);
      return given.length > 0 && and.length === 0 ? undefined : { and };
    };
    if (Array.isArray(entry)) return all(entry, at);
    const members = readMembers(entry, at, ["expression", "parameters", "and", "or"]);
    const given = ["and", "or", "expression"].filter((name) => members[name] !== undefined);
    if (given.length !== 1 || (given[0] !== "expression" && members.parameters !== undefined))
      throw new ApiError("MEMBER_INVALID", [
        at,
        "it must be {expression, parameters}, {and: […]} or {or: […]}",
      ]);
    if (members.and !== undefined) return all(readList(members.and, `${at}.and`), `${at}.and`);
    if (members.or !== undefined) {
      const given = readList(members.or, `${at}.or`);
      const or = list(given, `${at}.or`, depth + 1);
      if (given.length === 0)
        throw new ApiError("MEMBER_INVALID", [
          `${at}.or`,
          "it must contain at least one test; leave an empty group out",
        ]);
      return or.length > 0 ? { or } : undefined;
    }
    count++;
    if (count > limits.filterCount)
      throw new ApiError("MEMBER_INVALID", [
        path,
        `it must contain at most ${limits.filterCount} tests`,
      ]);
    return parseWhere(members.expression, members.parameters, at, limits, parameters);
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

  /** Parses one bound of a range; undefined for a cleared parameter. */
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
 * Parses a value in a test with columns. The value of a parameter is the override of the caller's token, or else its
 * default.
 */
function readOperand(value: unknown, path: string, overrides: Parameters): Operand | undefined {
  if (!isParameter(value)) return { cell: parseCell(value, path, false), path };
  const resolved = resolveParameter(value, overrides, path);
  return resolved && { cell: parseCell(resolved.value, path, false), path };
}

/** Returns whether a test has two separate bounds, each of which may be a parameter. */
function isRangeForm(expression: string): boolean {
  return /^\s*\?\s*between\s*\?\s*and\s*\?\s*$/i.test(expression);
}
