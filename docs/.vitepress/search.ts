import { dirname, posix, relative } from "node:path";
import type { DefaultTheme } from "vitepress";
import { addressOf, kindOf, pages, root, searchWeights, textOf } from "./pages.ts";

const index = "docs/HOW_TO.md";

/** The jobs of the how-to index, by the page and the heading that the index names for them. */
const jobs = new Map<string, string[]>();
for (const row of textOf(index).matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)) {
  const [, job = "", links = ""] = row;
  for (const [, target = ""] of links.matchAll(/\]\(([^)\s]+)\)/g)) {
    const [path = "", heading = ""] = target.split("#");
    const place = `${posix.join(dirname(index), path)}#${heading}`;
    jobs.set(place, [...(jobs.get(place) ?? []), job]);
  }
}

/** Returns a word as the index has it: in lower case, and without the s of a plural. */
const termOf = (term: string) => {
  const word = term.toLowerCase();
  return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
};

/** The weight of a page that `weightByAddress` does not list. Most pages are decisions or folders. */
const usualWeight = searchWeights.source;

/** The weight of each page that has another weight, by its address in the index. */
const weightByAddress = Object.fromEntries(
  pages
    .map((path) => [addressOf(path), searchWeights[kindOf(path)]] as const)
    .filter(([, weight]) => weight !== usualWeight)
    .map(([address, weight]) => [
      `/${address.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, ".html")}`,
      weight,
    ]),
);

/**
 * The options of the local search. VitePress sends functions to browsers as text, so they must not use anything from
 * this file: the weights become a part of the text.
 */
export const searchOptions: DefaultTheme.LocalSearchOptions = {
  miniSearch: {
    options: { processTerm: termOf },
    searchOptions: {
      processTerm: termOf,
      prefix: true,
      fuzzy: 0.15,
      boost: { title: 5, titles: 3, text: 1 },
      boostDocument: Function(
        "id",
        `return ${JSON.stringify(weightByAddress)}[id.split("#")[0]] ?? ${usualWeight};`,
      ) as (id: string) => number,
    },
  },
  // The jobs of the how-to index are found on the pages that it names for them.
  _render(source, env, markdown) {
    const html = markdown.render(source, env);
    const path = relative(root, env.path).replaceAll("\\", "/");
    return html.replaceAll(
      /(<h([1-3])[^>]*?id="([^"]*)".*?<\/h\2>)/gs,
      (whole, _, level: string, id: string) => {
        const found = [
          ...(jobs.get(`${path}#${id}`) ?? []),
          ...(level === "1" ? (jobs.get(`${path}#`) ?? []) : []),
        ];
        return found.length > 0 ? `${whole}<p>${found.join(". ")}</p>` : whole;
      },
    );
  },
};
