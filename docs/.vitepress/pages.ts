import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const root = join(import.meta.dirname, "../..");

/** Folders of files that others made. */
export const leftOut = ["node_modules", "dist", ".manifold"];

/** Every page of the repository, by its path: the pages of `docs`, and the READMEs of folders. */
export const pages: readonly string[] = globSync("**/*.md", {
  cwd: root,
  exclude: (path) => path.split(/[/\\]/).some((part) => leftOut.includes(part)),
})
  .map((path) => path.replaceAll("\\", "/"))
  .toSorted();

/** The README of a folder is its page. */
export const addressOf = (path: string): string => path.replace(/(^|\/)README\.md$/, "$1index.md");

export const textOf = (path: string): string => readFileSync(join(root, path), "utf8");

export const titleOf = (path: string): string => /^# (.*)$/m.exec(textOf(path))?.[1] ?? path;

const within = (folder: string) => pages.filter((path) => dirname(path) === folder);
const below = (folder: string) => pages.filter((path) => path.startsWith(`${folder}/`));

interface Group {
  readonly title: string;
  readonly paths: readonly string[];
}

/** Guides in the order in which a reader needs them: to ask, to show, to run, to know how it works. */
const guides = [
  "QUERIES",
  "EXPRESSIONS",
  "PLUGINS",
  "EMBEDDING",
  "CUSTOM_CHARTS",
  "EXPORTS",
  "ASSISTANT",
  "RUNNING",
  "OPERATIONS",
  "TOKENS",
  "SIGN_ON",
  "LIMITS",
  "TRANSFER",
  "VERSIONS",
  "ARCHITECTURE",
  "ENGINE",
  "CONSOLE",
  "GLOSSARY",
].map((name) => `docs/${name}.md`);

const named: readonly Group[] = [
  { title: "Start", paths: ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"] },
  {
    title: "Guides",
    paths: [...guides, ...within("docs").filter((path) => !guides.includes(path))],
  },
  { title: "Connectors", paths: [...within("docs/connectors"), ...below("connectors")] },
  { title: "Core", paths: below("core") },
  { title: "Plugins", paths: below("plugins") },
  { title: "Engine", paths: below("engine") },
  { title: "Examples and tests", paths: [...below("examples"), ...below("test")] },
  { title: "Decisions", paths: within("docs/decisions") },
];

const grouped = new Set(named.flatMap(({ paths }) => paths));
const others = pages.filter((path) => !grouped.has(path));

/** The groups of pages, in the order in which a reader meets them. */
export const groups: readonly Group[] = [
  ...named,
  ...(others.length > 0 ? [{ title: "More", paths: others }] : []),
];
