import { PluginError } from "../protocol/index.ts";
import type { StatementPart } from "./parseStatement.ts";

/** The rules for statements that people write for one database. All names are in lower case, without quotes. */
export interface StatementRules {
  /** Name of the database in messages. */
  readonly database: string;
  /**
   * Returns whether a call of the given name only reads and computes. The name may be a function, a table function, or
   * a type with arguments.
   */
  isFunction(name: string): boolean;
  /**
   * The characters that quote a name. Every other quote character is refused, except `'` and those in `stringQuotes`.
   */
  readonly nameQuotes: string;
  /**
   * Characters that quote a string, in addition to `'`.
   * @default none
   */
  readonly stringQuotes?: string;
  /**
   * Whether a backslash in a quoted name starts an escape. Such names are refused.
   * @default false
   */
  readonly hasEscapes?: boolean;
  /**
   * Whether a function name may follow a dot, as in `x.upper()`. Such a name is checked like any other function name.
   * @default false
   */
  readonly callsAfterDot?: boolean;
  /**
   * Whether a call may have a second argument list, as in `quantile(0.9)(x)`.
   * @default false
   */
  readonly callsTwice?: boolean;
  /**
   * How the database reads `[`: as the start of an array or an index (`array`), or as a quote for a name (`name`).
   * Absent: `[` is refused.
   */
  readonly squareBrackets?: "array" | "name";
  /**
   * Schemas of the server itself, each with the tables that people may read. All other tables of these schemas are
   * refused, because they show the server's settings, users and queries.
   * @default {}
   */
  readonly systemSchemas?: Readonly<Record<string, readonly string[]>>;
  /**
   * Matches names of the server's own tables that can be used without a schema. These names are refused everywhere in a
   * statement. Absent: the server has no such tables.
   */
  readonly systemTables?: RegExp;
  /**
   * The clauses that do more than read: for each, its sequence of words, and advice on what to write instead.
   * @default []
   */
  readonly refused?: readonly (readonly [words: readonly string[], instead: string])[];
}

interface Token {
  readonly kind: "word" | "name" | "string" | "value" | "sign";
  /** The token: a word or name in lower case, without quotes, or a punctuation character. */
  readonly text: string;
  /** The token as written in the statement. */
  readonly written: string;
}

/**
 * Words that may precede a parenthesis without being the name of a function. If a database has a function with one of
 * these names, the function only computes.
 */
const keywords = new Set(
  `select from where and or not xor in as on using values exists any all some over partition by order group having
  limit union intersect except when then else case between like distinct lateral window range rows join is div mod
  interval key index with`.split(/\s+/),
);

/** Matches a name in square brackets, without characters that a database could read as a quote. */
const bracketed = /^\[[\p{L}\p{N}_ ]+\]/u;
const scanner =
  /(?<blank>\s+)|(?<string>'(?:[^']|'')*')|(?<quoted>"(?:[^"]|"")*"|`(?:[^`]|``)*`)|(?<word>[\p{L}_][\p{L}\p{N}_]*)|(?<number>\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)|(?<sign>::|[^])/giuy;

/**
 * Refuses a statement that calls a function, or uses a schema, that the rules of its database do not list. Expects the
 * result of `parseStatement`, which contains no comments, escapes or second statement. Refuses every construct that it
 * does not know. O(length).
 * @throws {PluginError} PLUGIN_INVALID that names the refused part and says what to do
 */
export function checkStatement(parts: readonly StatementPart[], rules: StatementRules): void {
  const tokens = parts.flatMap((part) =>
    typeof part === "string"
      ? tokensOf(part, rules)
      : [{ kind: "value", text: "", written: "" } as const],
  );
  const open: Bracket[] = [];
  let closed: Bracket | undefined;
  tokens.forEach((token, at) => {
    const before = tokens[at - 1];
    const after = tokens[at + 1];
    if (token.kind === "word" && !isSign(before, ".") && !isWord(before, "as"))
      refuseClause(tokens, at, rules);
    if (token.kind === "string" && isTable(tokens, at, open.at(-1)))
      throw refusal(
        `the string ${token.written} where a table is expected`,
        "write the name of a table",
      );
    if (isSign(after, ".") && !isSign(before, ".")) refuseSchema(tokens, at, rules);
    if (token.kind === "word" || token.kind === "name") refuseSystemTable(token, rules);
    const bracket = open.at(-1);
    if (bracket && (isWord(token, "select") || (isWord(token, "from") && isSign(before, "("))))
      bracket.hasSelect = true;
    if (token.kind !== "sign") return;
    if (token.text === "[" && rules.squareBrackets !== "array")
      throw refusal('"["', 'quote names with "…"');
    if (token.text === "(") {
      const isCall = refuseCall(tokens, at, rules, { closed, around: bracket });
      const called = isCall ? tokens[at - 1]?.text : undefined;
      open.push({ isCall, called, isTable: isTableBefore(tokens, at), hasSelect: false });
    }
    if (token.text === ")") closed = open.pop() ?? closed;
  });
}

/** A pair of parentheses. */
interface Bracket {
  readonly isCall: boolean;
  /** The name of the function that the parentheses call. Undefined if they are not a call. */
  readonly called: string | undefined;
  /**
   * Whether the query reads rows from the parentheses, or from the call to which they belong. An alias may then follow.
   */
  readonly isTable: boolean;
  /** Whether the parentheses contain `select`. In the arguments of a call, a table may be named only after `select`. */
  hasSelect: boolean;
}

interface Brackets {
  /** The pair of parentheses that was closed last. */
  readonly closed: Bracket | undefined;
  /** The innermost pair of parentheses around the current position. */
  readonly around: Bracket | undefined;
}

function tokensOf(
  text: string,
  { database, nameQuotes, stringQuotes = "", hasEscapes, squareBrackets }: StatementRules,
): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const { groups = {}, 0: written, index } of text.matchAll(scanner)) {
    // The token is part of a name in square brackets.
    if (index < end) continue;
    const name = squareBrackets === "name" ? bracketed.exec(text.slice(index))?.[0] : undefined;
    if (name !== undefined) {
      tokens.push({ kind: "name", text: folded(name.slice(1, -1)), written: name });
      end = index + name.length;
      continue;
    }
    const { blank, string, quoted, word, number } = groups;
    if (blank !== undefined) continue;
    if (string !== undefined) tokens.push({ kind: "string", text: "", written });
    else if (word !== undefined) tokens.push({ kind: "word", text: folded(word), written });
    else if (number !== undefined) tokens.push({ kind: "value", text: "", written });
    else if (quoted === undefined) tokens.push({ kind: "sign", text: written, written });
    else if (stringQuotes.includes(written[0]!)) tokens.push({ kind: "string", text: "", written });
    else if (!nameQuotes.includes(written[0]!))
      throw refusal(written[0]!, `${database} quotes names with ${nameQuotes}`);
    else {
      const sign = written[0]!;
      const name = written.slice(1, -1).replaceAll(sign + sign, sign);
      if (hasEscapes === true && name.includes("\\"))
        throw refusal(
          `the name ${written} with a backslash`,
          "remove the backslash, or give the column another name",
        );
      tokens.push({ kind: "name", text: folded(name), written });
    }
  }
  return tokens;
}

/**
 * Converts a name to the form in which servers compare names: case is removed, and so are differences that a collation
 * ignores.
 */
function folded(name: string): string {
  return name.normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase().toLowerCase();
}

const isSign = (token: Token | undefined, text: string): boolean =>
  token?.kind === "sign" && token.text === text;

const isWord = (token: Token | undefined, text: string): boolean =>
  token?.kind === "word" && token.text === text;

function refuseClause(
  tokens: readonly Token[],
  at: number,
  { refused = [] }: StatementRules,
): void {
  for (const [words, instead] of refused)
    if (
      words.every((word, index) => isWord(tokens[at + index], word)) &&
      !isSign(tokens[at + words.length], ".")
    )
      throw refusal(words.join(" "), instead);
}

/**
 * Returns whether a string is used in place of a table. Some databases would open it as a file. Returns false for the
 * string in `extract(day from '…')`.
 */
function isTable(tokens: readonly Token[], at: number, bracket: Bracket | undefined): boolean {
  const before = tokens[at - 1];
  if (isWord(before, "join")) return true;
  // A string may follow `is distinct from`, and ClickHouse's `with fill from`.
  const isValue = isWord(tokens[at - 2], "distinct") || isWord(tokens[at - 2], "fill");
  return isWord(before, "from") && !isValue && (bracket?.isCall !== true || bracket.hasSelect);
}

function refuseSchema(
  tokens: readonly Token[],
  at: number,
  { systemSchemas = {}, database }: StatementRules,
): void {
  const { kind, text, written } = tokens[at]!;
  if ((kind !== "word" && kind !== "name") || !Object.hasOwn(systemSchemas, text)) return;
  const table = tokens[at + 2]?.text ?? "";
  const allowed = systemSchemas[text]!;
  if (allowed.includes(table)) return;
  const listed =
    allowed.length > 0 ? ` but ${allowed.map((each) => `${text}.${each}`).join(", ")}` : "";
  throw refusal(
    `${written}.${table}`,
    `people's statements cannot read the system schemas of ${database}${listed}; ` +
      "rename an alias with this name, or ask the operator of the database for a view",
  );
}

function refuseSystemTable(
  { text, written }: Token,
  { systemTables, database }: StatementRules,
): void {
  if (systemTables?.test(text) === true)
    throw refusal(
      written,
      `people's statements cannot read the system tables of ${database}; if this is your own table or alias, rename it`,
    );
}

/** Returns whether a parenthesis opens the arguments of a call. Refuses functions that the rules do not list. */
function refuseCall(
  tokens: readonly Token[],
  at: number,
  rules: StatementRules,
  { closed, around }: Brackets,
): boolean {
  const called = tokens[at - 1];
  const before = tokens[at - 2];
  if (!called) return false;
  if (isSign(called, "]") || called.kind === "string")
    throw refusal(
      `a parenthesis after ${called.written}`,
      "write an operator or a comma in between",
    );
  if (isSign(called, ")")) {
    if (rules.callsTwice === true && closed?.isCall === true) return true;
    throw refusal('")("', "write an operator or a comma in between");
  }
  if (called.kind !== "word" && called.kind !== "name") return false;
  const isAfterDot = isSign(before, ".");
  if (called.kind === "word" && !isAfterDot && keywords.has(called.text)) return false;
  // After `as`, a type or an alias follows. In ClickHouse's `interpolate (a as b + 1)`, an expression follows.
  const isNamed = isWord(before, "as") && !isSign(tokens[at - 3], ".");
  if ((isNamed && around?.called !== "interpolate") || isSign(before, "::")) return true;
  if (isColumnList(tokens, at, closed)) return false;
  if (isAfterDot && rules.callsAfterDot !== true)
    throw refusal(`a call to ${called.written} in a schema`, callsOf(rules));
  if (rules.isFunction(called.text)) return true;
  throw refusal(`a call to ${called.written}`, callsOf(rules));
}

const callsOf = ({ database }: StatementRules): string =>
  `people's statements may only call functions of ${database} that compute; ` +
  "ask the operator of the database for a view that calls it";

/** Words and punctuation after which a table may follow. */
const tableOpeners = new Set(["from", "join", "lateral", ",", "("]);

/**
 * Returns whether a parenthesis opens a subquery or the arguments of a table function from which the statement reads
 * rows. The parentheses in `distinct on (a) f(b)` open neither.
 */
function isTableBefore(tokens: readonly Token[], at: number): boolean {
  const isOpener = (token: Token | undefined) =>
    (token?.kind === "word" || token?.kind === "sign") && tableOpeners.has(token.text);
  if (isOpener(tokens[at - 1])) return true;
  let start = at - 1;
  while (isSign(tokens[start - 1], ".")) start -= 2;
  return isOpener(tokens[start - 1]);
}

/**
 * Returns whether a parenthesis lists column names. Such a list follows the name in a `with`, or an alias after a
 * parenthesis, as in `range(3) t(a)`.
 */
function isColumnList(tokens: readonly Token[], at: number, closed: Bracket | undefined): boolean {
  let end = at + 1;
  for (; tokens[end] && !isSign(tokens[end], ")"); end++) {
    const { kind } = tokens[end]!;
    const isFitting =
      (end - at) % 2 === 1 ? kind === "word" || kind === "name" : isSign(tokens[end], ",");
    if (!isFitting) return false;
  }
  if (end === at + 1 || (end - at) % 2 === 1) return false;
  const before = tokens[at - 2];
  if (isSign(before, ")")) return closed?.isTable === true;
  const isListed = isWord(before, "with") || isWord(before, "recursive") || isSign(before, ",");
  if (!isListed || !isWord(tokens[end + 1], "as")) return false;
  // `f(a) as materialized` is a call with the alias `materialized`, unless a query in parentheses follows.
  let next = end + 2;
  if (isWord(tokens[next], "not")) next++;
  if (isWord(tokens[next], "materialized")) next++;
  const first = tokens[next + 1];
  const isQuery = isSign(first, "(") || (first?.kind === "word" && queryWords.has(first.text));
  return isSign(tokens[next], "(") && isQuery;
}

/** Words that begin a query in parentheses. */
const queryWords = new Set(["select", "with", "values", "from"]);

function refusal(what: string, instead: string): PluginError {
  return new PluginError("PLUGIN_INVALID", [
    `the statement contains ${what.slice(0, 200)}; ${instead}`,
  ]);
}
