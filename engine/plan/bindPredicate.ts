import { compareText } from "../column/compareText.ts";
import { EngineError } from "../errors.ts";
import type { ComparisonOperator, DataType, OutputPredicate, Predicate, Scalar } from "../types.ts";
import type { BoundExpression, BoundPredicate } from "./boundPlan.ts";

/** What a test reads: a text with its dictionary, or numbers. `label` names it in messages. */
export type Operand =
  | {
      readonly kind: "text";
      readonly label: string;
      readonly column: number;
      readonly texts: readonly string[];
      readonly textCount: number;
      readonly codeOf: (text: string) => number | undefined;
    }
  | {
      readonly kind: "number";
      readonly label: string;
      readonly type: DataType;
      readonly of: BoundExpression;
    };

type Leaf<Tree> = Exclude<Tree, { kind: "and" | "or" | "not" }>;
type AnyPredicate = Predicate | OutputPredicate;

/** Levels of `and`, `or` and `not`; recursion over more would end in a stack overflow. */
const deepest = 500;

const comparisons: Readonly<Record<ComparisonOperator, (order: number) => boolean>> = {
  "=": (order) => order === 0,
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

/** Binds a predicate; `resolve` finds what a leaf reads. Tests of texts are evaluated here, once for each text of the dictionary. */
export function bindPredicate<Tree extends AnyPredicate>(
  predicate: Tree,
  resolve: (leaf: Leaf<Tree>) => Operand,
): BoundPredicate {
  const bind = (tree: AnyPredicate, depth = 0): BoundPredicate => {
    if (depth > deepest)
      throw new EngineError("QUERY_PLAN", [`predicates nest deeper than ${deepest} levels`]);
    switch (tree.kind) {
      case "and":
        return { kind: "and", of: tree.of.map((part) => bind(part, depth + 1)) };
      case "or":
        return { kind: "or", of: tree.of.map((part) => bind(part, depth + 1)) };
      case "not":
        return { kind: "not", of: bind(tree.of, depth + 1) };
      case "compare":
      case "in":
      case "match":
      case "isNull":
        return bindLeaf(tree, resolve(tree as Leaf<Tree>));
      default:
        throw new EngineError("QUERY_PLAN", [
          `there is no predicate ${String((tree as AnyPredicate).kind)}`,
        ]);
    }
  };
  return bind(predicate);
}

function bindLeaf(leaf: Leaf<AnyPredicate>, operand: Operand): BoundPredicate {
  if (leaf.kind === "compare" && !Object.hasOwn(comparisons, leaf.operator))
    throw new EngineError("QUERY_PLAN", [`there is no comparison ${String(leaf.operator)}`]);
  if (operand.kind === "text") return bindTextLeaf(leaf, operand);
  const left = operand.of;
  const numberOf = (value: Scalar): number => {
    if (typeof value !== "number")
      throw new EngineError("COLUMN_TYPE", [operand.label, operand.type, "text"]);
    if (!Number.isFinite(value))
      throw new EngineError("QUERY_PLAN", [`${operand.label} is compared with ${value}`]);
    return value;
  };
  if (leaf.kind === "isNull") return { kind: "isNull", left };
  if (leaf.kind === "match")
    throw new EngineError("COLUMN_TYPE", [operand.label, operand.type, "text"]);
  if (leaf.kind === "compare")
    return { kind: "compare", left, operator: leaf.operator, value: numberOf(leaf.value) };
  return {
    kind: "in",
    left,
    values: new Set(leaf.values.map((value) => (value === null ? NaN : numberOf(value)))),
  };
}

function bindTextLeaf(
  leaf: Leaf<AnyPredicate>,
  operand: Extract<Operand, { kind: "text" }>,
): BoundPredicate {
  const { texts, textCount } = operand;
  const passes = new Uint8Array(new SharedArrayBuffer(textCount + 1));
  const textOf = (value: unknown): string => {
    if (typeof value !== "string")
      throw new EngineError("COLUMN_TYPE", [operand.label, "text", typeof value]);
    return value;
  };
  const mark = (text: string) => {
    const code = operand.codeOf(text);
    if (code !== undefined && code < textCount) passes[code + 1] = 1;
  };
  const test = (pass: (text: string) => boolean) => {
    for (let code = 0; code < textCount; code++) if (pass(texts[code])) passes[code + 1] = 1;
  };
  if (leaf.kind === "isNull") passes[0] = 1;
  else if (leaf.kind === "match") test(matcher(leaf.match, textOf(leaf.text)));
  else if (leaf.kind === "in") {
    for (const value of leaf.values) {
      if (value === null) passes[0] = 1;
      else mark(textOf(value));
    }
  } else {
    const value = textOf(leaf.value);
    if (leaf.operator === "=") mark(value);
    else {
      const pass = comparisons[leaf.operator];
      test((text) => pass(compareText(text, value)));
    }
  }
  return { kind: "lookup", column: operand.column, passes };
}

/** The flags `iu` of a regular expression compare by simple case folding (ECMA-262, Canonicalize). */
function matcher(
  match: "contains" | "startsWith" | "endsWith",
  text: string,
): (text: string) => boolean {
  const escaped = RegExp.escape(text);
  const sources = { contains: escaped, startsWith: `^${escaped}`, endsWith: `${escaped}$` };
  if (!Object.hasOwn(sources, match))
    throw new EngineError("QUERY_PLAN", [`there is no match ${String(match)}`]);
  const expression = new RegExp(sources[match], "iu");
  return (candidate) => expression.test(candidate);
}
