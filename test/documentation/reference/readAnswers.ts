import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "../../../docs/.vitepress/pages.ts";

/** The folder of the reference. */
export const folder = "docs/reference";

/** Matches a heading, or an answer below it. */
const part = /^#+ (?<heading>.+)$|^```(?:json|text) reference\n(?<answer>[^]*?)\n```$/gm;

/**
 * Reads the answers of all examples from the committed pages, by the page and the heading above them. Pages can be
 * written with these answers, without a host.
 */
export function readAnswers(): ReadonlyMap<string, string> {
  const answers = new Map<string, string>();
  const pages = existsSync(join(root, folder)) ? globSync("*.md", { cwd: join(root, folder) }) : [];
  for (const page of pages) {
    let heading = "";
    for (const { groups } of readFileSync(join(root, folder, page), "utf8").matchAll(part))
      if (groups?.["heading"] !== undefined) heading = groups["heading"].replaceAll("`", "");
      else answers.set(`${basename(page, ".md")} ${heading}`, groups?.["answer"] ?? "");
  }
  return answers;
}
