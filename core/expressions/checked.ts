import { ExpressionError, type ExpressionErrorCode } from "./expressionError.ts";
import { evaluate } from "./evaluate.ts";
import type { PortableAggregate, PortableExpression, ValueType } from "./portable.ts";
import { portableFunctions, type FunctionName } from "./portableFunctions.ts";
import type { Syntax } from "./syntax.ts";
import { quoteText } from "./tokenize.ts";
import { millisecondsOf } from "../../plugins/protocol/index.ts";
import { trim } from "./whiteSpace.ts";

/** A reference as it is written: `{datasetId:columnId}`. */
export interface Reference {
  readonly datasetId: string;
  readonly columnId: string;
}

/** What a reference stands for. */
export interface ResolvedColumn {
  readonly type: Exclude<ValueType, "boolean">;
  /** Of a datetime: a calendar date, held as its midnight in UTC and never shifted by a time zone. */
  readonly isDate?: boolean;
}

/** Finds what a reference stands for; `problem` completes "found …"; undefined is a column that does not exist for the caller. */
export type Resolve = (
  reference: Reference,
) => ResolvedColumn | { readonly problem: string } | undefined;

/** What checking one source text needs and gathers. */
export interface Checking {
  readonly source: string;
  readonly timezone: string;
  readonly resolve: Resolve;
  /** Where the check is: in a row, among the aggregates of a formula, or inside one of them. */
  readonly place: "row" | "formula" | "aggregate";
  /** Those found so far, by their ids as JSON. */
  readonly references: Map<string, Reference>;
  /** Those found so far in their order, by their JSON. */
  readonly aggregates: Map<string, PortableAggregate>;
}

/** A checked part of the tree. The type `null` is that of the word null alone. */
export interface Checked {
  readonly syntax: Syntax;
  readonly type: ValueType | "null";
  readonly isDate: boolean;
  readonly tree: PortableExpression;
}

/** Checks a part of a tree: `check`, handed down to those that it is made of. */
export type Check = (checking: Checking, syntax: Syntax) => Checked;

const nouns: Readonly<Record<ValueType | "null", string>> = {
  number: "a number",
  text: "a text",
  datetime: "a datetime",
  boolean: "a test",
  null: "null",
};

/** Names a type in a message. */
export function nounOf(type: ValueType | "null"): string {
  return nouns[type];
}

/** Names what was found, in a message. */
export function describe({ syntax, type }: Checked): string {
  if (syntax.kind === "number") return `the number ${syntax.value}`;
  if (syntax.kind === "text") return `the text ${quoteText(syntax.value)}`;
  return syntax.kind === "reference" ? `${nouns[type]} column` : nouns[type];
}

/** Makes the error for a part of the source. */
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

/** Calls a function of the portable tree; one of constants is computed here, unless it makes a text. */
export function call(
  name: FunctionName,
  type: ValueType,
  args: readonly PortableExpression[],
): PortableExpression {
  const tree = { kind: "call", type, function: name, args } as const;
  const isConstant = args.every(({ kind }) => kind === "literal");
  if (!isConstant || type === "text" || !portableFunctions[name].isDeterministic) return tree;
  return { kind: "literal", type, value: evaluate(tree) };
}

const dateOnly = /^(?:\d{4}|[+-]\d{6})-\d\d-\d\d$/;

/**
 * Holds a part against the type that its place takes. Null takes any type but boolean; a constant
 * text is read as a datetime where one is due.
 * @throws {ExpressionError} EXPRESSION_TYPE, EXPRESSION_VALUE for a text that is no datetime
 */
export function coerce(
  checking: Checking,
  checked: Checked,
  type: ValueType,
  role: string,
  hint?: string,
): Checked {
  const { syntax } = checked;
  if (checked.type === type) return checked;
  if (checked.type === "null" && type !== "boolean")
    return { ...checked, type, tree: { kind: "literal", type, value: null } };
  if (type === "datetime" && syntax.kind === "text") {
    const value = millisecondsOf(trim(syntax.value));
    if (value !== undefined)
      return {
        syntax,
        type,
        isDate: dateOnly.test(trim(syntax.value)),
        tree: { kind: "literal", type, value },
      };
    throw refuse(
      checking,
      "EXPRESSION_VALUE",
      syntax,
      `a datetime ${role}, like '2024-01-31' or '2024-01-31T12:00:00Z'`,
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

function wayTo(type: ValueType, from: ValueType | "null"): string | undefined {
  if (from === "null") return "a test is never null: write true or false";
  if (type === "text") return "write cast(… as text)";
  if (from === "text" && type !== "boolean") return `write cast(… as ${type})`;
  if (type === "boolean") return "a test is a comparison such as x > 0, or x is null";
  return undefined;
}

/** A part with its role, for messages. */
export interface Placed {
  readonly checked: Checked;
  readonly role: string;
}

/**
 * Brings several parts to one type: datetime when one of them is, else that of the first that is not null.
 * @throws {ExpressionError} EXPRESSION_TYPE when they do not agree, when all are null, and for tests unless `mayBeTests`
 */
export function unify(
  checking: Checking,
  parts: readonly Placed[],
  mayBeTests = false,
): { readonly type: ValueType; readonly isDate: boolean; readonly parts: readonly Checked[] } {
  const known = parts.filter(({ checked }) => checked.type !== "null");
  const leading = known.find(({ checked }) => checked.type === "datetime") ?? known[0];
  const [any] = parts;
  if (!leading || leading.checked.type === "null")
    throw refuse(
      checking,
      "EXPRESSION_TYPE",
      (any as Placed).checked.syntax,
      "a value whose type is known",
      "null",
      "write cast(null as number), or as text or datetime",
    );
  const { type } = leading.checked;
  if (type === "boolean" && !mayBeTests) {
    const expected = `a number, a text or a datetime ${leading.role}`;
    throw refuse(checking, "EXPRESSION_TYPE", leading.checked.syntax, expected, "a test");
  }
  const unified = parts.map(({ checked, role }) => coerce(checking, checked, type, role));
  const dated = unified.filter(({ tree }) => !(tree.kind === "literal" && tree.value === null));
  return {
    type,
    isDate: type === "datetime" && dated.length > 0 && dated.every(({ isDate }) => isDate),
    parts: unified,
  };
}

/** Refuses the word null where it can only be a mistake. @throws {ExpressionError} EXPRESSION_TYPE */
export function refuseNull(checking: Checking, parts: readonly Placed[], hint: string): void {
  const blank = parts.find(({ checked }) => checked.type === "null");
  if (!blank) return;
  const { checked, role } = blank;
  const expected = `a value ${role}`;
  throw refuse(checking, "EXPRESSION_TYPE", checked.syntax, expected, "null", hint);
}
