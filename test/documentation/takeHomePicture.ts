// Takes the picture of docs/tutorials/AT_HOME.md in Chromium: node --conditions=manifold-source <this file>.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../docs/.vitepress/pages.ts";
import { pixelsOf } from "../core/exports/pictures/pixelsOf.ts";
import { writeIndexedPng } from "../core/exports/pictures/writeIndexedPng.ts";
import { openConsole } from "../core/web/console/openConsole.ts";
import { buildHousehold } from "./buildHousehold.ts";
import { blocksFor } from "./readBlocks.ts";

const home = mkdtempSync(join(tmpdir(), "manifold-home-"));
const [files] = blocksFor("docs/tutorials/AT_HOME.md", "atHome");
execFileSync("bash", ["-euc", files?.text ?? ""], { env: { ...process.env, HOME: home } });
const folder = join(home, "household");
const opened = await openConsole({ fileFolders: [folder] });
try {
  const page = await opened.openPage("/");
  await buildHousehold(page, folder);
  await page.setViewportSize({ width: 1_080, height: 450 });
  await page.mouse.move(0, 0);
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const png = writeIndexedPng(await pixelsOf(await page.screenshot()));
  writeFileSync(join(root, "docs/at-home.png"), png);
  process.stdout.write(`docs/at-home.png: ${(png.length / 1_000).toFixed(0)} kB\n`);
} finally {
  await opened.close();
  rmSync(home, { recursive: true, force: true });
}
