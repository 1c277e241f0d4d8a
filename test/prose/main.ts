/**
 * `npm run lint:prose [-- path …]` prints each problem in our prose and how to fix it: words that the glossary has
 * replaced, misspelled words, references to reviews and issues, orphaned doc comments, and long lines. Without a path
 * it checks all files. With `--wrap` it first breaks long lines in comments and paragraphs.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { checkProse, type ProseRules } from "./checkProse.ts";
import { withoutReplaced } from "./replacedWords.ts";
import { dictionaryFile, glossaryFile, readRules } from "./readRules.ts";
import { wrapProse } from "./wrapProse.ts";

const root = join(import.meta.dirname, "../..");
const given = process.argv.slice(2);
const mayWrap = given.includes("--wrap");
const paths = given.filter((argument) => !argument.startsWith("--"));

/** Lists the files below the given paths that git does not ignore. */
function filesBelow(...below: readonly string[]): string[] {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "--", ...below];
  const listed = execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 });
  return [...new Set(listed.trim().split("\n"))].filter((file) => existsSync(join(root, file)));
}

const hashOf = (text: string) => createHash("sha1").update(text).digest("base64");

/** A cache of the hashes of files in which no problem was found. A hash covers the contents of a file and the rules. */
const cacheFile = join(root, "node_modules/.cache/manifold-prose.json");
const rulesHash = hashOf(
  [
    dictionaryFile,
    glossaryFile,
    join(root, "package-lock.json"),
    ...filesBelow("test/prose").map((file) => join(root, file)),
  ]
    .map((file) => readFileSync(file, "utf8"))
    .join("\n"),
);

function readCache(): Record<string, string> {
  try {
    const cache = JSON.parse(readFileSync(cacheFile, "utf8")) as {
      readonly rulesHash: string;
      readonly hashes: Record<string, string>;
    };
    return cache.rulesHash === rulesHash ? cache.hashes : {};
  } catch {
    // This is the first run, or the file was truncated.
    return {};
  }
}

const hashes = readCache();
/** The file that tests this check. It is skipped, because it contains planted problems. */
const ownTest = "test/prose/checkProse.test.ts";
const files = filesBelow(
  ...(paths.length > 0 ? paths.map((path) => relative(root, resolve(path))) : ["."]),
).filter((file) => /\.(?:ts|md)$/.test(file) && file !== ownTest);
let rules: ProseRules | undefined;
let problemCount = 0;
for (const file of files) {
  const text = readFileSync(join(root, file), "utf8");
  const wrapped = mayWrap ? wrapProse(file, text) : text;
  if (wrapped !== text) writeFileSync(join(root, file), wrapped);
  const hash = hashOf(wrapped);
  if (hashes[file] === hash) continue;
  rules ??= readRules();
  const checked = join(root, file) === glossaryFile ? withoutReplaced(wrapped) : wrapped;
  const problems = checkProse(file, checked, rules);
  for (const { line, found, better } of problems)
    process.stdout.write(`${file}:${line}  ${found}  →  ${better}\n`);
  problemCount += problems.length;
  if (problems.length === 0) hashes[file] = hash;
  else delete hashes[file];
}
mkdirSync(dirname(cacheFile), { recursive: true });
writeFileSync(cacheFile, JSON.stringify({ rulesHash, hashes }));
process.stdout.write(`${files.length} files, ${problemCount} problems\n`);
if (problemCount > 0) process.exitCode = 1;
