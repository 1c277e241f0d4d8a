import { PluginError } from "../../plugins/protocol/index.ts";

/**
 * A name followed by a bracket, decoded by PostgreSQL's rules. `schema` is empty if the statement does not state one.
 */
export interface CalledName {
  readonly schema: string;
  readonly name: string;
  /** The call's only argument, if it is a string without escapes. */
  readonly literal?: string;
  /** Whether the name is written without quotes, so that it may be a keyword. */
  readonly isBare: boolean;
}

/**
 * The names in a statement, decoded by PostgreSQL's rules: without quotes, case-folded and truncated to the maximum
 * length.
 */
export interface StatementNames {
  readonly calls: readonly CalledName[];
  /**
   * Names that follow a dot and are not followed by a bracket: columns, or functions of a row, such as `t.f` for
   * `f(t)`.
   */
  readonly members: readonly string[];
  /** All words of the statement, including its names. */
  readonly names: ReadonlySet<string>;
  /**
   * All operators that the statement could contain. Includes shorter operators, because a longer operator could be
   * split into these.
   */
  readonly operators: ReadonlySet<string>;
}

interface Token {
  readonly kind: "name" | "string" | "operator" | "sign" | "value";
  readonly text: string;
  readonly isBare: boolean;
}

/** Maximum length of a name in bytes. PostgreSQL truncates longer names. */
const longestName = 63;
const longestOperator = 8;

const scanner =
  /(?<blank>\s+)|(?<string>'(?:[^']|'')*')|(?<quoted>"(?:[^"]|"")*")|(?<word>[\p{L}_][\p{L}\p{N}_]*)|(?<value>\$?\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)|(?<operator>[-+*/<>=~!@#%^&|?]+)|(?<sign>::|[^])/giuy;

/** The operators that a keyword implies. */
const implied: Readonly<Record<string, readonly string[]>> = {
  like: ["~~", "!~~"],
  ilike: ["~~*", "!~~*"],
  similar: ["~", "!~"],
  between: ["<=", ">=", "<", ">"],
  in: ["=", "<>"],
  any: ["="],
  case: ["="],
  nullif: ["="],
  distinct: ["="],
  using: ["="],
  natural: ["="],
};

/**
 * Returns the names in a statement that `parseStatement` has accepted. Such a statement contains no comments, dollar
 * quotes or Unicode escapes. O(length).
 * @throws {PluginError} PLUGIN_INVALID for syntax that calls a function without its name, such as `treat(x as type)`
 */
export function readStatementNames(text: string): StatementNames {
  const tokens = tokensOf(text);
  const calls: CalledName[] = [];
  const members: string[] = [];
  const names = new Set<string>();
  const operators = new Set<string>();
  const isSign = (at: number, sign: string) =>
    tokens[at]?.kind === "sign" && tokens[at].text === sign;
  tokens.forEach(({ kind, text: name, isBare }, at) => {
    if (kind === "operator") for (const each of piecesOf(name)) operators.add(each);
    if (kind !== "name") return;
    names.add(name);
    // A server with a single-byte encoding also folds these letters.
    const lower = name.toLowerCase();
    const forms = isBare && lower !== name ? [name, lower] : [name];
    if (isBare) for (const each of implied[name] ?? []) operators.add(each);
    const isQualified = isSign(at - 1, ".");
    if (isSign(at + 1, "(")) {
      if (isBare && !isQualified && calling[name] !== undefined)
        throw refusal(`${name}(`, calling[name]);
      const before = tokens[at - 2];
      const argument = tokens[at + 2];
      const isOnly = isSign(at + 3, ")") || isSign(at + 3, ",");
      for (const form of forms)
        calls.push({
          schema: isQualified && before?.kind === "name" ? before.text : "",
          name: form,
          ...(argument?.kind === "string" && isOnly && { literal: argument.text }),
          isBare: isBare && !isQualified,
        });
    } else if (isQualified) members.push(...forms);
  });
  return { calls, members, names, operators };
}

/** Words of the grammar that are followed by brackets, and that call the function or operator in these brackets. */
const calling: Readonly<Record<string, string>> = {
  treat: "write cast(x as type)",
  operator: "write only the operator itself, as in a + b",
};

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const { groups = {}, 0: written } of text.matchAll(scanner)) {
    const { blank, string, quoted, word, value, operator } = groups;
    if (blank !== undefined) continue;
    if (written === "`" || written === "\\")
      throw refusal(JSON.stringify(written), 'quote names with "…"');
    if (string !== undefined)
      tokens.push({ kind: "string", text: string.slice(1, -1), isBare: false });
    else if (quoted !== undefined)
      tokens.push({
        kind: "name",
        text: cut(quoted.slice(1, -1).replaceAll('""', '"')),
        isBare: false,
      });
    else if (word !== undefined)
      tokens.push({ kind: "name", text: cut(folded(word)), isBare: true });
    else if (value !== undefined) tokens.push({ kind: "value", text: "", isBare: false });
    else if (operator !== undefined)
      tokens.push({ kind: "operator", text: operator, isBare: false });
    else tokens.push({ kind: "sign", text: written, isBare: false });
  }
  return tokens;
}

/** Converts a name to lower case as servers do: only ASCII letters, except with single-byte encodings. */
function folded(word: string): string {
  return word.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function cut(name: string): string {
  if (Buffer.byteLength(name) <= longestName) return name;
  let length = 0;
  let end = 0;
  for (const character of name) {
    length += Buffer.byteLength(character);
    if (length > longestName) break;
    end += character.length;
  }
  return name.slice(0, end);
}

/**
 * Returns every operator that adjacent operator characters may contain. PostgreSQL may read them as several operators,
 * such as `*-` before a number.
 */
function piecesOf(run: string): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from < run.length; from++)
    for (let to = from + 1; to <= Math.min(run.length, from + longestOperator); to++)
      pieces.push(run.slice(from, to));
  return pieces;
}

export function refusal(what: string, instead: string): PluginError {
  return new PluginError("PLUGIN_INVALID", [
    `the statement contains ${what.slice(0, 200)}; ${instead}`,
  ]);
}
