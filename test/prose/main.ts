/**
 * `npm run lint:prose [-- path …]`: prints each banned word and each line of prose that is too long, with what to write
 * instead. Without a path it checks everything; with `--wrap` it breaks long lines of comments and paragraphs first.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { checkProse } from "./checkProse.ts";
import { wrapProse } from "./wrapProse.ts";

const root = join(import.meta.dirname, "../..");
/** Folders of the root that others wrote, or a build. */
const notOurs = ["node_modules", "dist"];
const tops = readdirSync(root).filter((name) => !name.startsWith(".") && !notOurs.includes(name));
const given = process.argv.slice(2);
const mayWrap = given.includes("--wrap");
const paths = given.filter((argument) => !argument.startsWith("--"));

/** Everything in a folder, or the file itself. */
function filesBelow(path: string): string[] {
  const whole = join(root, path);
  const found = statSync(whole, { throwIfNoEntry: false });
  if (!found) return [];
  if (found.isFile()) return [path];
  return readdirSync(whole, { recursive: true, encoding: "utf8" }).map((file) => join(path, file));
}

/** Its offences are planted. */
const ownTest = "test/prose/checkProse.test.ts";

const files = (
  paths.length > 0 ? paths.map((path) => relative(root, join(process.cwd(), path))) : tops
)
  .flatMap(filesBelow)
  .filter((file) => /\.(?:ts|md)$/.test(file) && file !== ownTest)
  // Others wrote the packages below a folder.
  .filter((file) => !file.includes("node_modules"));
let offenceCount = 0;
for (const file of files) {
  const text = readFileSync(join(root, file), "utf8");
  const wrapped = mayWrap ? wrapProse(file, text) : text;
  if (wrapped !== text) writeFileSync(join(root, file), wrapped);
  for (const { line, found, better } of checkProse(file, wrapped)) {
    offenceCount++;
    process.stdout.write(`${file}:${line}  ${found}  →  ${better}\n`);
  }
}
process.stdout.write(`${files.length} files, ${offenceCount} to mend\n`);
if (offenceCount > 0) process.exitCode = 1;
