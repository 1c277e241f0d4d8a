import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { llmsFullText, llmsText } from "./llms.ts";
import { root } from "./pages.ts";

// Writes llms.txt: `npm run llms`; with a folder, as `npm run docs` calls it, also llms-full.txt, both into the folder.
const [, , folder] = process.argv;
writeFileSync(join(folder ?? root, "llms.txt"), llmsText());
if (folder !== undefined) writeFileSync(join(folder, "llms-full.txt"), llmsFullText());
