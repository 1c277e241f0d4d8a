import { groups, textOf, titleOf } from "./pages.ts";

/** Returns the first sentence of a page, without markup, links or a label such as **Decided.** */
function summaryOf(path: string): string {
  const paragraphs = textOf(path)
    .split(/\n\s*\n/)
    .filter((text) => /^(- )?[\p{L}`[*]/u.test(text))
    .map((text) =>
      text
        .replace(/^- /, "")
        .replace(/^\*\*[^*]+[.:]\*\*(\s+|$)/, "")
        .replaceAll(/\*\*|\[([^\]]*)\]\([^)]*\)/g, "$1")
        .replaceAll(/\s+/g, " ")
        .trim(),
    );
  const plain = paragraphs.find((text) => text !== "") ?? "";
  const [sentence = plain] = /^(?:`[^`]*`|[^`])*?[.:](?= |$)/.exec(plain) ?? [];
  return sentence.replace(/:$/, ".");
}

/** Returns the list of pages for language models (llmstxt.org): one line per page, with its first sentence. */
export function llmsText(): string {
  const [start] = groups;
  const lists = groups.map(({ title, paths }) => {
    const lines = paths.map((path) => `- [${titleOf(path)}](${path}): ${summaryOf(path)}`);
    return `## ${title === "Decisions" ? "Optional" : title}\n\n${lines.join("\n")}\n`;
  });
  return `# Manifold\n\n> ${summaryOf(start?.paths[0] ?? "")}\n\n${lists.join("\n")}`;
}

/** Returns the text of all pages, each preceded by a line with its path. */
export function llmsFullText(): string {
  const paths = groups.flatMap((group) => group.paths);
  return paths.map((path) => `<!-- ${path} -->\n\n${textOf(path).trim()}\n`).join("\n");
}
