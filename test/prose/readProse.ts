import { parseSync, Visitor } from "oxc-parser";

/** A piece of text of a file. */
export interface Passage {
  readonly kind: "comment" | "message" | "document" | "name";
  readonly text: string;
  /** The line of its first character, from 1. */
  readonly line: number;
}

/** Returns the comments, the messages (strings of three words or more) and the names of a TypeScript file. */
export function readSource(file: string, text: string): Passage[] {
  const lineAt = lineFinder(text);
  const passages: Passage[] = [];
  const { comments, program } = parseSync(file, text);
  for (const { value, start } of comments) {
    if (/^\s*(?:oxlint|@ts|eslint|#region|oxfmt)/.test(value)) continue;
    passages.push({ kind: "comment", text: value, line: lineAt(start) });
  }
  const message = (value: string, start: number) => {
    if (/\S\s+\S+\s+\S/.test(value))
      passages.push({ kind: "message", text: value, line: lineAt(start) });
  };
  new Visitor({
    Literal(node) {
      if (typeof node.value === "string") message(node.value, node.start);
    },
    TemplateLiteral(node) {
      message(node.quasis.map(({ value }) => value.cooked ?? "").join("…"), node.start);
    },
    Identifier(node) {
      passages.push({ kind: "name", text: node.name, line: lineAt(node.start) });
    },
  }).visit(program);
  return passages;
}

/** Returns the prose of a Markdown file: paragraphs without code, tables and quotations. */
export function readDocument(text: string): Passage[] {
  const passages: Passage[] = [];
  let isCode = false;
  let paragraph: { text: string; line: number } | undefined;
  const end = () => {
    if (paragraph) passages.push({ kind: "document", ...paragraph });
    paragraph = undefined;
  };
  for (const [index, line] of text.split("\n").entries()) {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    if (isCode || isFence || line.trim() === "") {
      end();
      continue;
    }
    if (/^\s*(?:[-*+]|\d+\.|#+|\||>)\s/.test(line)) end();
    const plain = line.replace(/^\s*(?:[-*+]|\d+\.|\||>)\s+/, "").replace(/`[^`]*`/g, "`code`");
    if (paragraph) paragraph.text += `\n${plain}`;
    else paragraph = { text: plain, line: index + 1 };
  }
  end();
  return passages;
}

/**
 * Returns the lines, from 1, on which prose may not be longer than the limit: those of comments, and of paragraphs and
 * lists.
 */
export function proseLines(file: string, text: string): number[] {
  return file.endsWith(".md") ? documentLines(text) : commentLines(file, text);
}

function documentLines(text: string): number[] {
  const lines: number[] = [];
  let isCode = false;
  for (const [index, line] of text.split("\n").entries()) {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    if (!isCode && !isFence && !/^\s*\|/.test(line)) lines.push(index + 1);
  }
  return lines;
}

function commentLines(file: string, text: string): number[] {
  const lineAt = lineFinder(text);
  return parseSync(file, text).comments.flatMap(({ start, end }) => {
    const first = lineAt(start);
    return Array.from({ length: lineAt(end) - first + 1 }, (_, index) => first + index);
  });
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
