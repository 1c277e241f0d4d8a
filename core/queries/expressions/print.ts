import { binding, bindingOf, type Syntax } from "./syntax.ts";

/**
 * Writes a tree as source text with as few parentheses as possible. `parse(print(tree))` equals the tree except for
 * `at`. O(size).
 */
export function print(syntax: Syntax): string {
  switch (syntax.kind) {
    case "number":
      return String(syntax.value);
    case "text":
      return `'${syntax.value.replaceAll("'", "''")}'`;
    case "boolean":
      return String(syntax.value);
    case "null":
      return "null";
    case "reference":
      return `{${syntax.datasetId}:${syntax.columnId}}`;
    case "unary":
      if (syntax.operator === "not") return `not ${above(syntax.of, binding.not)}`;
      return `${syntax.operator}${above(syntax.of, binding.sign)}`;
    case "binary":
      return printBinary(syntax);
    case "chain":
      return syntax.of
        .map((each) => above(each, binding[syntax.operator] + 1))
        .join(` ${syntax.operator} `);
    case "test":
      return printTest(syntax);
    case "call":
      return `${syntax.name}(${syntax.args.map(print).join(", ")})`;
    case "cast":
      return `cast(${print(syntax.of)} as ${syntax.type})`;
    case "case":
      return printCase(syntax);
  }
}

/** Writes a tree, in parentheses if it binds less tightly than `power`. */
function above(syntax: Syntax, power: number): string {
  return powerOf(syntax) < power ? `(${print(syntax)})` : print(syntax);
}

function powerOf(syntax: Syntax): number {
  switch (syntax.kind) {
    case "unary":
      return syntax.operator === "not" ? binding.not : binding.sign;
    case "binary":
      return bindingOf(syntax.operator);
    case "chain":
      return binding[syntax.operator];
    case "test":
      return binding.comparison;
    case "boolean":
    case "call":
    case "case":
    case "cast":
    case "null":
    case "number":
    case "reference":
    case "text":
      return binding.value;
  }
}

function printBinary({ operator, left, right }: Syntax & { readonly kind: "binary" }): string {
  const own = bindingOf(operator);
  const isTest = own === binding.comparison;
  return `${above(left, isTest ? own + 1 : own)} ${operator} ${above(right, own + 1)}`;
}

function printTest(syntax: Syntax & { readonly kind: "test" }): string {
  const operand = (each: Syntax) => above(each, binding.comparison + 1);
  const of = operand(syntax.of);
  const not = syntax.isNegated ? "not " : "";
  if (syntax.test === "is null") return `${of} is ${not}null`;
  if (syntax.test === "in") return `${of} ${not}in (${syntax.operands.map(print).join(", ")})`;
  return `${of} ${not}${syntax.test} ${syntax.operands.map(operand).join(" and ")}`;
}

function printCase({ operand, branches, otherwise }: Syntax & { readonly kind: "case" }): string {
  const parts = branches.map(({ when, value }) => `when ${print(when)} then ${print(value)}`);
  const head = operand ? `case ${print(operand)}` : "case";
  const tail = otherwise ? ` else ${print(otherwise)}` : "";
  return `${head} ${parts.join(" ")}${tail} end`;
}
