/** Maximum number of characters read from markup. */
const longest = 50_000;

const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  nbsp: " ",
  "#39": "'",
};

/** A paragraph or heading as plain text. */
export interface Paragraph {
  /** Heading level 1 to 3; 0 for other text. */
  readonly heading: number;
  readonly shown: string;
}

const hidden = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffc]/gu;

/**
 * Reads the paragraphs of markup as plain text. Tags are removed, along with the contents of scripts and styles. The
 * result must never be inserted as markup. O(length), for at most 50,000 characters.
 */
export function readParagraphs(markup: string): Paragraph[] {
  const source = markup.slice(0, longest);
  const paragraphs: Paragraph[] = [];
  let heading = 0;
  let shown = "";
  let skipped: string | undefined;
  const end = () => {
    const clean = shown.toWellFormed().replaceAll(/\s+/g, " ").replaceAll(hidden, "").trim();
    if (clean !== "") paragraphs.push({ heading, shown: clean });
    shown = "";
  };
  let at = 0;
  while (at < source.length) {
    const open = source.indexOf("<", at);
    const textEnd = open === -1 ? source.length : open;
    if (skipped === undefined) shown += decoded(source.slice(at, textEnd));
    if (open === -1) break;
    const name = /^<(\/?)([a-z][a-z\d]*)/i.exec(source.slice(open, open + 32));
    if (!name) {
      if (skipped === undefined) shown += "<";
      at = open + 1;
      continue;
    }
    const close = source.indexOf(">", open);
    const tag = (name[2] ?? "").toLowerCase();
    const isEnd = name[1] === "/";
    if (tag === "script" || tag === "style") skipped = isEnd ? undefined : tag;
    else if (skipped === undefined) {
      if (/^(p|div|br|li|ul|ol|h[1-6]|tr|table|blockquote)$/.test(tag)) end();
      const level = /^h([1-6])$/.exec(tag)?.[1];
      if (level !== undefined) heading = isEnd ? 0 : Math.min(3, Number(level));
      else if (tag === "li" && !isEnd) shown += "• ";
    }
    if (close === -1) break;
    at = close + 1;
  }
  end();
  return paragraphs;
}

function decoded(shown: string): string {
  return shown.replaceAll(/&(#?\w{1,8});/g, (all, name: string) => named[name] ?? all);
}
