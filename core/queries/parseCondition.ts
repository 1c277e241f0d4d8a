import { operators, type Cell, type Operator } from "../../plugins/protocol/index.ts";
import { ApiError } from "../errors.ts";
import type { QueryLimits } from "./limits.ts";
import { kindOf, quote, readList, readMembers, readText } from "./members.ts";
import { parseReference } from "./parseReference.ts";
import type { Condition, Test } from "./question.ts";

const relativeDates = new Set([
  "last_now",
  "last_available",
  "next_now",
  "ago",
  "more_than_ago",
  "or_more_ago",
  "last_completed",
  "next_full",
  "to_date",
  "wtd",
  "mtd",
  "qtd",
  "ytd",
]);
const words: readonly (Operator | "between")[] = [...operators, "between"];
const allowed = words.map((word) => `? ${word}${word.endsWith("null") ? "" : " ?"}`).join(", ");

/**
 * Reads `where` or `having`: a list of `{expression, parameters}`, `{and: […]}`, `{or: […]}` and
 * nested lists, which are ANDed as the outer list is.
 * @throws {ApiError} MEMBER_UNKNOWN, MEMBER_INVALID, MEMBER_MISSING, QUERY_NOT_SERVED
 */
export function parseConditions(
  value: unknown,
  path: string,
  limits: QueryLimits,
): readonly Condition[] {
  let count = 0;
  const list = (entries: readonly unknown[], at: string, depth: number): readonly Condition[] => {
    if (depth > limits.filterDepth)
      throw new ApiError("MEMBER_INVALID", [
        at,
        `groups nest at most ${limits.filterDepth} levels`,
      ]);
    return entries.map((entry, index) => one(entry, `${at}[${index}]`, depth));
  };
  const one = (entry: unknown, at: string, depth: number): Condition => {
    if (Array.isArray(entry)) return { and: list(entry, at, depth + 1) };
    const members = readMembers(entry, at, ["expression", "parameters", "and", "or"]);
    const given = ["and", "or", "expression"].filter((name) => members[name] !== undefined);
    if (given.length !== 1 || (given[0] !== "expression" && members["parameters"] !== undefined))
      throw new ApiError("MEMBER_INVALID", [
        at,
        "it must be {expression, parameters}, {and: […]} or {or: […]}",
      ]);
    if (members["and"] !== undefined)
      return { and: list(readList(members["and"], `${at}.and`), `${at}.and`, depth + 1) };
    if (members["or"] !== undefined) {
      const or = list(readList(members["or"], `${at}.or`), `${at}.or`, depth + 1);
      if (or.length === 0)
        throw new ApiError("MEMBER_INVALID", [
          `${at}.or`,
          "a group without members matches nothing; leave it out",
        ]);
      return { or };
    }
    count++;
    if (count > limits.filterCount)
      throw new ApiError("MEMBER_INVALID", [path, `it holds at most ${limits.filterCount} tests`]);
    return parseTest(members["expression"], members["parameters"], at, limits);
  };
  return list(readList(value, path), path, 0);
}

function parseTest(
  expression: unknown,
  parameters: unknown,
  path: string,
  limits: QueryLimits,
): Test {
  const operator = parseOperator(readText(expression, `${path}.expression`), `${path}.expression`);
  const [column, value, ...rest] = readList(parameters, `${path}.parameters`);
  if (column === undefined || rest.length > 0)
    throw new ApiError("MEMBER_INVALID", [
      `${path}.parameters`,
      "it must be [column] or [column, value]",
    ]);
  return {
    path,
    reference: parseReference(column, `${path}.parameters[0]`),
    operator,
    value: parseValue(operator, value, `${path}.parameters[1]`, limits),
  };
}

function parseOperator(expression: string, path: string): Operator | "between" {
  const normal = expression.trim().toLowerCase().replaceAll(/\s+/g, " ");
  if (relativeDates.has(normal))
    throw new ApiError("QUERY_NOT_SERVED", [path, "relative dates; compare with ? >= ? and ? < ?"]);
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
      "it is null; use ? is null, or a list with ? in ?",
    ]);
  if (typeof value === "string") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new ApiError("MEMBER_INVALID", [
    path,
    `it must be a text or a finite number, not ${kindOf(value)}`,
  ]);
}

function refuseParameter(value: unknown, path: string): void {
  if (typeof value === "object" && value !== null && Object.hasOwn(value, "parameter"))
    throw new ApiError("QUERY_NOT_SERVED", [path, "a parameter as value; send the value itself"]);
}
