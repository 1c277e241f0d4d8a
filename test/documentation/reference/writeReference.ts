import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../docs/.vitepress/pages.ts";
import { folder, readAnswers } from "./readAnswers.ts";
import { writePages } from "./writePages.ts";

// Writes the pages of the API reference. With `--pages` it keeps the answers of the committed pages, and needs no host.
const answers = process.argv.includes("--pages") ? readAnswers() : await runAll();
mkdirSync(join(root, folder), { recursive: true });
for (const [path, text] of writePages(answers)) writeFileSync(join(root, path), text);

/** Runs the examples on a host. */
async function runAll(): Promise<ReadonlyMap<string, string>> {
  const { recordAnswers } = await import("./recordAnswers.ts");
  return recordAnswers();
}
