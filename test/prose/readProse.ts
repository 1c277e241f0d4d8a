import { parseSync, Visitor } from "oxc-parser";

/** A piece of text in a file. */
export interface Passage {
  /** A `message` is any string of three or more words that is not a title, even if it is SQL, markup or data. */
  readonly kind: "comment" | "title" | "message" | "document" | "name";
  readonly text: string;
  /** The number of the line with the first character, starting at 1. */
  readonly line: number;
}

/** Functions whose first argument is the title of a test or suite. */
const titled = /^(?:test|declare|(?:\w+)?[sS]uite)$/;

/** Returns the comments, titles, messages and names in a TypeScript file. */
export function readSource(file: string, text: string): Passage[] {
  const lineAt = lineFinder(text);
  const passages: Passage[] = [];
  const titles = new Set<number>();
  const { comments, program } = parseSync(file, text);
  for (const { value, start } of comments) {
    if (/^\s*(?:oxlint|@ts|eslint|#region|oxfmt)/.test(value)) continue;
    passages.push({ kind: "comment", text: value, line: lineAt(start) });
  }
  const add = (value: string, start: number) => {
    if (!/\S\s+\S+\s+\S/.test(value)) return;
    const kind = titles.has(start) ? "title" : "message";
    passages.push({ kind, text: value, line: lineAt(start) });
  };
  new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      const called = callee.type === "MemberExpression" ? callee.object : callee;
      if (title && called.type === "Identifier" && titled.test(called.name))
        titles.add(title.start);
    },
    Literal(node) {
      if (typeof node.value === "string") add(node.value, node.start);
    },
    TemplateLiteral(node) {
      add(node.quasis.map(({ value }) => value.cooked ?? "").join("…"), node.start);
    },
    Identifier(node) {
      passages.push({ kind: "name", text: node.name, line: lineAt(node.start) });
    },
  }).visit(program);
  return passages;
}

/** Returns the paragraphs, headings, list items and table rows of a Markdown file, without code. */
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
 * Returns the numbers of the lines, starting at 1, that contain a source's comments, or a document's paragraphs and
 * lists. Only these lines have a maximum length.
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
