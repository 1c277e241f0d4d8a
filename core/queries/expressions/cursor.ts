import { ExpressionError } from "./expressionError.ts";
import { quoteSource, quoteText, tokenize, type Token } from "./tokenize.ts";

/** A position among the tokens of a source text. It advances as tokens are taken. */
export interface Cursor {
  readonly peek: () => Token;
  readonly skip: () => void;
  /** Returns the current word or symbol; undefined for strings, numbers and references. */
  readonly sign: () => string | undefined;
  /** Skips the current token if it is the given word or symbol. Returns whether it skipped the token. */
  readonly accept: (wanted: string) => boolean;
  /** Skips the given word or symbol. @throws {ExpressionError} if the current token is different */
  readonly expect: (wanted: string, why: string) => void;
  /** Returns whether an opening parenthesis follows the current token. */
  readonly isCall: () => boolean;
  /** Returns " after …" with the last skipped token, for messages; empty at the start. */
  readonly after: () => string;
  readonly unexpected: (expected: string, hint?: string) => ExpressionError;
}

/**
 * Splits a source text into tokens, and creates a cursor at the first token. @throws {ExpressionError} as `tokenize`
 */
export function createCursor(source: string): Cursor {
  const tokens = tokenize(source);
  let next = 0;
  const peek = (): Token => tokens[next]!;
  const sign = () => signOf(peek());
  const accept = (wanted: string) => {
    const isThere = sign() === wanted;
    if (isThere) next += 1;
    return isThere;
  };
  const unexpected = (expected: string, hint?: string) => {
    const token = peek();
    const found = describe(token, source);
    const { at } = token;
    return new ExpressionError("EXPRESSION_SYNTAX", { source, at, expected, found, hint });
  };
  return {
    peek,
    skip() {
      next += 1;
    },
    sign,
    accept,
    expect(wanted, why) {
      if (!accept(wanted)) throw unexpected(`${wanted} ${why}`);
    },
    isCall() {
      const following = tokens[next + 1];
      return following !== undefined && signOf(following) === "(";
    },
    after() {
      const token = tokens[next - 1];
      return token ? ` after ${describe(token, source)}` : "";
    },
    unexpected,
  };
}

function signOf(token: Token): string | undefined {
  if (token.kind === "word") return token.word;
  return token.kind === "symbol" ? token.symbol : undefined;
}

function describe(token: Token, source: string): string {
  const text = source.slice(token.at, token.end);
  switch (token.kind) {
    case "number":
      return `the number ${text.slice(0, 40)}`;
    case "text":
      return `the string ${quoteText(token.value)}`;
    case "reference":
      return "a reference";
    case "end":
      return "the end of the expression";
    case "symbol":
      return text;
    case "word":
      return quoteSource(text);
  }
}
