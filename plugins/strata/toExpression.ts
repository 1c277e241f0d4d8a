import type * as engine from "../../engine/index.ts";
import { millisecondsOf, PluginError, type Expression } from "../protocol/index.ts";

type Call = Extract<Expression, { kind: "call" }>;
type Column = (columnId: string) => engine.Expression;

const never: engine.Predicate = { kind: "or", of: [] };
const always: engine.Predicate = { kind: "and", of: [] };

/**
 * Translates an expression to the engine's form. The engine separates tests from values and compares only with
 * constants. A test in the place of a value therefore becomes 1 or 0, and two values are compared with `least` and
 * `nullIf`.
 * @throws {PluginError} PLUGIN_INVALID, and the errors of `column`
 */
export function toExpression(expression: Expression, column: Column): engine.Expression {
  const known = new Map<Expression, engine.Expression>();
  let depth = 0;
  const value = (part: Expression): engine.Expression => {
    if (++depth > deepest)
      throw new PluginError("PLUGIN_INVALID", [
        `expressions must not be nested deeper than ${deepest} levels`,
      ]);
    const found = known.get(part) ?? make(part);
    known.set(part, found);
    depth--;
    return found;
  };
  const make = (part: Expression): engine.Expression => {
    if (part.kind === "column") return column(part.column_id);
    if (part.kind === "literal") return toLiteral(part);
    if (isTest(part.function)) return numberOfTest(test(part));
    if (part.function === "case" || part.function === "switch") return toCase(part, value, test);
    return { kind: "call", function: part.function, of: part.args.map(value) };
  };
  const test = (part: Expression): engine.Predicate => {
    if (part.kind === "literal" && typeof part.value === "boolean")
      return part.value ? always : never;
    if (part.kind === "call" && isTest(part.function)) {
      const makeTest: MakeTest = tests[part.function];
      if (++depth > deepest)
        throw new PluginError("PLUGIN_INVALID", [
          `expressions must not be nested deeper than ${deepest} levels`,
        ]);
      const made = makeTest(part.args, { value, test });
      depth--;
      return made;
    }
    return { kind: "compare", left: value(part), operator: "=", value: 1 };
  };
  const made = value(expression);
  if (sizeOf(made) > mostNodes)
    throw new PluginError("PLUGIN_INVALID", [
      "an expression has too many nested comparisons of computed values; compare with constants, or nest less",
    ]);
  return made;
}

/** Maximum nesting depth of calls. */
const deepest = 250;

/**
 * Maximum number of nodes in the engine's tree. A comparison of two values repeats each value several times, so trees
 * can grow quickly.
 */
const mostNodes = 100_000;

/** Counts the nodes of a tree. A node that occurs several times counts each time. O(distinct nodes). */
function sizeOf(tree: engine.Expression): number {
  const known = new Map<object, number>();
  const size = (node: object): number => {
    const found = known.get(node);
    if (found !== undefined) return found;
    let total = 1;
    for (const member of Object.values(node))
      for (const part of Array.isArray(member) ? member : [member])
        if (typeof part === "object" && part !== null) total += size(part);
    known.set(node, total);
    return total;
  };
  return size(tree);
}

interface Parts {
  readonly value: (part: Expression) => engine.Expression;
  readonly test: (part: Expression) => engine.Predicate;
}
type MakeTest = (args: readonly Expression[], parts: Parts) => engine.Predicate;

const isTest = (name: string): name is keyof typeof tests => Object.hasOwn(tests, name);

const tests = {
  and: (args, { test }) => ({ kind: "and", of: args.map(test) }),
  or: (args, { test }) => ({ kind: "or", of: args.map(test) }),
  not: (args, { test }) => ({ kind: "not", of: test(argument(args, 0)) }),
  isNull: (args, { value }) => ({ kind: "isNull", left: value(argument(args, 0)) }),
  equal: (args, { value }) => compare("=", argument(args, 0), argument(args, 1), value),
  less: (args, { value }) => compare("<", argument(args, 0), argument(args, 1), value),
  lessOrEqual: (args, { value }) => compare("<=", argument(args, 0), argument(args, 1), value),
  greater: (args, { value }) => compare(">", argument(args, 0), argument(args, 1), value),
  greaterOrEqual: (args, { value }) => compare(">=", argument(args, 0), argument(args, 1), value),
  between: (args, { value }) => ({
    kind: "and",
    of: [
      compare(">=", argument(args, 0), argument(args, 1), value),
      compare("<=", argument(args, 0), argument(args, 2), value),
    ],
  }),
  in: ([first, ...constants], { value }) => ({
    kind: "in",
    left: value(argument([first], 0)),
    values: constants.map((constant) => scalarOf(constant)),
  }),
  contains: (args, parts) => match("contains", args, parts),
  startsWith: (args, parts) => match("startsWith", args, parts),
  endsWith: (args, parts) => match("endsWith", args, parts),
} satisfies Readonly<Record<string, MakeTest>>;

const mirrored = { "=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<=" } as const;

function compare(
  operator: engine.ComparisonOperator,
  left: Expression,
  right: Expression,
  value: Parts["value"],
): engine.Predicate {
  if (left.kind === "literal" && right.kind !== "literal")
    return compare(mirrored[operator], right, left, value);
  const constant = right.kind === "literal" ? scalarOf(right) : undefined;
  if (constant === null) return never;
  if (constant !== undefined)
    return { kind: "compare", left: value(left), operator, value: constant };
  const [one, other] = [value(left), value(right)];
  if (operator === "=") return equal(one, other);
  const [low, high] = operator.startsWith("<") ? [one, other] : [other, one];
  const least: engine.Expression = { kind: "call", function: "least", of: [low, high] };
  const inOrder = equal(least, low);
  if (operator.endsWith("=")) return inOrder;
  return { kind: "and", of: [inOrder, { kind: "not", of: equal(one, other) }] };
}

/** Creates a test that passes if two values are equal and neither is null. */
function equal(one: engine.Expression, other: engine.Expression): engine.Predicate {
  const unequal: engine.Expression = { kind: "call", function: "nullIf", of: [one, other] };
  return {
    kind: "and",
    of: [
      { kind: "not", of: { kind: "isNull", left: one } },
      { kind: "isNull", left: unequal },
    ],
  };
}

function match(
  name: "contains" | "startsWith" | "endsWith",
  args: readonly Expression[],
  { value }: Parts,
): engine.Predicate {
  const [text, sought] = [argument(args, 0), argument(args, 1)];
  if (sought.kind === "literal") {
    const constant = scalarOf(sought);
    if (constant === null) return never;
    return { kind: "match", left: value(text), match: name, text: String(constant) };
  }
  const of = [value(text), value(sought)];
  return { kind: "compare", left: { kind: "call", function: name, of }, operator: "=", value: 1 };
}

function toCase({ function: name, args }: Call, value: Parts["value"], test: Parts["test"]) {
  const [subject, pairs] = name === "case" ? [undefined, args] : [args[0], args.slice(1)];
  const branches = [];
  for (let index = 0; index + 1 < pairs.length; index += 2) {
    const [key, then] = [argument(pairs, index), argument(pairs, index + 1)];
    const when = subject ? compare("=", subject, key, value) : test(key);
    branches.push({ when, then: value(then) });
  }
  const otherwise = value(argument(pairs, pairs.length - 1));
  return branches.length === 0 ? otherwise : ({ kind: "case", branches, otherwise } as const);
}

function numberOfTest(test: engine.Predicate): engine.Expression {
  const number = (value: number) => ({ kind: "literal", type: "number", value }) as const;
  return { kind: "case", branches: [{ when: test, then: number(1) }], otherwise: number(0) };
}

const engineTypes = {
  numeric: "number",
  hierarchy: "text",
  datetime: "datetime",
  boolean: "number",
} as const;

function toLiteral(literal: Extract<Expression, { kind: "literal" }>): engine.Expression {
  return { kind: "literal", type: engineTypes[literal.type], value: scalarOf(literal) };
}

/** Converts a literal to the engine's form: datetimes become milliseconds, and booleans become 1 or 0. */
function scalarOf(expression: Expression): engine.Scalar {
  if (expression.kind !== "literal")
    throw new PluginError("PLUGIN_INVALID", [
      "a list in an expression must contain only constants",
    ]);
  const { type, value } = expression;
  if (value === null) return null;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (type !== "datetime") return value;
  const instant = millisecondsOf(String(value));
  if (instant === undefined)
    throw new PluginError("PLUGIN_INVALID", [
      "a datetime in an expression must be an ISO 8601 instant",
    ]);
  return instant;
}

function argument(args: readonly (Expression | undefined)[], index: number): Expression {
  const found = args[index];
  if (!found)
    throw new PluginError("PLUGIN_INVALID", ["a function call in an expression lacks an argument"]);
  return found;
}
