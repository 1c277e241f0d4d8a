import { checkCall } from "./checkCall.ts";
import { checkCase } from "./checkCase.ts";
import { checkCast } from "./checkCast.ts";
import { call, coerce, refuse, type Checked, type Checking } from "./checked.ts";
import { checkComparison, checkTest } from "./checkTest.ts";
import type { PortableExpression, ValueType } from "./portable.ts";
import type { FunctionName } from "./portableFunctions.ts";
import type { BinaryOperator, ChainSyntax, ReferenceSyntax, Syntax } from "./syntax.ts";

type Binary = Syntax & { readonly kind: "binary" };

const arithmetic: Readonly<Partial<Record<BinaryOperator, FunctionName>>> = {
  "+": "add",
  "-": "subtract",
  "*": "multiply",
  "/": "divide",
  "%": "modulo",
};

/**
 * Checks the types of a tree and writes it as a portable tree.
 * @throws {ExpressionError}
 */
export function check(checking: Checking, syntax: Syntax): Checked {
  const literal = (type: ValueType, value: number | string | boolean | null): Checked => ({
    ...found(syntax, type, { kind: "literal", type, value }),
  });
  switch (syntax.kind) {
    case "number":
      return literal("number", syntax.value);
    case "text":
      return literal("text", syntax.value);
    case "boolean":
      return literal("boolean", syntax.value);
    case "null":
      return { ...literal("text", null), type: "null" };
    case "reference":
      return checkReference(checking, syntax);
    case "unary":
      return checkUnary(checking, syntax);
    case "binary":
      return arithmetic[syntax.operator]
        ? checkArithmetic(checking, syntax)
        : checkComparison(checking, syntax, check);
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

function found(syntax: Syntax, type: ValueType, tree: PortableExpression, isDate = false): Checked {
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
      `the column ${written} by itself`,
    );
  const column = checking.resolve({ datasetId, columnId });
  if (!column)
    throw refuse(
      checking,
      "EXPRESSION_COLUMN_UNKNOWN",
      syntax,
      "a column that exists and is yours to see",
      written,
    );
  if ("problem" in column)
    throw refuse(
      checking,
      "EXPRESSION_TYPE",
      syntax,
      "a column of numbers, texts or datetimes",
      column.problem,
    );
  const { type, isDate = false } = column;
  checking.references.set(JSON.stringify([datasetId, columnId]), { datasetId, columnId });
  return found(syntax, type, { kind: "column", type, datasetId, columnId }, isDate);
}

function checkUnary(checking: Checking, syntax: Syntax & { readonly kind: "unary" }): Checked {
  const { operator } = syntax;
  const type = operator === "not" ? "boolean" : "number";
  const { tree } = coerce(checking, check(checking, syntax.of), type, `after ${operator}`);
  if (operator === "+") return found(syntax, type, tree);
  return found(syntax, type, call(operator === "not" ? "not" : "negate", type, [tree]));
}

function checkArithmetic(checking: Checking, syntax: Binary): Checked {
  const { operator } = syntax;
  const left = check(checking, syntax.left);
  const right = check(checking, syntax.right);
  const types = [left.type, right.type];
  let hint: string | undefined;
  if (types.includes("datetime"))
    hint = "write date_add('day', count, datetime) or date_diff('day', from, to)";
  else if (operator === "+" && left.type === "text" && right.type === "text")
    hint = "texts are joined by ||";
  const args = [
    coerce(checking, left, "number", `before ${operator}`, hint).tree,
    coerce(checking, right, "number", `after ${operator}`, hint).tree,
  ];
  return found(syntax, "number", call(arithmetic[operator] as FunctionName, "number", args));
}

function checkChain(checking: Checking, syntax: ChainSyntax): Checked {
  const { operator, of } = syntax;
  const type = operator === "||" ? "text" : "boolean";
  const args = of.map((each, index) => {
    const role = index === 0 ? `before ${operator}` : `after ${operator}`;
    return coerce(checking, check(checking, each), type, role).tree;
  });
  return found(syntax, type, call(operator === "||" ? "concat" : operator, type, args));
}
