import type { PeriodFloor } from "../time/periodFloor.ts";
import type { DataType, Expression, Period, Predicate } from "../types.ts";
import type {
  BoundCode,
  BoundRows,
  BoundTest,
  BoundText,
  BoundValue,
  KnownTexts,
  RowInput,
} from "./boundValue.ts";
import { checkExpression, checkTest } from "./checkExpression.ts";
import { extendedText } from "./columnText.ts";
import { compileLeaf, compileRow, splitArguments } from "./compileRow.ts";
import { ExtendedTexts } from "./extendedTexts.ts";
import { joinTexts } from "./joinTexts.ts";
import { keptByTexts } from "./keptByTexts.ts";
import { makeStrings } from "./makeStrings.ts";
import { mapNumbers, mapTest, mapTexts } from "./mapTexts.ts";
import { packStrings } from "./packStrings.ts";
import { codeByCode, isOne, numberByCode, testByCode } from "./numberByCode.ts";
import { joinLookups, testInTable, type NumberTest } from "./testInTable.ts";
import type { Leaf } from "./testDictionary.ts";

/** Provides the columns and the compiled truncations that are needed to bind an expression. */
export interface ExpressionSource {
  /** Returns a column. Throws if there is no column of that name. */
  column(name: string, join: string | undefined): BoundColumnValue;
  /** Compiles a truncation of the datetimes that `of` returns. */
  floor(of: BoundValue, period: Period, timezone: string): PeriodFloor;
}

/** A bound column in the form that expressions read: one value per row, or one code per row and a dictionary. */
export type BoundColumnValue =
  | { readonly type: "number" | "datetime"; readonly of: BoundValue }
  | { readonly type: "text"; readonly of: BoundText };

/**
 * A bound expression with its type. The kinds `text` and, for strings, `rows` return codes; all other kinds return
 * numbers.
 */
export interface BoundExpressionValue {
  readonly type: DataType;
  readonly of: BoundValue | BoundText;
}

/**
 * Binds an expression: replaces its names with columns. A part that reads only one text column becomes a table indexed
 * by the column's codes. The table is computed here, once per string.
 * @throws {EngineError} QUERY_PLAN, COLUMN_TYPE, and the errors of the source
 */
export function bindExpression(
  expression: Expression,
  source: ExpressionSource,
): BoundExpressionValue {
  const type = checkExpression(expression, (name, join) => source.column(name, join).type);
  return {
    type,
    of: type === "text" ? bindText(expression, source) : bindNumber(expression, source),
  };
}

/** Like `bindExpression`, for a predicate. */
export function bindTest(test: Predicate, source: ExpressionSource): BoundTest {
  checkTest(test, (name, join) => source.column(name, join).type);
  return testOf(test, source);
}

function bindNumber(expression: Expression, source: ExpressionSource): BoundValue {
  const columns = columnsOf(expression);
  if (columns.length === 0) return { kind: "literal", value: constantNumber(expression) };
  const text = onlyText(columns, source);
  if (text) {
    return numberByCode(text.code, mapNumbers(expression, text));
  }
  switch (expression.kind) {
    case "column": {
      const column = source.column(expression.name, expression.join);
      if (column.type === "text") throw new TypeError("a text expression is bound as a number");
      return column.of;
    }
    case "period": {
      const of = bindNumber(expression.of, source);
      return {
        kind: "period",
        of,
        floor: source.floor(of, expression.period, expression.timezone),
      };
    }
    case "bin":
      return { ...expression, of: bindNumber(expression.of, source) };
    case "case":
      return {
        kind: "case",
        branches: expression.branches.map(({ when, then }) => ({
          when: testOf(when, source),
          then: bindNumber(then, source),
        })),
        otherwise: expression.otherwise
          ? bindNumber(expression.otherwise, source)
          : { kind: "literal", value: NaN },
      };
    case "call":
      return bindCall(expression, source);
    case "literal":
      return { kind: "literal", value: constantNumber(expression) };
  }
}

function bindCall(
  call: Extract<Expression, { kind: "call" }>,
  source: ExpressionSource,
): BoundValue {
  const { parts, literals } = splitArguments(call);
  const typeOfColumn = (name: string, join: string | undefined) => source.column(name, join).type;
  if (parts.some(({ of }) => checkExpression(of, typeOfColumn) === "text"))
    return bindRows(call, checkExpression(call, typeOfColumn), source);
  const of = parts.map((part) => bindNumber(part.of, source));
  if (call.function === "dateTrunc")
    return {
      kind: "period",
      of: of[0],
      floor: source.floor(of[0], literals[0] as Period, literals[1]),
    };
  return {
    kind: "call",
    function: call.function,
    of,
    ...(literals.length > 0 && { literals }),
  };
}

function bindText(expression: Expression, source: ExpressionSource): BoundText | BoundRows {
  if (expression.kind === "column") {
    const { of } = source.column(expression.name, expression.join);
    if (of.kind === "text") return of;
  }
  const columns = columnsOf(expression);
  const text = onlyText(columns, source);
  if (text || columns.length === 0) {
    const { texts, codes } = mapTexts(expression, text ?? noTexts);
    const code: BoundCode = text ? codeByCode(text.code, codes) : { kind: "code", code: codes[0] };
    return { kind: "text", texts, textCount: texts.length, code };
  }
  const choice = choiceOf(expression);
  const bound = choice && bindChoice(choice, source);
  return bound ?? bindRows(expression, "text", source);
}

/** The strings of an expression that reads no column. Only the code for null is needed to read them. */
const noTexts: KnownTexts = { texts: [], textCount: 0 };

/**
 * Converts an expression that picks one of several strings, such as `coalesce`, to the equivalent `case`. Returns
 * undefined for other expressions.
 */
function choiceOf(expression: Expression): Extract<Expression, { kind: "case" }> | undefined {
  if (expression.kind === "case") return expression;
  if (expression.kind !== "call" || expression.function !== "coalesce") return undefined;
  const rest = expression.of.slice(0, -1);
  return {
    kind: "case",
    branches: rest.map((then) => ({
      when: { kind: "not", of: { kind: "isNull", left: then } },
      then,
    })),
    otherwise: expression.of[expression.of.length - 1],
  };
}

/**
 * Binds a `case` of strings to one dictionary for all its branches. Returns undefined if a branch must be computed row
 * by row.
 */
function bindChoice(
  { branches, otherwise }: Extract<Expression, { kind: "case" }>,
  source: ExpressionSource,
): BoundText | undefined {
  const thens = branches.map(({ then }) => bindText(then, source));
  const rest = otherwise && bindText(otherwise, source);
  const parts: BoundText[] = [];
  for (const part of rest ? [...thens, rest] : thens) {
    if (part.kind === "rows") return undefined;
    parts.push(part);
  }
  const { strings, textCount, codes } = joinTexts(parts);
  const joined = parts.map(({ code }, index) => {
    const table = codes[index];
    return table ? codeByCode(code, table) : code;
  });
  const code: BoundCode = {
    kind: "case",
    branches: branches.map(({ when }, index) => ({
      when: testOf(when, source),
      then: joined[index],
    })),
    otherwise: rest ? joined[branches.length] : { kind: "code", code: 0 },
  };
  if (strings instanceof ExtendedTexts) return extendedText(strings, code);
  return { kind: "text", texts: strings, textCount, code };
}

function bindRows(expression: Expression, type: DataType, source: ExpressionSource): BoundRows {
  const inputs = columnsOf(expression).map(({ name, join }): RowInput => ({
    name,
    join,
    of: forThreads(source.column(name, join).of),
  }));
  return { kind: "rows", expression, type, inputs };
}

/** Prepares a value for transfer to a thread by packing the strings of a text expression. */
function forThreads(of: BoundValue | BoundText): BoundValue | BoundText {
  if (of.kind !== "text") return of;
  const { kind, textCount, code } = of;
  return { kind, texts: [], textCount, code, packed: packStrings(of) };
}

function testOf(test: Predicate, source: ExpressionSource): BoundTest {
  switch (test.kind) {
    case "and":
    case "or":
      return joinLookups(
        test.kind,
        test.of.map((part) => testOf(part, source)),
      );
    case "not":
      return { kind: "not", of: testOf(test.of, source) };
    case "compare":
    case "in":
    case "isNull":
    case "match":
      return leafOf(test, source);
  }
}

function leafOf(leaf: Leaf, source: ExpressionSource): BoundTest {
  const type = checkExpression(leaf.left, (name, join) => source.column(name, join).type);
  if (type === "text") return textLeafOf(leaf, source);
  return testInTable(numberLeafOf(leaf, bindNumber(leaf.left, source)));
}

function numberLeafOf(leaf: Leaf, left: BoundValue): NumberTest {
  if (leaf.kind === "compare")
    return { kind: "compare", left, operator: leaf.operator, value: Number(leaf.value) };
  if (leaf.kind === "in") {
    const values = leaf.values.map((value) => (value === null ? NaN : Number(value)));
    return { kind: "in", left, values: new Set(values) };
  }
  return { kind: "isNull", left };
}

/**
 * Binds a predicate on a text expression. The result is a table indexed by the expression's codes or, if the expression
 * has no dictionary, a call that returns a number.
 */
function textLeafOf(leaf: Leaf, source: ExpressionSource): BoundTest {
  const text = onlyText(columnsOf(leaf.left), source);
  if (text) return testByCode(text.code, mapTest(leaf, text));
  const bound = bindText(leaf.left, source);
  if (bound.kind === "rows") {
    const one = { kind: "literal", type: "number", value: 1 } as const;
    const passes: Expression = { kind: "case", branches: [{ when: leaf, then: one }] };
    return isOne(bindRows(passes, "number", source));
  }
  prepareStrings(bound);
  const passes = compileLeaf(leaf);
  const table = Uint8Array.from({ length: bound.textCount + 1 }, (_, code) =>
    passes(code === 0 ? null : bound.texts[code - 1]) ? 1 : 0,
  );
  return testByCode(bound.code, table);
}

/** Creates the JavaScript strings of a text expression that are created on demand. */
function prepareStrings(text: BoundText): void {
  if (!text.extended) return;
  keptByTexts(text.extended, text.textCount, "strings", function* () {
    yield* makeStrings(text);
    return { value: undefined, sizeBytes: 0 };
  });
}

type ColumnExpression = Extract<Expression, { kind: "column" }>;

function constantNumber(expression: Expression): number {
  const none = () => () => NaN;
  return Number(compileRow(expression, none, "number")() ?? NaN);
}

/** Returns the text column that an expression reads if it reads no other column; otherwise undefined. */
function onlyText(
  columns: readonly ColumnExpression[],
  source: ExpressionSource,
): BoundText | undefined {
  if (columns.length !== 1) return undefined;
  const { of } = source.column(columns[0].name, columns[0].join);
  return of.kind === "text" ? of : undefined;
}

/** Returns the distinct columns that an expression reads, in the order of their first use. */
function columnsOf(expression: Expression): readonly ColumnExpression[] {
  const columns: ColumnExpression[] = [];
  const visit = (part: Expression): void => {
    if (part.kind === "column") {
      const isKnown = columns.some(({ name, join }) => name === part.name && join === part.join);
      if (!isKnown) columns.push(part);
    } else if (part.kind === "period" || part.kind === "bin") visit(part.of);
    else if (part.kind === "call") part.of.forEach(visit);
    else if (part.kind === "case") {
      for (const { when, then } of part.branches) {
        visitTest(when);
        visit(then);
      }
      if (part.otherwise) visit(part.otherwise);
    }
  };
  const visitTest = (test: Predicate): void => {
    if (test.kind === "and" || test.kind === "or") test.of.forEach(visitTest);
    else if (test.kind === "not") visitTest(test.of);
    else visit(test.left);
  };
  visit(expression);
  return columns;
}
