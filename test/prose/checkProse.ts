import { proseLines, readDocument, readSource, type Passage } from "./readProse.ts";
import { rules } from "./rules.ts";

/** An offence: `found` on a line, and what to write instead. */
export interface Offence {
  readonly file: string;
  readonly line: number;
  readonly found: string;
  readonly better: string;
}

/** A doc comment that another follows: what it described is gone, or has moved. */
const orphan = /\/\*\*(?!\/)(?:(?!\*\/)[^])*\*\/(?=\s*\/\*\*)/g;

/** Columns of a line of prose or of a comment. */
export const columnCount = 120;

/**
 * Returns the offences of a TypeScript or Markdown file against the word list and the line length, in the order of its
 * lines.
 */
export function checkProse(file: string, text: string): Offence[] {
  const passages = file.endsWith(".md") ? readDocument(text) : readSource(file, text);
  const offences = passages.flatMap((passage) => wordsOf(file, passage));
  if (!file.endsWith(".md"))
    for (const { index } of text.matchAll(orphan)) {
      const line = text.slice(0, index).split("\n").length;
      offences.push({ file, line, found: "a doc comment before another", better: "one of them" });
    }
  const lines = text.split("\n");
  for (const line of new Set(proseLines(file, text))) {
    const written = lines[line - 1] ?? "";
    if (written.length <= columnCount || !canBreak(written)) continue;
    const found = `${written.length} columns`;
    offences.push({ file, line, found, better: `at most ${columnCount} columns` });
  }
  return offences.toSorted((a, b) => a.line - b.line);
}

function wordsOf(file: string, { kind, text, line }: Passage): Offence[] {
  // A construction may go on in the next line, behind the margin of its comment.
  const lines = text.split("\n").map((written) => written.replace(/^\s*(?:\*+|\/\/)?\s*/, ""));
  const joined = lines.join(" ");
  const lineAt = (offset: number) => {
    let [index, end] = [0, lines[0]?.length ?? 0];
    while (end < offset) end += 1 + (lines[++index]?.length ?? Infinity);
    return line + index;
  };
  return rules
    .filter(({ scope }) => kind !== "name" || scope === "names")
    .filter(({ folders }) => !folders || folders.some((folder) => file.startsWith(`${folder}/`)))
    .flatMap(({ pattern, better }) => {
      const hit = pattern.exec(joined);
      if (!hit) return [];
      return [{ file, line: lineAt(hit.index), found: hit[0].slice(0, 60), better }];
    });
}

/** A line can break where a blank is within the limit, after its margin. */
function canBreak(line: string): boolean {
  const margin = /^\s*(?:\*|\/\/|\/\*\*?|[-+>]|\d+\.)?\s*/.exec(line)?.[0].length ?? 0;
  return line.slice(margin, columnCount + 1).includes(" ");
}
