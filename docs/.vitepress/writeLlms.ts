import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { llmsFullText, llmsText } from "./llms.ts";
import { root } from "./pages.ts";

// `npm run llms` writes llms.txt. With a folder, as in `npm run docs`, it writes llms.txt and llms-full.txt to that
// folder.
const [, , folder] = process.argv;
writeFileSync(join(folder ?? root, "llms.txt"), llmsText());
if (folder !== undefined) writeFileSync(join(folder, "llms-full.txt"), llmsFullText());
