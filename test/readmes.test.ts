import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import * as assert from "uvu/assert";
import { suite } from "./support/suite.ts";

const root = join(import.meta.dirname, "..");

/**
 * Maximum number of words in a folder's README. A README says what is in the folder. Longer text belongs in docs/, and
 * reasons belong in docs/decisions/.
 */
const mostWords = 330;

/** Pages that may be longer: the project's main page and the page of benchmarks. */
const longOnes = new Set(["README.md", "test/bench/README.md"]);

const folders = readdirSync(root, { withFileTypes: true }).filter(
  ({ name }) => !name.startsWith(".") && name !== "node_modules" && name !== "dist",
);
const pages = folders
  .flatMap((entry) =>
    entry.isDirectory()
      ? readdirSync(join(root, entry.name), { recursive: true, encoding: "utf8" }).map((path) =>
          join(entry.name, path),
        )
      : [entry.name],
  )
  .filter((path) => path.endsWith(".md") && !path.includes("node_modules"));

const linkTarget = /\]\(([^)\s]+)\)/g;

function countWords(text: string): number {
  const words = text.replace(linkTarget, "]").split(/\s+/);
  return words.filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** Returns the anchors of a page's headings, as GitHub creates them. */
function anchorsOf(path: string): ReadonlySet<string> {
  const headings = readFileSync(path, "utf8").matchAll(/^#+ (.*)$/gm);
  return new Set(
    Array.from(headings, ([, title = ""]) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replace(/\s/g, "-"),
    ),
  );
}

suite("README.md", (test) => {
  test("every folder's README has at most 330 words, not counting the targets of links", () => {
    const readmes = pages.filter(
      (path) => path.endsWith("README.md") && !longOnes.has(path.replaceAll("\\", "/")),
    );
    assert.ok(readmes.length > 20);
    const long = readmes
      .map((path) => ({ path, count: countWords(readFileSync(join(root, path), "utf8")) }))
      .filter(({ count }) => count > mostWords)
      .map(({ path, count }) => `${path}: ${count}; move longer text to docs/`);
    assert.equal(long, []);
  });

  test("every Markdown link within the project leads to an existing file and heading", () => {
    const broken: string[] = [];
    let linkCount = 0;
    for (const page of pages)
      for (const [, target = ""] of readFileSync(join(root, page), "utf8").matchAll(linkTarget)) {
        if (/^[a-z]+:/.test(target)) continue;
        linkCount += 1;
        const [path = "", anchor] = target.split("#");
        const file = path === "" ? join(root, page) : join(root, dirname(page), path);
        if (!existsSync(file)) broken.push(`${page}: ${target}`);
        else if (anchor && !anchorsOf(file).has(anchor))
          broken.push(`${page}: ${relative(root, file)} has no heading #${anchor}`);
      }
    assert.ok(linkCount > 100);
    assert.equal(broken, []);
  });
});
