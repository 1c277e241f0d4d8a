import type { Expression, ExpressionType, FunctionName } from "../../../plugins/protocol/index.ts";
import { checkCall } from "./checkCall.ts";
import { checkCase } from "./checkCase.ts";
import { checkCast } from "./checkCast.ts";
import { call, coerce, constant, refuse, type Checked, type Checking } from "./checked.ts";
import { checkComparison, checkTest } from "./checkTest.ts";
import type { BinaryOperator, ChainSyntax, ReferenceSyntax, Syntax } from "./syntax.ts";
import type { Value } from "../../../plugins/meanings/index.ts";

type Binary = Syntax & { readonly kind: "binary" };

const arithmetic: Readonly<Partial<Record<BinaryOperator, FunctionName>>> = {
  "+": "add",
  "-": "subtract",
  "*": "multiply",
  "/": "divide",
  "%": "modulo",
};

/**
 * Checks the types of a syntax tree and compiles it to a protocol expression.
 * @throws {ExpressionError}
 */
export function check(checking: Checking, syntax: Syntax): Checked {
  const literal = (type: ExpressionType, value: Value): Checked =>
    found(syntax, type, constant(checking, type, value));
  switch (syntax.kind) {
    case "number":
      return literal("numeric", syntax.value);
    case "text":
      return literal("hierarchy", syntax.value);
    case "boolean":
      return literal("boolean", syntax.value);
    case "null":
      return { ...literal("hierarchy", null), type: "null" };
    case "reference":
      return checkReference(checking, syntax);
    case "unary":
      return checkUnary(checking, syntax);
    case "binary":
      return checkBinary(checking, syntax);
    case "chain":
      return checkChain(checking, syntax);
    case "test":
      return checkTest(checking, syntax, check);
    case "cast":
      return checkCast(checking, syntax, check);
    case "case":
      return checkCase(checking, syntax, check);
    case "call":
      return checkCall(checking, syntax, check);
  }
}

function found(syntax: Syntax, type: ExpressionType, tree: Expression, isDate = false): Checked {
  return { syntax, type, tree, isDate };
}

function checkReference(checking: Checking, syntax: ReferenceSyntax): Checked {
  const { datasetId, columnId } = syntax;
  const written = `{${datasetId.slice(0, 100)}:${columnId.slice(0, 100)}}`;
  if (checking.place === "formula")
    throw refuse(
      checking,
      "EXPRESSION_AGGREGATE",
      syntax,
      "an aggregate of the column, such as sum",
      `the column ${written} outside an aggregate`,
    );
  const column = checking.resolve({ datasetId, columnId });
  if (!column)
    throw refuse(
      checking,
      "EXPRESSION_COLUMN_UNKNOWN",
      syntax,
      "a column that exists and that you may see",
      written,
    );
  if ("problem" in column)
    throw refuse(
      checking,
      "EXPRESSION_TYPE",
      syntax,
      "a column of numbers, strings or datetimes",
      column.problem,
    );
  const { type, isDate = false, expression } = column;
  checking.references.set(JSON.stringify([datasetId, columnId]), { datasetId, columnId });
  return found(syntax, type, expression ?? { kind: "column", column_id: columnId }, isDate);
}

function checkUnary(checking: Checking, syntax: Syntax & { readonly kind: "unary" }): Checked {
  const { operator } = syntax;
  const type = operator === "not" ? "boolean" : "numeric";
  const { tree } = coerce(checking, check(checking, syntax.of), type, `after ${operator}`);
  if (operator === "+") return found(syntax, type, tree);
  return found(syntax, type, call(checking, operator === "not" ? "not" : "negate", type, [tree]));
}

function checkBinary(checking: Checking, syntax: Binary): Checked {
  const calculation = arithmetic[syntax.operator];
  return calculation
    ? checkArithmetic(checking, syntax, calculation)
    : checkComparison(checking, syntax, check);
}

function checkArithmetic(checking: Checking, syntax: Binary, name: FunctionName): Checked {
  const { operator } = syntax;
  const left = check(checking, syntax.left);
  const right = check(checking, syntax.right);
  const types = [left.type, right.type];
  let hint: string | undefined;
  if (types.includes("datetime"))
    hint = "write date_add('day', count, datetime) or date_diff('day', from, to)";
  else if (operator === "+" && left.type === "hierarchy" && right.type === "hierarchy")
    hint = "join strings with ||";
  const args = [
    coerce(checking, left, "numeric", `before ${operator}`, hint).tree,
    coerce(checking, right, "numeric", `after ${operator}`, hint).tree,
  ];
  return found(syntax, "numeric", call(checking, name, "numeric", args));
}

function checkChain(checking: Checking, syntax: ChainSyntax): Checked {
  const { operator, of } = syntax;
  const type = operator === "||" ? "hierarchy" : "boolean";
  const args = of.map((each, index) => {
    const role = index === 0 ? `before ${operator}` : `after ${operator}`;
    return coerce(checking, check(checking, each), type, role).tree;
  });
  return found(syntax, type, call(checking, operator === "||" ? "concat" : operator, type, args));
}
