import { pages, textOf } from "../../docs/.vitepress/pages.ts";

/** A block of code of a page. */
export interface Block {
  readonly page: string;
  /** The line of its fence, from 1. */
  readonly line: number;
  /** Empty for text. */
  readonly language: string;
  /** Words after the language: who reads the block, the test of this folder that runs it, or `not-run`. */
  readonly marks: readonly string[];
  readonly text: string;
}

const fence = /^( *)```(.*)$/;

/** Reads the blocks of code of every page, in order. A block in a list loses the indent of its fence. */
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

/** Returns the blocks of a page that name a test of this folder as the one that runs them. */
export function blocksFor(page: string, testName: string): readonly Block[] {
  return readBlocks().filter((block) => block.page === page && block.marks.includes(testName));
}
