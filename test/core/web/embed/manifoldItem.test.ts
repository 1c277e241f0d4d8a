import type { Browser } from "playwright-core";
import * as assert from "uvu/assert";
import type { ManifoldItem } from "../../../../core/web/embed/index.ts";
import { openBrowser } from "../../../support/openBrowser.ts";
import { suite } from "../../../support/suite.ts";
import { openPages, type Pages } from "../console/openPages.ts";
import { fieldOf, openDashboardHost, type DashboardHost } from "./openDashboardHost.ts";

interface Given {
  readonly attributes: Readonly<Record<string, string>>;
  readonly slots: readonly object[];
}

/** Adds items to the page and waits until all show their rows. */
async function add(items: readonly Given[]): Promise<void> {
  const script = `${location.origin}/embed.js`;
  await import(script);
  const loads = items.map(({ attributes, slots }) => {
    const made = document.createElement("manifold-item");
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.slots = slots;
    document.querySelector("main")!.append(made);
    return new Promise((resolve, reject) => {
      made.addEventListener("load", resolve, { once: true });
      made.addEventListener("error", ({ detail }) => reject(new Error(detail.message)));
    });
  });
  await Promise.all(loads);
}

/** Returns the rows of an item of the page. */
async function rowsOf(id: string): Promise<readonly (readonly unknown[])[]> {
  return (await document.querySelector<ManifoldItem>(`#${id}`)!.getData("item")).rows;
}

suite("core/web/embed/elements/manifoldItem", (test) => {
  let host: DashboardHost;
  let browser: Browser;
  let pages: Pages;
  test.after(async () => {
    await browser?.close();
    await pages?.close();
    await host?.close();
  });

  test.deep(
    "items that a page defines ask the host, and filter each other in a context",
    async () => {
      host = await openDashboardHost();
      pages = await openPages({ connectTo: host.people.host.url });
      browser = await openBrowser();
      const { key, token } = host.viewer.pair;
      const page = await pages.open(browser);
      const region = fieldOf(host.dataset, "region", { type: "hierarchy" });
      const carrier = fieldOf(host.dataset, "carrier", { type: "hierarchy" });
      const km = fieldOf(host.dataset, "km", { type: "numeric", aggregationFunc: "sum" });
      const common = {
        host: host.people.host.url,
        "auth-key": key,
        "auth-token": token,
        "context-id": "trips",
        locale: "en",
      };
      const bars = (id: string, dimension: object, more: object = {}): Given => ({
        attributes: { ...common, id, type: "bar-chart", ...more },
        slots: [
          { name: "y-axis", content: [dimension] },
          { name: "measure", content: [km] },
        ],
      });
      await page.evaluate(add, [
        bars("regions", region),
        bars("carriers", carrier),
        bars("alone", carrier, { "can-filter": "none" }),
      ]);
      const sum = (rows: readonly (readonly unknown[])[]) =>
        rows.reduce((total, [, value]) => total + Number(value), 0);
      const regions = await page.evaluate(rowsOf, "regions");
      const all = sum(regions);
      assert.is(regions.length, 4);
      assert.is(sum(await page.evaluate(rowsOf, "carriers")), all);
      const mark = page.locator("#regions [data-mark]").first();
      await mark.click();
      await page.waitForFunction(async (total) => {
        const { rows } = await document.querySelector<ManifoldItem>("#carriers")!.getData("item");
        return rows.reduce((found, [, value]) => found + Number(value), 0) < total;
      }, all);
      const chosen = sum(await page.evaluate(rowsOf, "carriers"));
      assert.ok(regions.some(([, value]) => Number(value) === chosen));
      assert.is(sum(await page.evaluate(rowsOf, "alone")), all);
      // An item that comes later takes the selection, and an item that goes takes its own with it.
      await page.evaluate(add, [bars("late", carrier)]);
      await page.waitForFunction(async (total) => {
        const { rows } = await document.querySelector<ManifoldItem>("#late")!.getData("item");
        return rows.reduce((found, [, value]) => found + Number(value), 0) === total;
      }, chosen);
      await page.locator("#regions").evaluate((element) => element.remove());
      await page.waitForFunction(async (total) => {
        const { rows } = await document.querySelector<ManifoldItem>("#carriers")!.getData("item");
        return rows.reduce((found, [, value]) => found + Number(value), 0) === total;
      }, all);
      const csv = await page.locator("#carriers").evaluate(async (element) => {
        const file = await (element as ManifoldItem).export("csv");
        return file.text();
      });
      assert.is(csv.trim().split("\n").length, 4);
      assert.equal(pages.reports, []);
      await page.close();
    },
  );
});
