import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const root = join(import.meta.dirname, "../..");

/** Folders of files that do not belong to this repository. */
export const leftOut = ["node_modules", "dist", ".manifold"];

/** Paths of all pages: the pages of `docs`, and the READMEs of folders. */
export const pages: readonly string[] = globSync("**/*.md", {
  cwd: root,
  exclude: (path) => path.split(/[/\\]/).some((part) => leftOut.includes(part)),
})
  .map((path) => path.replaceAll("\\", "/"))
  .toSorted();

/** The landing page of the site. */
export const landing = "docs/README.md";

/**
 * Returns the address of a page. A README gets the address of its folder, and the README of `docs` is the landing page.
 */
export function addressOf(path: string): string {
  if (path === landing) return "index.md";
  return path === "README.md" ? "overview.md" : path.replace(/\/README\.md$/, "/index.md");
}

export const textOf = (path: string): string => readFileSync(join(root, path), "utf8");

export const titleOf = (path: string): string => /^# (.*)$/m.exec(textOf(path))?.[1] ?? path;

/** Whether the other pages of a folder assume that the reader has read this page. */
const isIndex = (path: string) => /\/(README|SET_UP|index)\.md$/.test(path);
const indexFirst = (paths: readonly string[]) =>
  paths.toSorted((one, other) => Number(isIndex(other)) - Number(isIndex(one)));
const within = (folder: string) => pages.filter((path) => dirname(path) === folder);
const below = (folder: string) => pages.filter((path) => path.startsWith(`${folder}/`));

/** A group of pages in the side bar, in the order in which a reader needs them. */
export interface Group {
  readonly title: string;
  readonly paths: readonly string[];
}

const docs = (...names: readonly string[]) => names.map((name) => `docs/${name}.md`);
const existing = (paths: readonly string[]) => paths.filter((path) => pages.includes(path));

/** The pages for people who do something with Manifold, by role. */
const roles: readonly Group[] = [
  {
    title: "Start here",
    paths: ["README.md", landing, ...docs("tutorials/FIRST_CHART", "HOW_TO")],
  },
  {
    title: "Embed in your product",
    paths: docs(
      "tutorials/EMBED_A_DASHBOARD",
      "tutorials/EXPRESS_APP",
      "tutorials/NEXT_APP",
      "EMBEDDING",
      "TOKENS",
      "EVENTS",
      "EXPORTS",
      "CUSTOM_CHARTS",
      "TRANSFER",
    ),
  },
  {
    title: "Write a plugin",
    paths: [
      ...docs(
        "tutorials/FIRST_PLUGIN",
        "tutorials/PYTHON_PLUGIN",
        "PLUGINS",
        "PUBLISH_A_PLUGIN",
        "registry/README",
      ),
      "plugins/python/README.md",
      ...docs("PLUGIN_PROTOCOL"),
    ],
  },
  { title: "At home", paths: docs("tutorials/AT_HOME", "AT_HOME") },
  {
    title: "Run a host",
    paths: [
      ...docs("RUNNING"),
      "deploy/README.md",
      ...docs("SIGN_ON", "OPERATIONS", "SETTINGS", "LIMITS", "VERSIONS"),
      "SECURITY.md",
      "CHANGELOG.md",
    ],
  },
];

/** The role whose pages in docs/tutorials and docs/how-to no other role names. */
const ownerOfOthers = "Embed in your product";
const namedByRoles = new Set(roles.flatMap(({ paths }) => paths));
const unnamed = [...within("docs/tutorials"), ...indexFirst(within("docs/how-to"))].filter(
  (path) => !namedByRoles.has(path),
);

/** Adds the pages that no role names to the role that owns them, after its first tutorial. */
function completed({ title, paths }: Group): Group {
  const [first = "", ...rest] = existing(paths);
  return { title, paths: [first, ...(title === ownerOfOthers ? unnamed : []), ...rest] };
}

const concepts = docs("ARCHITECTURE", "SECURITY_MODEL", "ENGINE", "ASSISTANT");
const reference = docs(
  "CONTRACT",
  "QUERIES",
  "EXPRESSIONS",
  "reference/index",
  "reference/charts",
  "reference/errors",
  "reference/paths",
  "reference/types",
  "GLOSSARY",
);

const listed: readonly Group[] = [
  ...roles.map(completed),
  { title: "Concepts", paths: existing(concepts) },
  {
    title: "Reference",
    paths: [...existing(reference), ...within("docs/connectors")],
  },
  { title: "API by resource", paths: indexFirst(within("docs/reference")) },
  {
    title: "Decisions",
    paths: indexFirst(within("docs/decisions")),
  },
  { title: "Change Manifold", paths: docs("CONSOLE").concat("CONTRIBUTING.md") },
  { title: "Examples", paths: below("examples") },
  {
    title: "Source folders",
    paths: ["core", "plugins", "engine", "connectors", "deploy", "test"].flatMap(below),
  },
];

/**
 * Returns the groups with each page only in the first group that lists it, and the other pages in groups of their own.
 */
function withoutRepeats(groupsOfPages: readonly Group[]): readonly Group[] {
  const seen = new Set<string>();
  const taken = groupsOfPages.map(({ title, paths }) => ({
    title,
    paths: paths.filter((path) => !seen.has(path) && seen.add(path)),
  }));
  const others = pages.filter((path) => !seen.has(path));
  return [...taken, { title: "More", paths: others }].filter(({ paths }) => paths.length > 0);
}

/** The groups of pages in the order of the side bar: by role, then concepts, reference, decisions and the source. */
export const groups: readonly Group[] = withoutRepeats(listed);

/** How-to pages outside docs/how-to and docs/connectors. */
const guides = new Set([
  "README.md",
  ...docs(
    "AT_HOME",
    "CUSTOM_CHARTS",
    "EMBEDDING",
    "EVENTS",
    "EXPORTS",
    "HOW_TO",
    "OPERATIONS",
    "PUBLISH_A_PLUGIN",
    "RUNNING",
    "SIGN_ON",
    "TRANSFER",
  ),
  "plugins/python/README.md",
  "deploy/README.md",
]);

/** What a page is for, from which the search derives its rank. */
export type PageKind = "guide" | "reference" | "concept" | "decision" | "source";

/** Returns what a page is for: to do a job, to look up, to understand, to know a reason, or to read the source. */
export function kindOf(path: string): PageKind {
  if (/^docs\/(tutorials|how-to|connectors)\//.test(path) || guides.has(path)) return "guide";
  if (path.startsWith("docs/decisions/") || path === "CHANGELOG.md") return "decision";
  if (path.startsWith("docs/")) return concepts.includes(path) ? "concept" : "reference";
  return path.startsWith("examples/") ? "reference" : "source";
}

/** How much the score of a page counts, by what the page is for. */
export const searchWeights: Readonly<Record<PageKind, number>> = {
  guide: 3,
  reference: 1.6,
  concept: 1.2,
  decision: 0.4,
  source: 0.4,
};
