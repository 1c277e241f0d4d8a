import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { llmsFullText, llmsText } from "./llms.ts";
import { root } from "./pages.ts";

// `npm run llms` writes llms.txt to the repository. If a folder is passed, as in `npm run docs`, this script writes
// llms.txt and llms-full.txt to that folder.
const [, , folder] = process.argv;
writeFileSync(join(folder ?? root, "llms.txt"), llmsText());
if (folder !== undefined) writeFileSync(join(folder, "llms-full.txt"), llmsFullText());
