// Takes the pictures of the README from the running demo, in Chromium: node --conditions=manifold-source <this file>.
import { writeFileSync } from "node:fs";
import { createClient } from "../../../../core/web/client/index.ts";
import { columnsOf } from "../../../../examples/support/columnsOf.ts";
import { demoStateIn } from "../../../../examples/demo/state.ts";
import { beginSession } from "./beginSession.ts";
import { pixelsOf } from "../../exports/pictures/pixelsOf.ts";
import { writeIndexedPng } from "../../exports/pictures/writeIndexedPng.ts";
import { openBrowser } from "../../../support/openBrowser.ts";

const url = process.env["MANIFOLD_URL"] ?? "http://127.0.0.1:4000";
const pair = demoStateIn(process.env["MANIFOLD_DATA_DIR"] ?? ".manifold").read();
const docs = new URL("../../../../docs/", import.meta.url);
const client = createClient({ url, ...pair });

interface Named {
  readonly id: string;
  readonly name: { readonly en?: string };
}

async function find(type: string, name: string): Promise<string> {
  const { rows } = await client.get<{ rows: Named[] }>("securable", {
    where: { type },
    attributes: ["id", "name"],
  });
  const found = rows.find((row) => row.name.en?.startsWith(name));
  if (!found) throw new Error(`the demo has no ${type} whose name begins with ${name}`);
  return found.id;
}

const dashboardId = await find("dashboard", "Flights in the United States");
const datasetId = await find("dataset", "Flights");
const columns = await columnsOf(client, datasetId);
const question = {
  rows: [{ id: columns["date"], level: 4 }],
  measures: [{ id: columns["delay"], aggregation: "average" }],
  filters: [{ id: columns["origin"], test: "? in ?", value: ["SFO", "OAK"] }],
  chart: "line-chart",
};
const explorer = `/explore/${datasetId}?q=${encodeURIComponent(JSON.stringify(question))}`;
const pictures = [
  { name: "dashboard", path: `/dashboards/${dashboardId}`, height: 1_180 },
  { name: "explorer", path: explorer, height: 900 },
  { name: "plan", path: `${explorer}&view=plan`, height: 760 },
];

const browser = await openBrowser();
try {
  const context = await browser.newContext({
    colorScheme: "light",
    locale: "en-US",
    timezoneId: "UTC",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await page.goto(url);
  await beginSession(page, { key: pair.key, token: pair.token });
  for (const { name, path, height } of pictures) {
    await page.setViewportSize({ width: 1_440, height });
    await page.goto(url + path);
    // The page is complete when the network has been idle for half a second.
    await page.waitForLoadState("networkidle");
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    const png = writeIndexedPng(await pixelsOf(await page.screenshot()));
    writeFileSync(new URL(`${name}.png`, docs), png);
    process.stdout.write(`docs/${name}.png: ${(png.length / 1_000).toFixed(0)} kB\n`);
  }
} finally {
  await browser.close();
}
