import { pages, textOf } from "../../docs/.vitepress/pages.ts";

/** A code block of a page. */
export interface Block {
  readonly page: string;
  /** The line number of the opening fence, starting at 1. */
  readonly line: number;
  /** The language of the block; empty for plain text. */
  readonly language: string;
  /** Words after the language: the check that reads the block, the test in this folder that runs it, or `not-run`. */
  readonly marks: readonly string[];
  readonly text: string;
}

const fence = /^( *)```(.*)$/;

/** Reads the code blocks of all pages, in order. The indentation of a fence in a list is removed from its block. */
export function readBlocks(): readonly Block[] {
  return pages.flatMap((page) => {
    const blocks: Block[] = [];
    let open: { line: number; indent: number; words: string[]; lines: string[] } | undefined;
    for (const [index, line] of textOf(page).split("\n").entries()) {
      const [matched, indent = "", info = ""] = fence.exec(line) ?? [];
      if (open && matched !== undefined) {
        const [language = "", ...marks] = open.words;
        blocks.push({ page, line: open.line, language, marks, text: open.lines.join("\n") });
        open = undefined;
      } else if (open) open.lines.push(line.slice(open.indent));
      else if (matched !== undefined)
        open = {
          line: index + 1,
          indent: indent.length,
          words: info.trim().split(/\s+/),
          lines: [],
        };
    }
    if (open) throw new Error(`${page}:${open.line}: the block of code does not end`);
    return blocks;
  });
}

export const placeOf = ({ page, line }: Block): string => `${page}:${line}`;

/** Returns the blocks of a page that are marked with the name of a test in this folder. */
export function blocksFor(page: string, testName: string): readonly Block[] {
  return readBlocks().filter((block) => block.page === page && block.marks.includes(testName));
}
