import { ExpressionError, type ExpressionErrorCode } from "./expressionError.ts";
import { limits } from "./limits.ts";
import { readRole, roleId } from "../roles.ts";

/** One token of a source text. `at` and `end` are UTF-16 indexes. */
export type Token = { readonly at: number; readonly end: number } & (
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "text"; readonly value: string }
  /** A name or a keyword, in lower case. */
  | { readonly kind: "word"; readonly word: string }
  | { readonly kind: "reference"; readonly datasetId: string; readonly columnId: string }
  | { readonly kind: "symbol"; readonly symbol: string }
  | { readonly kind: "end" }
);

const blank = /[\s\u200b]+/uy;
const word = /[\p{L}_][\p{L}\p{M}\p{N}_]*/uy;
const number = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const symbol = /\|\||!=|<>|<=|>=|[-+*/%=<>(),]/y;

/** Characters of other languages, with the syntax to write instead. */
const hints: Readonly<Record<string, string>> = {
  "^": "write power(x, y)",
  "&": 'write "and" between tests, or || between strings',
  "|": 'write "or" between tests, or || between strings',
  "!": "write not",
  "?": "write if(test, then, else)",
  ";": "separate arguments with commas",
  "[": "write a column as {dataset:column}",
  "`": "write a string in single quotes, a column as {dataset:column}",
  "‘": "write a string in straight quotes: 'text'",
  "’": "write a string in straight quotes: 'text'",
  "“": "write a string in straight quotes: 'text'",
  "”": "write a string in straight quotes: 'text'",
  "−": "write a minus sign as -",
  "×": "write *",
  "÷": "write /",
  "≤": "write <=",
  "≥": "write >=",
  "≠": "write !=",
};

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns an id in the form that the catalog stores: UUIDs in lower case. A role consists of two ids. */
function canonicalId(id: string): string {
  const role = readRole(id);
  if (role) return roleId({ datasetId: canonicalId(role.datasetId), via: canonicalId(role.via) });
  return uuid.test(id) ? id.toLowerCase() : id;
}

function match(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}

/**
 * Splits a source text into tokens. The last token marks the end. O(length).
 * @throws {ExpressionError} EXPRESSION_TOO_LONG, EXPRESSION_CHARACTER, EXPRESSION_UNCLOSED, EXPRESSION_NUMBER,
 * EXPRESSION_SYNTAX for a malformed reference
 */
export function tokenize(source: string): readonly Token[] {
  const refuse = (
    code: ExpressionErrorCode,
    at: number,
    expected: string,
    found: string,
    hint?: string,
  ) => new ExpressionError(code, { source, at, expected, found, hint });

  if (source.length > limits.sourceLength)
    throw refuse(
      "EXPRESSION_TOO_LONG",
      0,
      `at most ${limits.sourceLength} characters`,
      String(source.length),
    );
  const broken = /\p{Surrogate}|\0/u.exec(source);
  if (broken)
    throw refuse(
      "EXPRESSION_CHARACTER",
      broken.index,
      "a character",
      "NUL or half a surrogate pair",
    );

  const readText = (at: number): Token => {
    const quote = source.charAt(at);
    let from = at + 1;
    for (;;) {
      const end = source.indexOf(quote, from) + 1;
      if (end === 0)
        throw refuse(
          "EXPRESSION_UNCLOSED",
          at,
          `${quote} at the end of the string that begins here`,
          "none",
          `write ${quote} inside a string twice`,
        );
      if (source.charAt(end) !== quote) {
        const value = source.slice(at + 1, end - 1).replaceAll(quote + quote, quote);
        return { kind: "text", at, end, value };
      }
      from = end + 1;
    }
  };

  const readReference = (at: number): Token => {
    const end = source.indexOf("}", at) + 1;
    if (end === 0) throw refuse("EXPRESSION_UNCLOSED", at, "} at the end of the reference", "none");
    const ids = source
      .slice(at + 1, end - 1)
      .split(":")
      .map((id) => canonicalId(id.trim()));
    const [datasetId, columnId] = ids;
    if (ids.length !== 2 || !datasetId || !columnId || ids.some((id) => id.includes("{")))
      throw refuse(
        "EXPRESSION_SYNTAX",
        at,
        "a reference such as {dataset id:column id}",
        quoteSource(source.slice(at, end)),
      );
    return { kind: "reference", at, end, datasetId, columnId };
  };

  const readNumber = (at: number, text: string): Token => {
    const end = at + text.length;
    const value = Number(text);
    const tail = match(word, source, end);
    if (tail !== undefined || source.charAt(end) === "." || !Number.isFinite(value))
      throw refuse(
        "EXPRESSION_NUMBER",
        at,
        "a number such as 12, 0.5 or 1e6",
        quoteSource(text + (tail ?? source.slice(end, end + 1))),
      );
    return { kind: "number", at, end, value };
  };

  const readToken = (at: number): Token => {
    const first = source.charAt(at);
    if (first === "'" || first === '"') return readText(at);
    if (first === "{") return readReference(at);
    const digits = match(number, source, at);
    if (digits !== undefined) return readNumber(at, digits);
    const name = match(word, source, at);
    if (name !== undefined)
      return { kind: "word", at, end: at + name.length, word: name.toLowerCase() };
    const sign = match(symbol, source, at);
    if (sign !== undefined) return { kind: "symbol", at, end: at + sign.length, symbol: sign };
    const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
    throw refuse(
      "EXPRESSION_CHARACTER",
      at,
      "a value or an operator",
      quoteSource(character),
      Object.hasOwn(hints, character) ? hints[character] : undefined,
    );
  };

  const tokens: Token[] = [];
  for (let at = 0; ;) {
    at += match(blank, source, at)?.length ?? 0;
    if (at >= source.length) return [...tokens, { kind: "end", at, end: at }];
    const token = readToken(at);
    tokens.push(token);
    at = token.end;
  }
}

/** Quotes a part of the source for a message: in double quotes, shortened, with unprintable characters escaped. */
export function quoteSource(part: string): string {
  return `"${printable(part)}"`;
}

/** Quotes a string of the language for a message, as `quoteSource` does, but in the quotes of the language. */
export function quoteText(text: string): string {
  return `'${printable(text)}'`;
}

function printable(part: string): string {
  const shown = Array.from(part);
  const text = shown.length > 40 ? `${shown.slice(0, 40).join("")}…` : part;
  return JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll(
      /[\p{Cf}\p{Zl}\p{Zp}]/gu,
      (character) => `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`,
    );
}
