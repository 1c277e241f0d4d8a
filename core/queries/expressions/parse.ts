import { createBounds } from "./bounds.ts";
import { createCursor } from "./cursor.ts";
import type { ExpressionError } from "./expressionError.ts";
import {
  binding,
  bindingOf,
  type BinaryOperator,
  type CastType,
  type ChainOperator,
  type Syntax,
  type TestWord,
} from "./syntax.ts";

/** Names of types, including the types of the API's columns. */
const castTypes: ReadonlyMap<string, CastType> = new Map([
  ["number", "number"],
  ["numeric", "number"],
  ["text", "text"],
  ["hierarchy", "text"],
  ["datetime", "datetime"],
  ["date", "date"],
]);

const comparisons: ReadonlyMap<string, BinaryOperator> = new Map([
  ["=", "="],
  ["!=", "!="],
  ["<>", "!="],
  ["<", "<"],
  ["<=", "<="],
  [">", ">"],
  [">=", ">="],
]);
const arithmetic: ReadonlyMap<string, BinaryOperator> = new Map([
  ["+", "+"],
  ["-", "-"],
  ["*", "*"],
  ["/", "/"],
  ["%", "%"],
]);
const chains: ReadonlyMap<string, ChainOperator> = new Map([
  ["or", "or"],
  ["and", "and"],
  ["||", "||"],
]);
const testWords = new Set(["is", "in", "between", "like", "starts", "ends"]);
const reserved = new Set([
  "and",
  "or",
  "not",
  "null",
  "true",
  "false",
  "case",
  "when",
  "then",
  "else",
  "end",
  "as",
  ...testWords,
]);

/**
 * Parses a source text by operator precedence (Vaughan Pratt, "Top Down Operator Precedence", 1973).
 * O(length); the tree is at most `limits.depth` deep and has at most `limits.nodeCount` nodes.
 * @throws {ExpressionError}
 */
export function parse(source: string): Syntax {
  const { peek, skip, sign, accept, expect, isCall, after, unexpected } = createCursor(source);
  const { build, nested } = createBounds(source);

  const parseAny = () => parseAbove(0);

  /** Parses a value and all following operators that bind more tightly than `power`. */
  function parseAbove(power: number): Syntax {
    let left = parseValue(power);
    for (;;) {
      const longer = parseOperator(left, power);
      if (!longer) return left;
      left = longer;
    }
  }

  function parseOperator(left: Syntax, power: number): Syntax | undefined {
    const at = peek().at;
    const operator = sign();
    if (operator === undefined) return undefined;
    const chain = chains.get(operator);
    if (chain) return binding[chain] > power ? parseChain(left, chain, at) : undefined;
    const calculation = arithmetic.get(operator);
    if (calculation) {
      const own = bindingOf(calculation);
      if (own <= power) return undefined;
      skip();
      return build({
        kind: "binary",
        at,
        operator: calculation,
        left,
        right: parseAbove(own),
      });
    }
    if (binding.comparison <= power) return undefined;
    const tested = parseTest(left, at);
    if (tested) refuseSecondTest();
    return tested;
  }

  function parseChain(first: Syntax, operator: ChainOperator, at: number): Syntax {
    const of = [first];
    while (accept(operator)) of.push(parseAbove(binding[operator]));
    return build({ kind: "chain", at, operator, of });
  }

  function parseTest(of: Syntax, at: number): Syntax | undefined {
    const comparison = comparisons.get(sign() ?? "");
    if (comparison) {
      skip();
      if (sign() === "=") throw unexpected(`a value after ${comparison}`, "equality is =, not ==");
      return build({
        kind: "binary",
        at,
        operator: comparison,
        left: of,
        right: parseAbove(binding.comparison),
      });
    }
    const isNegated = sign() === "not" && accept("not");
    const word = sign() ?? "";
    if (!testWords.has(word) || (isNegated && word === "is")) {
      if (isNegated) throw unexpected("in, between, like, starts with or ends with after not");
      return undefined;
    }
    skip();
    const test = (test: TestWord, operands: readonly Syntax[], negated = isNegated) =>
      build({ kind: "test", at, test, isNegated: negated, of, operands });
    if (word === "is") {
      const negated = accept("not");
      expect("null", `after is${negated ? " not" : ""}`);
      return test("is null", [], negated);
    }
    if (word === "in") {
      expect("(", "after in");
      return test("in", nested(at, parseList));
    }
    if (word === "between") {
      const low = parseAbove(binding.comparison);
      expect("and", "between the two bounds of between");
      return test("between", [low, parseAbove(binding.comparison)]);
    }
    if (word !== "like") expect("with", `after ${word}`);
    const matching =
      word === "like" ? "like" : word === "starts" ? ("starts with" as const) : "ends with";
    return test(matching, [parseAbove(binding.comparison)]);
  }

  function refuseSecondTest(): void {
    const word = sign() ?? "";
    if (comparisons.has(word) || testWords.has(word) || word === "not")
      throw unexpected(
        "the word and, the word or, or the end of the test",
        "tests cannot be chained: write a < b and b < c",
      );
  }

  /** Parses values up to the closing parenthesis. */
  function parseList(): Syntax[] {
    const items = [parseAny()];
    while (accept(",")) items.push(parseAny());
    if (!accept(")")) throw unexpected("a comma or )");
    return items;
  }

  function parseValue(power: number): Syntax {
    const token = peek();
    const { at } = token;
    switch (token.kind) {
      case "number":
      case "text":
        skip();
        return build({ kind: token.kind, at, value: token.value } as Syntax);
      case "reference": {
        skip();
        const { datasetId, columnId } = token;
        return build({ kind: "reference", at, datasetId, columnId });
      }
      case "symbol":
        return parsePrefix(token.symbol, at);
      case "word":
        return parseWord(token.word, at, power);
      case "end":
        throw missingValue();
    }
  }

  function parsePrefix(symbol: string, at: number): Syntax {
    if (symbol === "(") {
      skip();
      const inner = nested(at, parseAny);
      if (!accept(")")) throw unexpected("an operator or )");
      return inner;
    }
    if (symbol !== "-" && symbol !== "+") throw missingValue();
    skip();
    const of = nested(at, () => parseAbove(binding.sign));
    return build({ kind: "unary", at, operator: symbol, of });
  }

  function parseWord(word: string, at: number, power: number): Syntax {
    if (word === "not") {
      if (power > binding.not) throw unexpected("a value", "put parentheses around not (…)");
      skip();
      const of = nested(at, () => parseAbove(binding.not));
      return build({ kind: "unary", at, operator: "not", of });
    }
    if (word === "true" || word === "false" || word === "null") {
      skip();
      if (word === "null") return build({ kind: "null", at });
      return build({ kind: "boolean", at, value: word === "true" });
    }
    if (word === "case") {
      skip();
      return nested(at, () => parseCase(at));
    }
    if (reserved.has(word)) throw missingValue();
    if (!isCall())
      throw unexpected(
        `a value${after()}`,
        "write a column as {dataset id:column id}, a string as 'text', a function as name(…)",
      );
    skip();
    skip();
    return nested(at, () => (word === "cast" ? parseCast(at) : parseCall(word, at)));
  }

  function parseCall(name: string, at: number): Syntax {
    if (accept(")")) return build({ kind: "call", at, name, args: [] });
    if (name === "count" && sign() === "*") {
      skip();
      expect(")", "after count(*");
      return build({ kind: "call", at, name, args: [] });
    }
    return build({ kind: "call", at, name, args: parseList() });
  }

  function parseCast(at: number): Syntax {
    const of = parseAny();
    if (!accept("as") && !accept(",")) throw unexpected("as and a type, such as cast(x as number)");
    const type = castTypes.get(sign() ?? "");
    if (!type) throw unexpected(`a type: ${[...castTypes.keys()].join(", ")}`);
    skip();
    expect(")", "at the end of cast(… as type)");
    return build({ kind: "cast", at, of, type });
  }

  function parseCase(at: number): Syntax {
    const operand = sign() === "when" ? undefined : parseAny();
    const branches: { readonly when: Syntax; readonly value: Syntax }[] = [];
    while (accept("when")) {
      const when = parseAny();
      expect("then", "after the test of when");
      branches.push({ when, value: parseAny() });
    }
    if (branches.length === 0) throw unexpected("when after case");
    const otherwise = accept("else") ? parseAny() : undefined;
    if (!accept("end"))
      throw unexpected(otherwise ? "the end of the case" : "when, else or the end of the case");
    return build({
      kind: "case",
      at,
      ...(operand && { operand }),
      branches,
      ...(otherwise && { otherwise }),
    });
  }

  function missingValue(): ExpressionError {
    return unexpected(`a value${after()}`);
  }

  const tree = parseAny();
  if (peek().kind !== "end")
    throw unexpected(`an operator${after()}, or the end of the expression`);
  return tree;
}
