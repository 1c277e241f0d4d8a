import { parseSync } from "oxc-parser";
import { columnCount } from "./checkProse.ts";

/**
 * Breaks long lines in a file's comments, or in a document's paragraphs and list items. Shorter lines do not change.
 */
export function wrapProse(file: string, text: string): string {
  return file.endsWith(".md") ? wrapDocument(text) : wrapComments(file, text);
}

function wrapComments(file: string, text: string): string {
  let wrapped = text;
  for (const { type, start, end } of parseSync(file, text).comments.toReversed()) {
    const lineStart = text.lastIndexOf("\n", start) + 1;
    const before = text.slice(lineStart, start);
    // Comments after code on the same line are not wrapped.
    if (before.trim() !== "") continue;
    const comment = text.slice(start, end);
    const lines = comment.split("\n");
    if (
      lines.every((line, index) => line.length + (index === 0 ? before.length : 0) <= columnCount)
    )
      continue;
    const mended = type === "Line" ? wrapLine(comment, before, "// ") : wrapBlock(comment, before);
    wrapped = wrapped.slice(0, start) + mended + wrapped.slice(end);
  }
  return wrapped;
}

const wrapLine = (comment: string, indent: string, margin: string) =>
  fill(comment.replace(/^\/\/\s*/, ""), indent + margin)
    .join("\n")
    .slice(indent.length);

function wrapBlock(comment: string, indent: string): string {
  const opening = /^\/\*+/.exec(comment)?.[0] ?? "/*";
  const lines = comment
    .slice(opening.length, -2)
    .split("\n")
    .map((line, index) => line.replace(index === 0 ? /^\s+/ : /^\s*\* ?/, "").trimEnd());
  if (lines[0]?.trim() === "") lines.shift();
  if (lines.at(-1)?.trim() === "") lines.pop();
  const mended = refill(lines, `${indent} * `);
  return [opening, ...mended, `${indent} */`].join("\n");
}

function wrapDocument(text: string): string {
  let isCode = false;
  const blocks: { readonly lines: string[]; readonly isProse: boolean }[] = [];
  for (const line of text.split("\n")) {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    const isProse = !isCode && !isFence && !/^\s*(?:[|#<]|$)/.test(line);
    const last = blocks.at(-1);
    if (isProse && last?.isProse && !startsItem.test(line)) last.lines.push(line);
    else blocks.push({ lines: [line], isProse });
  }
  return blocks
    .flatMap(({ lines, isProse }) => {
      if (!isProse || lines.every((line) => line.length <= columnCount)) return lines;
      const margin = /^\s*(?:[-*+] |\d+\. |> )?/.exec(lines[0] ?? "")?.[0] ?? "";
      const rest = margin.includes(">") ? margin : " ".repeat(margin.length);
      const words = lines
        .join("\n")
        .slice(margin.length)
        .replace(/\n\s*(?:> )?/g, " ");
      const filled = fill(words, rest);
      return filled.map((line, index) => (index === 0 ? margin + line.slice(rest.length) : line));
    })
    .join("\n");
}

const startsItem = /^\s*(?:[-*+] |\d+\. |> )/;

/** Wraps the paragraphs of a comment that contain a long line, and does not change the other paragraphs. */
function refill(lines: readonly string[], margin: string): string[] {
  const paragraphs: string[][] = [];
  for (const [index, line] of lines.entries()) {
    const isNew =
      index === 0 ||
      /^\s*(?:@|[-*+] |\d+\. |```|\||$)/.test(line) ||
      lines[index - 1]?.trim() === "";
    if (isNew) paragraphs.push([]);
    paragraphs.at(-1)?.push(line);
  }
  return paragraphs.flatMap((paragraph) =>
    paragraph.every((line) => margin.length + line.length <= columnCount)
      ? paragraph.map((line) => (margin + line).trimEnd())
      : fill(paragraph.map((line) => line.trim()).join(" "), margin),
  );
}

/**
 * Splits words into lines within the limit and adds the margin to each line. A word that is longer than the limit gets
 * its own line.
 */
function fill(text: string, margin: string): string[] {
  const lines: string[] = [];
  // A dash or a number at the beginning of a line would start a list in Markdown.
  for (const word of text.trim().split(/\s+(?!(?:[-+*#>|]|\d+\.)(?:\s|$))/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columnCount)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(margin + word);
  }
  return lines;
}
