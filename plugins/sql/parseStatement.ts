import { PluginError } from "../protocol/index.ts";

/** A part of a statement: text for the database, or the name of a parameter. */
export type StatementPart = string | { readonly parameter: string };

/** Words that begin statements that do more than read. Functions with the same name, such as `replace`, only read. */
const changing = new Set(
  `insert update delete merge replace upsert truncate drop alter create rename comment grant revoke copy call do execute
  exec prepare deallocate declare set reset show use lock unlock begin start commit rollback savepoint release
  vacuum analyze analyse optimize reindex cluster refresh attach detach pragma install load import export checkpoint
  listen notify unlisten kill handler explain describe system`.split(/\s+/),
);

/** Matches functions that wait, change a session or a server, or access data outside the database. */
const forbiddenFunctions =
  /^(?:pg_(?:sleep\w*|read_\w+|ls_\w+|stat_file|terminate_backend|cancel_backend|reload_conf|rotate_logfile|switch_wal|create_\w+|drop_\w+|logical_\w+|replication_\w+|advisory_\w+|try_advisory_\w+|notify|promote|file_\w+|export_snapshot)|lo_\w+|lowrite|loread|dblink\w*|set_config|nextval|setval|query_to_xml\w*|xpath_table|sleep|sleepeachrow|benchmark|load_file|get_lock|release_lock|release_all_locks|master_pos_wait|sys_exec|sys_eval|load_extension|readfile|writefile|edit|fts3_tokenizer|file|url|s3|s3cluster|hdfs|remote|remotesecure|cluster|clusterallreplicas|mysql|postgresql|mongodb|redis|sqlite|odbc|jdbc|executable|input|azureblobstorage|gcs|deltalake|iceberg|hudi|urlcluster|filecluster|read_csv\w*|read_parquet|parquet_scan|read_json\w*|read_ndjson\w*|read_text|read_blob|sqlite_scan|postgres_scan|postgres_query|mysql_scan|mysql_query|query|query_table|getenv)$/i;

const word = /[\p{L}_][\p{L}\p{N}_]*/uy;
const number = /\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?/iy;
const blank = /\s+/y;
const lineComment = /--(?=\s|$)[^\r\n]*/y;
const blockComment = /\/\*(?![!+M])(?:(?!\/\*|\*\/)[\s\S])*\*\//y;
const parameter = /\{\{\s*(?:metadata\.)?([A-Za-z_][\w-]*)\s*\}\}/y;
const quoted = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`/y;
/**
 * Tokens that can follow a column name in parentheses, as in `max(start)`. None of them can follow the first word of a
 * statement that writes.
 */
const afterColumn =
  /[),.=<>|+*%/-]|::|(?:is|as|not|in|like|ilike|between|and|or|asc|desc|order|over|collate|at|div|mod|separator)(?![\p{L}\p{N}_])/iuy;
/** Matches a backslash before a quote, which only some databases read as an escape. */
const ambiguousQuote = /(?<!\\)(?:\\\\)*\\(?=['"`])/;
/** Matches a cast, and the operators that test whether an array or a JSON value contains another. */
const operator = /::|@>|<@/y;

/**
 * Parses a person's text as a single statement that only reads, in any dialect: a `select`, or a `with` before a
 * `select`. Comments are removed. Characters that databases interpret differently are refused, so that all databases
 * agree on where strings, comments and the statement end. This is the first of two defenses: the session that runs the
 * statement is also read-only. O(length).
 * @throws {PluginError} PLUGIN_INVALID that names the refused part and its position, and says what to write instead
 */
export function parseStatement(text: string): readonly StatementPart[] {
  const parts: StatementPart[] = [];
  const open: string[] = [];
  let read = "";
  let at = 0;
  /** The token before the current position: a word in lower case, a punctuation character, or `value`. */
  let before = "";
  /**
   * The word or quoted name before the current position. If a parenthesis follows, it is the name of a called function.
   */
  let name: string | undefined;
  /**
   * A word that begins a statement that writes, unless the next token shows that the word is the name of a function. If
   * it is the first word in parentheses, it may also be the name of a column.
   */
  let suspect:
    | { readonly word: string; readonly at: number; readonly isFirst: boolean }
    | undefined;
  let isStarted = false;

  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  /** Returns whether only blanks and comments follow a position. */
  const isBlankFrom = (start: number): boolean => {
    const before = at;
    at = start;
    for (let found = skip(); found !== undefined; found = skip()) at += found.length;
    const isBlank = at === text.length;
    at = before;
    return isBlank;
  };
  const skip = () => take(blank) ?? take(lineComment) ?? take(blockComment);
  const keep = (found: string, token: string, called?: string) => {
    read += found;
    at += found.length;
    before = token;
    name = called;
    suspect = undefined;
  };
  const refuseSuspect = () => {
    const isColumn = suspect?.isFirst === true && take(afterColumn) !== undefined;
    if (suspect && !isColumn) throw refusal(quote(suspect.word), suspect.at, onlyReads);
  };

  if (text.length > longestText) throw refusal("too many characters", longestText, "shorten it");
  const nul = text.indexOf("\u0000");
  if (nul >= 0) throw refusal("NUL", nul, "remove it");
  while (at < text.length) {
    const skipped = skip();
    if (skipped !== undefined) {
      read += " ";
      at += skipped.length;
      continue;
    }
    const sign = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (sign === ";" && isBlankFrom(at + 1)) break;
    if (sign !== "(") refuseSuspect();
    const named = take(parameter);
    if (named !== undefined) {
      parts.push(read, { parameter: nameIn(named) });
      read = "";
      at += named.length;
      [before, name] = ["value", undefined];
      continue;
    }
    const text_ = take(quoted);
    if (text_ !== undefined) {
      if (ambiguousQuote.test(text_))
        throw refusal("a backslash before a quote", at, "write the character with chr or char");
      if (/['"`]/.test(text[at - 1] ?? ""))
        throw refusal("two strings without a space between them", at, "write a space, or ||");
      keep(text_, "value", text_.slice(1, -1));
      continue;
    }
    const found = take(word);
    if (found !== undefined) {
      const lower = found.toLowerCase();
      if (!isStarted && lower !== "select" && lower !== "with")
        throw refusal(quote(found), at, "begin it with select or with");
      isStarted = true;
      if (lower === "into") throw refusal(quote(found), at, onlyReads);
      if (before === "for" && ["update", "share", "no", "key"].includes(lower))
        throw refusal(`for ${lower}`, at, "a dataset cannot lock rows");
      if (/^u$/i.test(found) && /^&['"]/.test(text.slice(at + 1, at + 3)))
        throw refusal("a Unicode escape", at, "write the characters themselves, without U&");
      const isFirst = before === "(";
      const begins = isFirst || before === ")";
      const wordAt = at;
      keep(found, lower, found);
      if (begins && changing.has(lower)) suspect = { word: found, at: wordAt, isFirst };
      continue;
    }
    const known = take(number) ?? take(operator);
    if (known !== undefined) {
      keep(known, "value");
      continue;
    }
    if (!isStarted && sign !== "(") throw refusal(quote(sign), at, "begin it with select or with");
    if (sign === "(" && name !== undefined && forbiddenFunctions.test(name))
      throw refusal(`a call to ${name}`, at, "this function is not available in datasets");
    if (sign === "(" || sign === "[") open.push(sign);
    if ((sign === ")" || sign === "]") && open.pop() !== (sign === ")" ? "(" : "["))
      throw refusal(
        `${quote(sign)} without an opening one`,
        at,
        "remove it, or add the opening one",
      );
    const wrong = wrongSign(sign, text.slice(at, at + 2));
    if (wrong !== undefined) throw refusal(quote(sign), at, wrong);
    keep(sign, sign);
  }
  refuseSuspect();
  if (!isStarted) throw refusal("nothing", 0, "write one select statement");
  if (open.length > 0) throw refusal("a bracket that is not closed", text.length, "close it");
  return [...parts, read.trimEnd()];
}

const longestText = 100_000;
const onlyReads = "a dataset must be a single statement that only reads";

function refusal(what: string, at: number, instead: string): PluginError {
  return new PluginError("PLUGIN_INVALID", [
    `the statement contains ${what} at character ${at + 1}; ${instead}`,
  ]);
}

const signs = new Set("()[],.*+-/%<>=|&^~!");

/**
 * Returns advice on what to write instead of a character that databases interpret differently. Undefined for other
 * characters.
 */
function wrongSign(sign: string, pair: string): string | undefined {
  if (sign === ";") return "a dataset must be a single statement";
  if (sign === "'" || sign === '"' || sign === "`") return "close the quote";
  if (pair === "--") return "a comment must begin with -- and a space";
  if (pair === "/*" || pair === "*/")
    return "a comment must be /* … */ without another comment or hints inside";
  if (sign === "$") return "write strings in single quotes, and parameters as {{name}}";
  if (sign === "?" || sign === ":" || sign === "@" || sign === "{" || sign === "}")
    return "write parameters as {{name}}, and casts as cast(x as type) or x::type";
  if (sign === "#") return "write comments as /* … */, and JSON paths with a function";
  if (sign === "\\") return "this character is only allowed in strings";
  return signs.has(sign) ? undefined : "this character is only allowed in strings";
}

const nameIn = (found: string): string => /([A-Za-z_][\w-]*)\s*\}\}$/.exec(found)?.[1] ?? "";

const quote = (text: string): string => JSON.stringify(text.slice(0, 50));
