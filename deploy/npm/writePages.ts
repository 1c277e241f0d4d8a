import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const root = join(import.meta.dirname, "../..");

/** The pages and examples that a package contains, as patterns of paths in the tree. */
export interface PageSet {
  readonly with: readonly string[];
  readonly without?: readonly string[];
  /** Folders whose files have another path in the package. */
  readonly renamed?: Readonly<Record<string, string>>;
}

/** The pages for the readers of each package, next to its README (`deploy/npm/<package>.md`). */
export const pageSets: Readonly<Record<string, PageSet>> = {
  host: {
    with: [
      "docs/**/*.md",
      "docs/operations/*",
      "examples/{connectors,three-sources}/*",
      "examples/support/*",
    ],
    // Pages for people who change Manifold itself, and the landing page of the site.
    without: [
      "docs/README.md",
      "docs/{ARCHITECTURE,CONSOLE,ENGINE}.md",
      "docs/decisions/**",
      "docs/node_modules/**",
      "docs/.vitepress/**",
      "docs/operations/*.test.yml",
    ],
  },
  plugin: {
    with: [
      "docs/{PLUGINS,QUERIES,EXPRESSIONS,GLOSSARY}.md",
      "docs/**/*{PLUGIN,plugin}*.md",
      "examples/{minimal,python}-plugin/*",
      "examples/sql-connector/pgliteConnector.ts",
      "plugins/python/{README.md,pyproject.toml}",
      "plugins/python/src/manifold_plugin/*.{py,typed}",
    ],
    without: ["docs/decisions/**", "docs/node_modules/**"],
    // `pip install` accepts this folder.
    renamed: { "plugins/python": "python" },
  },
  client: {
    with: [
      "docs/{QUERIES,EXPRESSIONS,TOKENS,LIMITS,GLOSSARY}.md",
      "docs/how-to/*.md",
      "docs/reference/*.md",
    ],
  },
  embed: {
    with: [
      "docs/{EMBEDDING,CUSTOM_CHARTS,EXPORTS,TOKENS}.md",
      "docs/how-to/{SET_UP,CREATE_TOKENS,ROW_FILTERS,FILTER_GROUP,THEMES_AND_LANGUAGES}.md",
      "docs/tutorials/*EMBED*.md",
      "docs/tutorials/{EXPRESS,NEXT}_APP.md",
      "examples/embed/pages/{react,vue,angular}/*.{ts,tsx,vue}",
      "examples/{express,next}-app/{README.md,package.json,tsconfig.json,next.config.ts}",
      "examples/{express,next}-app/{src,public}/**/*.{ts,tsx,js,css}",
    ],
  },
};

const fenced = /^```[\s\S]*?^```$/m;
const link = /(!?)\[([^\]]*)\]\(([^)\s]+)\)/g;

/** Returns the target of a link as a path in the tree; undefined for a URL, or for a link within the same page. */
function pathOf(page: string, target: string): string | undefined {
  if (/^([a-z][a-z+.-]*:|#)/i.test(target)) return undefined;
  const path = join(dirname(page), target.replace(/#.*$/, ""));
  return existsSync(join(root, path, "README.md")) ? join(path, "README.md") : path;
}

/** Returns the text that replaces a link. A reader of the package does not know a bare path of the tree. */
function textOfLink(words: string): string {
  const path = words.replaceAll("`", "");
  return /^[\w.-]+(\/[\w.-]+)+$/.test(path) ? `\`${path}\` in Manifold's source code` : words;
}

/** Splits a page into prose and code blocks, which alternate. */
const splitBlocks = (text: string): readonly string[] =>
  text.split(new RegExp(`(${fenced.source})`, "gm"));

/**
 * Rewrites the links of a page for a package. `moved` maps the path of each file in the tree to its path in the
 * package. A link to any other file is replaced by the text of the link, and a picture that is not in the package is
 * removed.
 */
export function rewriteLinks(
  text: string,
  page: string,
  moved: ReadonlyMap<string, string>,
): string {
  const from = moved.get(page) ?? page;
  const rewritten = splitBlocks(text).map((block, index) =>
    index % 2 === 1
      ? block
      : block.replaceAll(link, (whole, bang: string, words: string, target: string) => {
          const path = pathOf(page, target);
          if (path === undefined) return whole;
          const there = moved.get(path);
          if (there === undefined) return bang === "" ? textOfLink(words) : "";
          const [, anchor = ""] = /(#.*)$/.exec(target) ?? [];
          return `${bang}[${words}](${relative(dirname(from), there)}${anchor})`;
        }),
  );
  return rewritten.join("");
}

function picturesOf(page: string): readonly string[] {
  const prose = splitBlocks(readFileSync(join(root, page), "utf8")).filter((_, at) => at % 2 === 0);
  return Array.from(prose.join("").matchAll(link))
    .filter(([, bang]) => bang === "!")
    .flatMap(([, , , target = ""]) => pathOf(page, target) ?? [])
    .filter((path) => existsSync(join(root, path)));
}

/** Writes the README of a package, its pages with their pictures, and its examples. */
export function writePages(name: string, to: string): void {
  const { with: patterns, without = [], renamed = {} } = pageSets[name] ?? { with: [] };
  const left = new Set(without.flatMap((pattern) => globSync(pattern, { cwd: root })));
  const readme = `deploy/npm/${name}.md`;
  const found = patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !left.has(path));
  const pages = [readme, ...found.filter((path) => path.endsWith(".md"))];
  const pathIn = (path: string) => {
    const [folder, there] =
      Object.entries(renamed).find(([each]) => path.startsWith(`${each}/`)) ?? [];
    return folder === undefined ? path : `${there}${path.slice(folder.length)}`;
  };
  const moved = new Map([
    ...[...found, ...pages.flatMap(picturesOf)].map((path) => [path, pathIn(path)] as const),
    ...["LICENSE", "CHANGELOG.md", "SECURITY.md"].map((path) => [path, path] as const),
    [readme, "README.md"] as const,
  ]);
  for (const [path, there] of moved) {
    const target = join(to, there);
    mkdirSync(dirname(target), { recursive: true });
    if (path.endsWith(".md"))
      writeFileSync(target, rewriteLinks(readFileSync(join(root, path), "utf8"), path, moved));
    else cpSync(join(root, path), target);
  }
}
