// Writes docs/reference/charts.md and its pictures: node --conditions=manifold-source <this file>.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../docs/.vitepress/pages.ts";
import { chartsPage } from "./chartsPage.ts";
import { chartPictures } from "./drawExample.ts";

const folder = join(root, "docs/reference");
mkdirSync(join(folder, "charts"), { recursive: true });
writeFileSync(join(folder, "charts.md"), chartsPage());
for (const [name, svg] of chartPictures()) writeFileSync(join(folder, "charts", name), svg);
