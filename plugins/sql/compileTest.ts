import {
  millisecondsOf,
  PluginError,
  isOperator,
  positiveOf,
  type Cell,
  type DataType,
  type Operator,
  type PositiveOperator,
  type PositiveOperatorOf,
} from "../protocol/index.ts";
import { notOffered, type Readings, type SqlValue } from "./columnScope.ts";
import type { Comparison, Dialect } from "./dialect.ts";
import type { SqlColumn } from "./driver.ts";
import type { MatchPosition } from "./foldingClass.ts";
import { cell, join, list, sql, trusted, type Fragment } from "./fragment.ts";
import { mostDifferenceMs } from "./offsetSpans.ts";
import { instantOfReading } from "./zonedLevel.ts";

const matchPositions = {
  like: "anywhere",
  "starts with": "start",
  "ends with": "end",
} as const satisfies Readonly<Record<PositiveOperatorOf<"part">, string>>;

export const never = trusted("1 = 0");
export const always = trusted("1 = 1");

/**
 * Writes a test of a value. The test is either true or false, never null. Where SQL would return null, the row fails
 * the test, even inside `and` and `or`. A negative operator is the exact complement of its positive operator.
 * @throws {PluginError} PLUGIN_INVALID for an unknown operator, and for values of another type
 */
export function compileTest(
  value: SqlValue,
  operator: Operator,
  cells: readonly Cell[] = [],
  dialect: Dialect,
): Fragment {
  if (!isOperator(operator)) throw invalid(`the operator ${String(operator)} is unknown`);
  if (operator === "is not null") return sql`(${storedOf(value)} is not null)`;
  const positive = positiveOf(operator);
  const test = positiveTest(value, positive, cells, dialect);
  if (positive === operator) return test;
  if (test === never) return always;
  return sql`(case when ${test} then 0 else 1 end = 1)`;
}

function positiveTest(
  value: SqlValue,
  operator: PositiveOperator,
  cells: readonly Cell[],
  dialect: Dialect,
): Fragment {
  if (operator === "is null") return isNull(value);
  if (operator === "in") return isOneOf(value, cells, dialect);
  const [only] = cells;
  if (cells.length !== 1 || only === undefined)
    throw invalid(`${operator} on ${value.label} needs exactly one value, not ${cells.length}`);
  if (only === null) {
    if (operator === "=") return isNull(value);
    throw invalid(`${operator} on ${value.label} cannot compare with null; use is null`);
  }
  const wanted = readCell(only, value);
  switch (operator) {
    case "=":
      return isOneOf(value, [only], dialect);
    case "<":
    case "<=":
    case ">":
    case ">=":
      return compared(value, operator, wanted, dialect);
    case "like":
    case "starts with":
    case "ends with":
      return matched(value, matchPositions[operator], wanted, dialect);
  }
}

function isNull(value: SqlValue): Fragment {
  return sql`(${storedOf(value)} is null)`;
}

/** Returns the expression of a value. For a column without zone, this is the reading of its clock. */
function storedOf(value: SqlValue): Fragment {
  return (value.readings ?? value).expression;
}

function isOneOf(value: SqlValue, cells: readonly Cell[], dialect: Dialect): Fragment {
  const { type, column, clock, readings } = value;
  const wanted = new Set<string | number>();
  for (const each of cells) {
    if (each === null) continue;
    const read = readCell(each, value);
    const stored =
      typeof read === "string"
        ? [read]
        : (readings?.clock.readingsOf(read) ?? [clock ? clock.wallOf(read) : read]);
    for (const found of stored)
      if (found !== undefined && isStorable(found, dialect)) wanted.add(found);
  }
  const tests: Fragment[] = [];
  const [first] = wanted;
  const tested = { left: storedOf(value), type, column };
  if (first !== undefined && wanted.size === 1)
    tests.push(dialect.equal({ ...tested, right: cell(type, first) }));
  else if (wanted.size > 1) tests.push(dialect.isIn({ ...tested, right: list(type, [...wanted]) }));
  if (first !== undefined && type === "datetime" && column && dialect.within) {
    const instants = [...wanted].map(Number);
    const from = instants.reduce((one, other) => Math.min(one, other));
    const to = instants.reduce((one, other) => Math.max(one, other));
    tests[0] = sql`(${dialect.within(column, from, to + 1)} and ${tests[0]!})`;
  }
  if (cells.includes(null)) tests.push(isNull(value));
  if (tests.length === 0) return never;
  return tests.length === 1 ? tests[0]! : sql`(${join(tests, " or ")})`;
}

function compared(
  value: SqlValue,
  operator: Comparison,
  wanted: string | number,
  dialect: Dialect,
): Fragment {
  const { type, column, readings } = value;
  if (readings && typeof wanted === "number")
    return comparedReading({ ...readings, type, column }, operator, wanted, dialect);
  const { expression, clock } = value;
  const tested = { left: expression, type, column };
  if (typeof wanted === "string") {
    const [sign, text] = comparableText(operator, wanted, dialect);
    return dialect.compare({ ...tested, operator: sign, right: cell(type, text) });
  }
  if (clock) {
    const [sign, wall] = clock.compare(operator, wanted);
    return dialect.compare({ left: expression, operator: sign, right: cell(type, wall), type });
  }
  return comparedValue(tested, operator, wanted, dialect);
}

interface Tested {
  readonly left: Fragment;
  readonly type: DataType;
  readonly column: SqlColumn | undefined;
}

/** Compares a column without zone with an instant, and stays true to the clock changes around that instant. */
function comparedReading(
  { expression, clock, type, column }: Readings & Omit<Tested, "left">,
  operator: Comparison,
  instantMs: number,
  dialect: Dialect,
): Fragment {
  const spans = clock.spansAround(instantMs);
  const offsets = new Set(spans.map(({ ownMs = 0 }) => ownMs));
  const [ownMs = 0] = offsets;
  if (offsets.size <= 1)
    return comparedValue({ left: expression, type, column }, operator, instantMs + ownMs, dialect);
  const left = instantOfReading(expression, spans, dialect);
  const exact = dialect.compare({ left, operator, right: cell(type, instantMs), type });
  if (!column || !dialect.within) return exact;
  const within = operator.startsWith("<")
    ? dialect.within(column, undefined, instantMs + mostDifferenceMs)
    : dialect.within(column, instantMs - mostDifferenceMs, undefined);
  return sql`(${within} and ${exact})`;
}

function comparedValue(
  tested: Tested,
  operator: Comparison,
  wanted: number,
  dialect: Dialect,
): Fragment {
  const { type, column } = tested;
  const test = dialect.compare({ ...tested, operator, right: cell(type, wanted) });
  if (type !== "datetime" || !column || !dialect.within) return test;
  // Values are truncated to the millisecond, so every value of a millisecond is before the start of the next
  // millisecond.
  const bound = operator === "<" || operator === ">=" ? wanted : wanted + 1;
  const within = operator.startsWith("<")
    ? dialect.within(column, undefined, bound)
    : dialect.within(column, bound, undefined);
  return sql`(${within} and ${test})`;
}

function matched(
  { expression, type, label }: SqlValue,
  position: MatchPosition,
  pattern: string | number,
  dialect: Dialect,
): Fragment {
  if (type !== "hierarchy" || typeof pattern !== "string")
    throw invalid(`${label} must be text, because only text can be searched for parts`);
  if (!isStorable(pattern, dialect)) return never;
  if (pattern === "") return sql`(${expression} is not null)`;
  return (
    dialect.matches(expression, pattern, position) ?? notOffered(dialect, "matching parts of text")
  );
}

/** Matches a lone surrogate, which UTF-8 cannot encode. */
const loneSurrogate = /\p{Surrogate}/u;

/** Returns whether any string of the database can equal a value. */
function isStorable(value: string | number, { holdsNul }: Dialect): boolean {
  if (typeof value === "number") return true;
  return !loneSurrogate.test(value) && (holdsNul || !value.includes("\0"));
}

/**
 * Rewrites a comparison with a string that the database cannot represent. Returns a comparison with another string; the
 * result is the same for every string of the database.
 */
function comparableText(
  operator: Comparison,
  text: string,
  dialect: Dialect,
): readonly [Comparison, string] {
  if (isStorable(text, dialect)) return [operator, text];
  const isLess = operator.startsWith("<");
  const surrogate = text.search(loneSurrogate);
  const nul = dialect.holdsNul ? -1 : text.indexOf("\0");
  const isNul = nul >= 0 && (surrogate < 0 || nul < surrogate);
  if (isNul) return [isLess ? "<=" : ">", text.slice(0, nul)];
  return [isLess ? "<" : ">=", `${text.slice(0, surrogate)}\ue000`];
}

const kinds: Readonly<Record<DataType, string>> = {
  numeric: "a finite number",
  datetime: "an ISO 8601 instant",
  hierarchy: "a string",
};

/** Converts a value to the type of the column: a datetime becomes milliseconds since 1970-01-01T00:00:00Z. */
function readCell(value: string | number, { type, label }: SqlValue): string | number {
  const isText = typeof value === "string";
  if (type === "hierarchy" && isText) return value;
  if (type === "numeric" && !isText && Number.isFinite(value)) return value + 0;
  const instant = type === "datetime" && isText ? millisecondsOf(value) : undefined;
  if (instant !== undefined) return instant;
  const given =
    type === "datetime" && isText ? "another string" : isText ? "a string" : String(value);
  throw invalid(`${label} must be compared with ${kinds[type]}, not ${given}`);
}

function invalid(detail: string): PluginError {
  return new PluginError("PLUGIN_INVALID", [detail]);
}
