// Takes the pictures of the tutorials about two customers: node --conditions=manifold-source <this file> express.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../docs/.vitepress/pages.ts";
import { pixelsOf, type Pixels } from "../core/exports/pictures/pixelsOf.ts";
import { writeIndexedPng } from "../core/exports/pictures/writeIndexedPng.ts";
import { openApp } from "../examples/openApp.ts";
import { twoCustomersApps } from "../examples/twoCustomersApps.ts";
import { buildPackages } from "../support/buildPackages.ts";
import { openBrowser } from "../support/openBrowser.ts";

const [, chosen] =
  Object.entries(twoCustomersApps).find(([name]) => name === process.argv[2]) ?? [];
if (!chosen) throw new Error(`name an app: ${Object.keys(twoCustomersApps).join(", ")}`);
const built = await buildPackages();
const app = await openApp(chosen, built);
const browser = await openBrowser();
try {
  const pictures: Pixels[] = [];
  for (const [email, password] of app.passwords) {
    const context = await browser.newContext({ viewport: { width: 900, height: 350 } });
    const page = await context.newPage();
    await page.goto(app.url);
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.locator('[data-item="late-per-week"] [data-mark]').first().waitFor();
    await page.waitForLoadState("networkidle");
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    pictures.push(await pixelsOf(await page.screenshot()));
    await context.close();
  }
  const png = writeIndexedPng({
    width: 900,
    height: pictures.reduce((sum, { height }) => sum + height, 0),
    bytes: Buffer.concat(pictures.map(({ bytes }) => bytes)),
  });
  writeFileSync(join(root, chosen.picture), png);
  process.stdout.write(`${chosen.picture}: ${(png.length / 1_000).toFixed(0)} kB\n`);
} finally {
  await browser.close();
  await app.close();
  built.remove();
}
// The PostgreSQL server of this process would keep it running.
process.exit();
