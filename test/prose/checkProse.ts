import { proseLines, readDocument, readSource, type Passage } from "./readProse.ts";
import { wordsOfName, type ReplacedWord } from "./replacedWords.ts";
import type { SpelledPassage, Spelling } from "./spelling.ts";

/** A problem on a line, and how to fix it. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly found: string;
  readonly better: string;
}

/** The rules of the prose check, as returned by `readRules`. */
export interface ProseRules {
  readonly replaced: readonly ReplacedWord[];
  readonly spelling: Spelling;
}

/**
 * Matches a doc comment that is directly followed by another doc comment. The code that it described was removed or
 * moved.
 */
const orphan = /\/\*\*(?!\/)(?:(?!\*\/)[^])*\*\/(?=\s*\/\*\*)/g;

/** Matches references to a review, to one of our issues, or to a specification to which readers have no access. */
const citation =
  /\((?:[a-z]+ )?[A-Z]\d{1,2}\)|\b(?:security|contract|reliability) [A-Z]\d+\b|\bissue #?\d+\b|\b(?:wire-facts|core-api|design\.md)\b/;

/** The maximum length of a line of prose. */
export const columnCount = 120;

/**
 * Checks a TypeScript or Markdown file for replaced words, references to reviews and issues, misspelled words, orphaned
 * doc comments and long lines. Returns the problems in the order of their lines.
 */
export function checkProse(file: string, text: string, rules: ProseRules): Problem[] {
  const isDocument = file.endsWith(".md");
  const passages = isDocument ? readDocument(text) : readSource(file, text);
  const problems = passages.flatMap((passage) => problemsOf(file, passage, rules));
  if (!isDocument)
    for (const { index } of text.matchAll(orphan)) {
      const line = text.slice(0, index).split("\n").length;
      problems.push({ file, line, found: "a doc comment before another", better: "keep one" });
    }
  const lines = text.split("\n");
  for (const line of new Set(proseLines(file, text))) {
    const written = lines[line - 1] ?? "";
    if (written.length <= columnCount || !canBreak(written)) continue;
    const found = `${written.length} columns`;
    problems.push({ file, line, found, better: `at most ${columnCount}; --wrap breaks lines` });
  }
  return problems.toSorted((a, b) => a.line - b.line);
}

function problemsOf(file: string, { kind, text, line }: Passage, rules: ProseRules): Problem[] {
  if (kind === "name") {
    const words = wordsOfName(text);
    const hit = rules.replaced.find(({ pattern }) => pattern.test(words));
    return hit ? [{ file, line, found: text, better: hit.better }] : [];
  }
  // A phrase can continue on the next line of a comment, after the margin.
  const lines = text.split("\n").map((written) => written.replace(/^\s*(?:\*+|\/\/)?\s*/, ""));
  const joined = lines.join(" ");
  const lineAt = (offset: number) => {
    let [index, end] = [0, lines[0]?.length ?? 0];
    while (end < offset) end += 1 + (lines[++index]?.length ?? Infinity);
    return line + index;
  };
  const problem = (offset: number, found: string, better: string) => ({
    file,
    line: lineAt(offset),
    found,
    better,
  });
  const cited = kind === "message" ? null : citation.exec(joined);
  return [
    ...rules.replaced.flatMap(({ pattern, better }) => {
      const hit = pattern.exec(joined);
      return hit ? [problem(hit.index, hit[0], better)] : [];
    }),
    ...(cited
      ? [problem(cited.index, cited[0], "say what it means; readers cannot look it up")]
      : []),
    ...(isData(file, { kind, text }) ? [] : misspelledIn(kind, joined, rules.spelling)).map(
      ({ word, offset }) => {
        const like = rules.spelling.suggest(word).join(", ");
        return problem(offset, word, `${like}? Add a real word to test/prose/dictionary.txt`);
      },
    ),
  ];
}

/** Matches markup, SQL, lists of names and other code in a string, and also letters that English does not use. */
const code =
  /[{}<>;=]|\n\s*\S|\w\(|'self'|[à-ÿ]|\b(?:select .*from|insert into|delete from|create table|order by)\b|^(?:alter|create|drop|grant|select|set|vacuum) /i;

/** Matches the file of a language's words, such as `words/it.ts`. The words of the default language are not in one. */
const ofOtherLanguage = /\/(?:\w*[wW]ords|itemTitles|languages)\/(?!en\.)[a-z]{2}\.ts$/;

/** Returns whether a passage is probably not English prose. In tests, most strings other than titles are data. */
function isData(file: string, { kind, text }: Pick<Passage, "kind" | "text">): boolean {
  if (kind !== "message") return false;
  return file.startsWith("test/") || ofOtherLanguage.test(file) || code.test(text);
}

function misspelledIn(
  kind: Passage["kind"],
  text: string,
  spelling: Spelling,
): SpelledPassage["unknown"] {
  const { unknown, wordCount } = spelling.look(text);
  // A string with many unknown words is data or text in another language.
  return kind === "message" && unknown.length * 5 > wordCount * 2 ? [] : unknown;
}

/** Returns whether a line can be broken, which is the case if it has a space after the margin and within the limit. */
function canBreak(line: string): boolean {
  const margin = /^\s*(?:\*|\/\/|\/\*\*?|[-+>]|\d+\.)?\s*/.exec(line)?.[0].length ?? 0;
  return line.slice(margin, columnCount + 1).includes(" ");
}
