import type { Expression } from "../../../plugins/protocol/index.ts";
import {
  call,
  coerce,
  constant,
  refuseNull,
  unify,
  type Check,
  type Checked,
  type Checking,
} from "./checked.ts";
import type { CaseSyntax, Syntax } from "./syntax.ts";

interface Branches {
  readonly tests: readonly Expression[];
  readonly thens: readonly Checked[];
  readonly otherwise: Checked | undefined;
}

/** Checks `case`, with tests or with an operand that is compared with keys. */
export function checkCase(checking: Checking, syntax: CaseSyntax, check: Check): Checked {
  const whens = syntax.branches.map(({ when }) => check(checking, when));
  const thens = syntax.branches.map(({ value }) => check(checking, value));
  const otherwise = syntax.otherwise && check(checking, syntax.otherwise);
  if (!syntax.operand) {
    const tests = whens.map((when) => coerce(checking, when, "boolean", "after when").tree);
    return choose(checking, syntax, { tests, thens, otherwise });
  }
  const operand = check(checking, syntax.operand);
  const keys = [
    { checked: operand, role: "after case" },
    ...whens.map((checked) => ({ checked, role: "after when" })),
  ];
  refuseNull(checking, keys, "write case when x is null then …");
  const { parts } = unify(checking, keys);
  const [key, ...tests] = parts.map(({ tree }) => tree);
  return choose(checking, syntax, { tests, thens, otherwise }, key);
}

/**
 * Compiles a choice, by tests or by equality with `key`. Without `otherwise`, the result is null, or false if the
 * values are tests.
 */
export function choose(
  checking: Checking,
  syntax: Syntax,
  { tests, thens, otherwise }: Branches,
  key?: Expression,
): Checked {
  const values = [
    ...thens.map((checked) => ({ checked, role: "after then" })),
    ...(otherwise ? [{ checked: otherwise, role: "after else" }] : []),
  ];
  const { type, isDate, parts } = unify(checking, values, true);
  const last =
    parts[thens.length]?.tree ?? constant(checking, type, type === "boolean" ? false : null);
  const pairs = tests.flatMap((test, index) => [test, parts[index]?.tree ?? last]);
  const tree = key
    ? call(checking, "switch", type, [key, ...pairs, last])
    : call(checking, "case", type, [...pairs, last]);
  return { syntax, type, isDate, tree };
}
