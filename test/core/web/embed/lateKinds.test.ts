import type { Browser, Page } from "playwright-core";
import * as assert from "uvu/assert";
import { openAssets } from "../../../../core/http/assets/index.ts";
import type { ManifoldDashboard } from "../../../../core/web/embed/index.ts";
import { openBrowser } from "../../../support/openBrowser.ts";
import { suite } from "../../../support/suite.ts";
import { fieldOf, itemOf, openDashboardHost, type DashboardHost } from "./openDashboardHost.ts";
import { openPages, type Pages } from "../console/openPages.ts";

type Json = Readonly<Record<string, unknown>>;

/** Adds a dashboard to the page, and records its error events. */
async function begin(attributes: Readonly<Record<string, string>>): Promise<void> {
  const script = `${location.origin}/embed.js`;
  await import(script);
  const made: ManifoldDashboard = document.createElement("manifold-dashboard");
  const failures: string[] = [];
  made.addEventListener("error", (event) => {
    if (event instanceof CustomEvent) failures.push(JSON.stringify(event.detail));
  });
  Object.assign(window, { failures });
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  document.querySelector("main")!.replaceChildren(made);
}

suite("core/web/charts/kinds/loadKind in a page", (test) => {
  let host: DashboardHost;
  let pages: Pages;
  let browser: Browser;
  let attributes: Readonly<Record<string, string>>;
  /** Scripts that pages requested, and scripts that are blocked. */
  let requested: string[] = [];
  let isMissing: (path: string) => boolean = () => false;
  test.before(async () => {
    host = await openDashboardHost();
    const assets = openAssets();
    pages = await openPages({
      connectTo: host.people.host.url,
      assets: {
        ...assets,
        file(path) {
          if (path.endsWith(".js")) requested.push(path);
          return isMissing(path) ? Promise.resolve(undefined) : assets.file(path);
        },
      },
    });
    browser = await openBrowser();
    const field = (name: string, more: Json) => fieldOf(host.dataset, name, more);
    const region = field("region", { type: "hierarchy" });
    const km = field("km", { type: "numeric", aggregationFunc: "sum" });
    const dashboard = await host.create([
      itemOf("bars", "bar-chart", { "y-axis": [region], measure: [km] }, [0, 0, 24, 18]),
      itemOf("slices", "donut-chart", { category: [region], measure: [km] }, [24, 0, 24, 18]),
      itemOf("gauge", "circular-gauge", { measure: [km] }, [0, 18, 24, 18]),
    ]);
    const { pair } = await host.mint();
    attributes = {
      dashboard,
      host: host.people.host.url,
      "auth-key": pair.key,
      "auth-token": pair.token,
      locale: "en",
      timezone: "UTC",
    };
  });
  test.after(async () => {
    await browser?.close();
    await pages?.close();
    await host?.close();
  });
  const cell = (page: Page, item: string) => page.locator(`[data-item="${item}"]`);

  test.deep(
    "a page loads only the scripts for its dashboard's kinds of items, once each",
    async () => {
      requested = [];
      const page = await pages.open(browser);
      await page.evaluate(begin, attributes);
      await cell(page, "slices").locator("svg [data-mark]").first().waitFor();
      await cell(page, "gauge").locator("svg [data-mark]").first().waitFor();
      const late = requested.filter((path) => path.includes("Kinds-"));
      assert.is(late.length, 1, late.join());
      assert.match(late.join(), /^assets\/arcKinds-/);
      assert.equal(pages.reports, []);
      await page.close();
    },
  );

  test.deep(
    "an item whose script fails to load shows a message and tries again, and other items are not affected",
    async () => {
      isMissing = (path) => path.includes("arcKinds-");
      const page = await pages.open(browser);
      await page.evaluate(begin, attributes);
      const broken = cell(page, "slices").locator('[part="error"]');
      await broken.waitFor();
      assert.match(await broken.innerText(), "A part of this page could not be loaded");
      await cell(page, "bars").locator("svg [data-mark]").first().waitFor();
      const failures = await page.evaluate(() => Reflect.get(window, "failures") as string[]);
      assert.ok(
        failures.some((each) => each.includes('"itemId":"slices"')),
        failures.join(),
      );
      isMissing = () => false;
      await broken.getByRole("button", { name: "Try again" }).click();
      await cell(page, "slices").locator("svg [data-mark]").first().waitFor();
      assert.is(await broken.count(), 0);
      await page.close();
    },
  );
});
