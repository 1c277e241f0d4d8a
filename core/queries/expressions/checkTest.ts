import { functionOf, type Expression, type FunctionName } from "../../../plugins/protocol/index.ts";
import {
  call,
  coerce,
  describe,
  refuse,
  refuseNull,
  unify,
  type Check,
  type Checked,
  type Checking,
  type Placed,
} from "./checked.ts";
import type { BinaryOperator, Syntax, TestSyntax } from "./syntax.ts";

const comparisons: Readonly<Partial<Record<BinaryOperator, FunctionName>>> = {
  "<": "less",
  "<=": "lessOrEqual",
  ">": "greater",
  ">=": "greaterOrEqual",
};
const test = (syntax: Syntax, tree: Expression): Checked => ({
  syntax,
  type: "boolean",
  isDate: false,
  tree,
});

/** Checks a comparison. Datetimes may be compared with constant strings. */
export function checkComparison(
  checking: Checking,
  syntax: Syntax & { readonly kind: "binary" },
  check: Check,
): Checked {
  const { operator } = syntax;
  const args = comparable(checking, [
    { checked: check(checking, syntax.left), role: `before ${operator}` },
    { checked: check(checking, syntax.right), role: `after ${operator}` },
  ]);
  const name = comparisons[operator];
  if (name) return test(syntax, call(checking, name, "boolean", args));
  return test(
    syntax,
    complement(checking, call(checking, "equal", "boolean", args), operator === "!="),
  );
}

/** Converts the operands of a test to one type, and rejects the word null. */
function comparable(checking: Checking, parts: readonly Placed[]): readonly Expression[] {
  refuseNull(checking, parts, "write x is null or x is not null");
  return unify(checking, parts).parts.map(({ tree }) => tree);
}

const complement = (checking: Checking, tree: Expression, isNegated: boolean): Expression =>
  isNegated ? call(checking, "not", "boolean", [tree]) : tree;

/** Checks a test that is written with words, such as `in` or `between`. */
export function checkTest(checking: Checking, syntax: TestSyntax, check: Check): Checked {
  const { test: word, isNegated } = syntax;
  const of = check(checking, syntax.of);
  const operands = syntax.operands.map((each) => check(checking, each));
  const result = (name: FunctionName, args: readonly Expression[]) =>
    test(syntax, complement(checking, call(checking, name, "boolean", args), isNegated));
  if (word === "is null") {
    if (of.type !== "boolean") return result("isNull", [of.tree]);
    const expected = "a number, a string or a datetime before is null";
    const hint = "a test is never null";
    throw refuse(checking, "EXPRESSION_TYPE", of.syntax, expected, "a test", hint);
  }
  if (word === "between") {
    const bounds = operands.map((checked) => ({ checked, role: "as a bound of between" }));
    return result(
      "between",
      comparable(checking, [{ checked: of, role: "before between" }, ...bounds]),
    );
  }
  if (word === "in") return result("in", listed(checking, of, operands));
  const texts = [
    coerce(checking, of, "hierarchy", `before ${word}`),
    ...operands.map((each) => coerce(checking, each, "hierarchy", `after ${word}`)),
  ];
  return result(
    functionOf(word),
    texts.map(({ tree }) => tree),
  );
}

function listed(checking: Checking, of: Checked, items: readonly Checked[]): readonly Expression[] {
  const subject = { checked: of, role: "before in" };
  refuseNull(checking, [subject], "write x is null");
  const { parts } = unify(checking, [
    subject,
    ...items.map((checked) => ({ checked, role: "in the list" })),
  ]);
  const [, ...constants] = parts;
  const computed = constants.find(({ tree }) => !checking.constants.has(tree));
  if (computed)
    throw refuse(
      checking,
      "EXPRESSION_VALUE",
      computed.syntax,
      "a constant in the list",
      describe(computed),
      "write x = a or x = b",
    );
  return parts.map(({ tree }) => tree);
}
