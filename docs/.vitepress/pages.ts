import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const root = join(import.meta.dirname, "../..");

/** Folders whose files are not ours. */
export const leftOut = ["node_modules", "dist", ".manifold"];

/** Paths of all pages: the pages of `docs`, and the READMEs of folders. */
export const pages: readonly string[] = globSync("**/*.md", {
  cwd: root,
  exclude: (path) => path.split(/[/\\]/).some((part) => leftOut.includes(part)),
})
  .map((path) => path.replaceAll("\\", "/"))
  .toSorted();

/** The page with which the site opens. */
export const landing = "docs/README.md";

/** Returns the address of a page: a README is the page of its folder, and the site opens with the one of `docs`. */
export function addressOf(path: string): string {
  if (path === landing) return "index.md";
  return path === "README.md" ? "overview.md" : path.replace(/\/README\.md$/, "/index.md");
}

export const textOf = (path: string): string => readFileSync(join(root, path), "utf8");

export const titleOf = (path: string): string => /^# (.*)$/m.exec(textOf(path))?.[1] ?? path;

const isIndex = (path: string) => path.endsWith("/index.md");
const within = (folder: string) => pages.filter((path) => dirname(path) === folder);
const below = (folder: string) => pages.filter((path) => path.startsWith(`${folder}/`));

interface Group {
  readonly title: string;
  readonly paths: readonly string[];
}

const docs = (...names: readonly string[]) => names.map((name) => `docs/${name}.md`);

/** Pages for people who use Manifold, by kind, each in the order in which a reader needs them. */
const kinds: readonly Group[] = [
  {
    title: "Tutorials",
    paths: docs("tutorials/FIRST_CHART", "tutorials/EMBED_A_DASHBOARD", "tutorials/FIRST_PLUGIN"),
  },
  {
    title: "How-to",
    paths: docs(
      "HOW_TO",
      "EMBEDDING",
      "CUSTOM_CHARTS",
      "EXPORTS",
      "RUNNING",
      "OPERATIONS",
      "SIGN_ON",
      "TRANSFER",
      "CONSOLE",
    ),
  },
  {
    title: "Concepts",
    paths: docs("ARCHITECTURE", "SECURITY_MODEL", "ENGINE", "ASSISTANT"),
  },
  {
    title: "Reference",
    paths: docs(
      "QUERIES",
      "EXPRESSIONS",
      "PLUGINS",
      "SETTINGS",
      "TOKENS",
      "LIMITS",
      "VERSIONS",
      "GLOSSARY",
    ),
  },
];
const kindPaths = new Set(kinds.flatMap(({ paths }) => paths));

const named: readonly Group[] = [
  {
    title: "Start",
    paths: ["README.md", landing, "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"],
  },
  ...kinds,
  {
    title: "Guides",
    paths: within("docs").filter((path) => path !== landing && !kindPaths.has(path)),
  },
  { title: "Connectors", paths: [...within("docs/connectors"), ...below("connectors")] },
  { title: "Core", paths: below("core") },
  { title: "Plugins", paths: below("plugins") },
  { title: "Engine", paths: below("engine") },
  { title: "Examples and tests", paths: [...below("examples"), ...below("test")] },
  {
    title: "Decisions",
    paths: within("docs/decisions").toSorted((a, b) => Number(isIndex(b)) - Number(isIndex(a))),
  },
].filter(({ paths }) => paths.length > 0);

const grouped = new Set(named.flatMap(({ paths }) => paths));
const others = pages.filter((path) => !grouped.has(path));

/** The groups of pages in the order of the side bar. */
export const groups: readonly Group[] = [
  ...named,
  ...(others.length > 0 ? [{ title: "More", paths: others }] : []),
];
