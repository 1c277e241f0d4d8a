import { parseSync, Visitor, type ParseResult } from "oxc-parser";

export const mutantKinds = ["guard", "comparison", "argument"] as const;
export type MutantKind = (typeof mutantKinds)[number];

/** A place in a source that can be mutated, with all possible replacements. */
export interface Site {
  readonly kind: MutantKind;
  /** Offsets of the place in the source. The character at `end` is not included. */
  readonly start: number;
  readonly end: number;
  /** The line number, starting at 1. */
  readonly line: number;
  /** The first line of the place, trimmed. */
  readonly lineText: string;
  readonly original: string;
  readonly replacements: readonly string[];
}

/** Replacements of order comparisons: the neighboring or the opposite operator. */
const flips: Readonly<Record<string, readonly string[]>> = {
  "===": ["!=="],
  "!==": ["==="],
  "==": ["!="],
  "!=": ["=="],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
};

type Program = ParseResult["program"];
type Statement = Extract<Program["body"][number], { type: "IfStatement" }>["consequent"];

const leaves = (statement: Statement | undefined): boolean => {
  if (statement?.type === "BlockStatement") {
    const last = statement.body.at(-1);
    return last !== undefined && leaves(last);
  }
  return statement?.type === "ReturnStatement" || statement?.type === "ThrowStatement";
};

/**
 * Finds the places in a TypeScript source that can be mutated, in order:
 * - an `if` without `else` that ends in `return` or `throw` (is deleted)
 * - a comparison (its operator is replaced)
 * - a call with arguments (the last argument is dropped)
 *
 * A replacement has as many lines as the original.
 */
export function findSites(file: string, text: string): Site[] {
  const sites: Site[] = [];
  const allLines = text.split("\n");
  const add = (kind: MutantKind, start: number, end: number, replacements: readonly string[]) => {
    const original = text.slice(start, end);
    const lines = "\n".repeat(original.split("\n").length - 1);
    const line = text.slice(0, start).split("\n").length;
    sites.push({
      kind,
      start,
      end,
      line,
      lineText: allLines[line - 1]?.trim() ?? "",
      original,
      replacements: replacements.map((replacement) => replacement + lines),
    });
  };
  const addArgument = (node: {
    readonly arguments: readonly { readonly start: number; readonly end: number }[];
    readonly end: number;
  }) => {
    const last = node.arguments.at(-1);
    // Includes a trailing comma before the parenthesis.
    if (last) add("argument", node.arguments.at(-2)?.end ?? last.start, node.end - 1, [""]);
  };
  new Visitor({
    IfStatement(node) {
      if (!node.alternate && leaves(node.consequent)) add("guard", node.start, node.end, [";"]);
    },
    BinaryExpression({ left, operator, right }) {
      const flipped = flips[operator];
      if (!flipped) return;
      const start = text.indexOf(operator, left.end);
      // A comment between the operands may also contain the operator.
      if (text.slice(left.end, start).trim() === "" && start < right.start)
        add("comparison", start, start + operator.length, flipped);
    },
    CallExpression: addArgument,
    NewExpression: addArgument,
  }).visit(parseSync(file, text).program);
  return sites.toSorted((a, b) => a.start - b.start || b.end - a.end);
}
