import type { PositiveOperatorOf } from "../../../plugins/protocol/index.ts";

/** The syntax tree. `at` is the position of the node's operator, or of its first character. */
export type Syntax =
  | { readonly kind: "number"; readonly at: number; readonly value: number }
  | { readonly kind: "text"; readonly at: number; readonly value: string }
  | { readonly kind: "boolean"; readonly at: number; readonly value: boolean }
  | { readonly kind: "null"; readonly at: number }
  | ReferenceSyntax
  | {
      readonly kind: "unary";
      readonly at: number;
      readonly operator: UnaryOperator;
      readonly of: Syntax;
    }
  | {
      readonly kind: "binary";
      readonly at: number;
      readonly operator: BinaryOperator;
      readonly left: Syntax;
      readonly right: Syntax;
    }
  | ChainSyntax
  | TestSyntax
  | CallSyntax
  | CastSyntax
  | CaseSyntax;

export interface ReferenceSyntax {
  readonly kind: "reference";
  readonly at: number;
  readonly datasetId: string;
  readonly columnId: string;
}

/** A chain of two or more operands with the same associative operator. */
export interface ChainSyntax {
  readonly kind: "chain";
  readonly at: number;
  readonly operator: ChainOperator;
  readonly of: readonly Syntax[];
}

/** A test that is written with words, such as `x not in (1, 2)`. `operands` are the values after the words. */
export interface TestSyntax {
  readonly kind: "test";
  readonly at: number;
  readonly test: TestWord;
  readonly isNegated: boolean;
  readonly of: Syntax;
  readonly operands: readonly Syntax[];
}

export interface CallSyntax {
  readonly kind: "call";
  readonly at: number;
  /** The name of the function, in lower case. */
  readonly name: string;
  readonly args: readonly Syntax[];
}

export interface CastSyntax {
  readonly kind: "cast";
  readonly at: number;
  readonly of: Syntax;
  readonly type: CastType;
}

export interface CaseSyntax {
  readonly kind: "case";
  readonly at: number;
  readonly operand?: Syntax;
  readonly branches: readonly { readonly when: Syntax; readonly value: Syntax }[];
  readonly otherwise?: Syntax;
}

export type UnaryOperator = "-" | "+" | "not";
export type BinaryOperator = "=" | "!=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "/" | "%";
export type ChainOperator = "or" | "and" | "||";
export type TestWord = "in" | "between" | PositiveOperatorOf<"null" | "part">;
export type CastType = "number" | "text" | "datetime" | "date";

/** How tightly operators bind; a larger number binds more tightly. The parser and the printer share this table. */
export const binding = {
  or: 10,
  and: 20,
  not: 30,
  comparison: 40,
  "||": 50,
  sum: 60,
  product: 70,
  sign: 80,
  value: 90,
} as const;

/** Returns how tightly a binary operator binds. */
export function bindingOf(operator: BinaryOperator): number {
  if (operator === "+" || operator === "-") return binding.sum;
  return operator === "*" || operator === "/" || operator === "%"
    ? binding.product
    : binding.comparison;
}

/** Returns the parts of a node, in source order. */
export function partsOf(syntax: Syntax): readonly Syntax[] {
  switch (syntax.kind) {
    case "unary":
    case "cast":
      return [syntax.of];
    case "binary":
      return [syntax.left, syntax.right];
    case "chain":
      return syntax.of;
    case "test":
      return [syntax.of, ...syntax.operands];
    case "call":
      return syntax.args;
    case "case":
      return [syntax.operand, ...syntax.branches.flatMap(({ when, value }) => [when, value])]
        .concat(syntax.otherwise)
        .filter((part) => part !== undefined);
    case "boolean":
    case "null":
    case "number":
    case "reference":
    case "text":
      return [];
  }
}
