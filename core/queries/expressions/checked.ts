import {
  millisecondsOf,
  type DataType,
  type Expression,
  type ExpressionType,
  type FunctionName,
  type LiteralExpression,
} from "../../../plugins/protocol/index.ts";
import type { FormulaAggregate } from "./aggregates.ts";
import { ExpressionError, type ExpressionErrorCode } from "./expressionError.ts";
import { evaluate, trim, type Value } from "../../../plugins/meanings/index.ts";
import type { Syntax } from "./syntax.ts";
import { quoteText } from "./tokenize.ts";

/** A reference as users write it: `{datasetId:columnId}`. */
export interface Reference {
  /** The id of the dataset, or of a dataset in a role; see `roleId`. */
  readonly datasetId: string;
  readonly columnId: string;
}

/** The column that a reference names. */
export interface ResolvedColumn {
  readonly type: DataType;
  /** Whether the datetime is a calendar date. Dates are stored as midnight in UTC, and no time zone shifts them. */
  readonly isDate?: boolean;
  /** The expression behind the reference. If absent, the reference is a column with the same id. */
  readonly expression?: Expression;
}

/**
 * Finds the column of a reference. If a reference is invalid, `problem` completes the sentence "found …". Returns
 * undefined if the column does not exist for the caller.
 */
export type Resolve = (
  reference: Reference,
) => ResolvedColumn | { readonly problem: string } | undefined;

/** The input and the results of checking one source text. */
export interface Checking {
  readonly source: string;
  readonly timezone: string;
  readonly resolve: Resolve;
  /** Where the checked part is: in a column expression, among the aggregates of a formula, or inside an aggregate. */
  readonly place: "row" | "formula" | "aggregate";
  readonly clock: Clock;
  /** The references found so far, by their ids as JSON. */
  readonly references: Map<string, Reference>;
  /** The aggregates found so far, in order. */
  readonly aggregates: FormulaAggregate[];
  /**
   * The literals that depend only on the source text. Excludes literals from the clock and from columns that `resolve`
   * returns.
   */
  readonly constants: Set<Expression>;
}

/** The instant that `now()` returns, and whether the source text uses it. */
export interface Clock {
  readonly nowMs: number;
  isRead: boolean;
}

/** A checked part of the tree. Only the word `null` has the type `null`. */
export interface Checked {
  readonly syntax: Syntax;
  readonly type: ExpressionType | "null";
  readonly isDate: boolean;
  readonly tree: Expression;
}

/**
 * Checks a part of a tree. Files that `check` imports receive it as a parameter, because they cannot import `check`.
 */
export type Check = (checking: Checking, syntax: Syntax) => Checked;

/** The names of the types in the language. */
const typeNames: Readonly<Record<ExpressionType, string>> = {
  numeric: "number",
  hierarchy: "text",
  datetime: "datetime",
  boolean: "test",
};

const nouns: Readonly<Record<ExpressionType | "null", string>> = {
  numeric: "a number",
  hierarchy: "a string",
  datetime: "a datetime",
  boolean: "a test",
  null: "null",
};

/** Returns the noun for a type, for messages. */
export function nounOf(type: ExpressionType | "null"): string {
  return nouns[type];
}

/** Describes a checked part in the words that follow "found" in a message. */
export function describe({ syntax, type }: Checked): string {
  if (syntax.kind === "number") return `the number ${syntax.value}`;
  if (syntax.kind === "text") return `the string ${quoteText(syntax.value)}`;
  return syntax.kind === "reference" ? `${nouns[type]} column` : nouns[type];
}

/** Creates the error for a part of the source. */
export function refuse(
  { source }: Checking,
  code: ExpressionErrorCode,
  { at }: Syntax,
  expected: string,
  found: string,
  hint?: string,
): ExpressionError {
  return new ExpressionError(code, { source, at, expected, found, hint });
}

/** Creates a constant. A datetime is passed in milliseconds. */
export function constant(
  { constants }: Checking,
  type: ExpressionType,
  value: Value,
): LiteralExpression {
  const literal = literalOf(type, value);
  constants.add(literal);
  return literal;
}

/** Creates a literal that is not a constant of the source. A datetime is passed in milliseconds. */
export function literalOf(type: ExpressionType, value: Value): LiteralExpression {
  const isInstant = type === "datetime" && typeof value === "number";
  return { kind: "literal", type, value: isInstant ? new Date(value).toISOString() : value };
}

/** Returns whether a part is a constant null. */
export function isConstantNull({ constants }: Checking, tree: Expression): boolean {
  return constants.has(tree) && tree.kind === "literal" && tree.value === null;
}

/** Calls a function. A call with only constants is computed here, unless its result is a string. */
export function call(
  checking: Checking,
  name: FunctionName,
  type: ExpressionType,
  args: readonly Expression[],
): Expression {
  const tree = { kind: "call", function: name, args } as const;
  const isConstant = args.every((each) => checking.constants.has(each));
  return isConstant && type !== "hierarchy" ? constant(checking, type, evaluate(tree)) : tree;
}

const dateOnly = /^(?:\d{4}|[+-]\d{6})-\d\d-\d\d$/;

/**
 * Checks a part against the expected type. Null matches any type except boolean. A constant string is parsed if a
 * datetime is expected.
 * @throws {ExpressionError} EXPRESSION_TYPE; EXPRESSION_VALUE for a string that is not a datetime
 */
export function coerce(
  checking: Checking,
  checked: Checked,
  type: ExpressionType,
  role: string,
  hint?: string,
): Checked {
  const { syntax } = checked;
  if (checked.type === type) return checked;
  if (checked.type === "null" && type !== "boolean")
    return { ...checked, type, tree: constant(checking, type, null) };
  if (type === "datetime" && syntax.kind === "text") {
    const value = millisecondsOf(trim(syntax.value));
    if (value !== undefined)
      return {
        syntax,
        type,
        isDate: dateOnly.test(trim(syntax.value)),
        tree: constant(checking, type, value),
      };
    throw refuse(
      checking,
      "EXPRESSION_VALUE",
      syntax,
      `a datetime ${role}, such as '2024-01-31' or '2024-01-31T12:00:00Z'`,
      describe(checked),
    );
  }
  throw refuse(
    checking,
    "EXPRESSION_TYPE",
    syntax,
    `${nouns[type]} ${role}`,
    describe(checked),
    hint ?? wayTo(type, checked.type),
  );
}

function wayTo(type: ExpressionType, from: ExpressionType | "null"): string | undefined {
  if (from === "null") return "a test is never null: write true or false";
  if (type === "hierarchy") return "write cast(… as text)";
  if (from === "hierarchy" && type !== "boolean") return `write cast(… as ${typeNames[type]})`;
  if (type === "boolean") return "a test is a comparison such as x > 0, or x is null";
  return undefined;
}

/** A part with its role in the expression, which messages name. */
export interface Placed {
  readonly checked: Checked;
  readonly role: string;
}

/**
 * Converts several parts to one type: datetime if one of them is a datetime, otherwise the type of the first part that
 * is not null.
 * @throws {ExpressionError} EXPRESSION_TYPE if the types differ, if all parts are null, and for tests unless
 * `mayBeTests`
 */
export function unify(
  checking: Checking,
  parts: readonly Placed[],
  mayBeTests = false,
): { readonly type: ExpressionType; readonly isDate: boolean; readonly parts: readonly Checked[] } {
  const [first] = parts;
  if (!first) throw new TypeError("unify needs at least one part");
  const known = parts.filter(({ checked }) => checked.type !== "null");
  const leading = known.find(({ checked }) => checked.type === "datetime") ?? known[0];
  if (!leading || leading.checked.type === "null")
    throw refuse(
      checking,
      "EXPRESSION_TYPE",
      first.checked.syntax,
      "a value whose type is known",
      "null",
      "write cast(null as number), or cast to text or datetime",
    );
  const { type } = leading.checked;
  if (type === "boolean" && !mayBeTests) {
    const expected = `a number, a string or a datetime ${leading.role}`;
    throw refuse(checking, "EXPRESSION_TYPE", leading.checked.syntax, expected, "a test");
  }
  const unified = parts.map(({ checked, role }) => coerce(checking, checked, type, role));
  const dated = unified.filter(({ tree }) => !isConstantNull(checking, tree));
  return {
    type,
    isDate: type === "datetime" && dated.length > 0 && dated.every(({ isDate }) => isDate),
    parts: unified,
  };
}

/** A part of an expression with a type that columns can have. */
export interface ColumnValue extends Pick<Checked, "isDate" | "tree"> {
  readonly type: DataType;
}

/**
 * Checks that a single part has a type that columns can have.
 * @throws {ExpressionError} EXPRESSION_TYPE for a test and for null
 */
export function valueOf(checking: Checking, part: Placed): ColumnValue {
  const { type, isDate, parts } = unify(checking, [part]);
  if (type === "boolean") throw new TypeError("unify must refuse tests");
  return { type, isDate, tree: parts[0]?.tree ?? part.checked.tree };
}

/** Rejects the word `null` where it must be a mistake. @throws {ExpressionError} EXPRESSION_TYPE */
export function refuseNull(checking: Checking, parts: readonly Placed[], hint: string): void {
  const blank = parts.find(({ checked }) => checked.type === "null");
  if (!blank) return;
  const { checked, role } = blank;
  const expected = `a value ${role}`;
  throw refuse(checking, "EXPRESSION_TYPE", checked.syntax, expected, "null", hint);
}
