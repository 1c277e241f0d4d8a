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
  test.deep(
    "a map loads its script, names its places, and filters other items by a click",
    async () => {
      const { owner } = host.people;
      const pushed = await owner.create<{ rows: { id: string; columns: Json[] }[] }>("data", {
        type: "create",
        data: [
          ["Belgium", "Bread", 5],
          ["Belgium", "Wine", 2],
          ["France", "Wine", 9],
          ["Atlantis", "Salt", 1],
        ],
        options: { header: ["country", "product", "sales"] },
      });
      const [made] = pushed.rows;
      assert.ok(made);
      const columns = made.columns.map((column) => [column["source_name"], column["id"]]);
      const dataset = { id: made.id, columns: Object.fromEntries(columns) };
      const field = (name: string, more: Json) => fieldOf(dataset, name, more);
      const sales = field("sales", { type: "numeric", aggregationFunc: "sum" });
      const country = field("country", { type: "hierarchy" });
      const product = field("product", { type: "hierarchy" });
      const dashboard = await host.create([
        itemOf("map", "choropleth-map", { geo: [country], measure: [sales] }, [0, 0, 24, 20]),
        itemOf("bars", "bar-chart", { "y-axis": [product], measure: [sales] }, [24, 0, 24, 20]),
      ]);
      const { pair } = await host.mint({
        access: {
          dashboards: [{ id: dashboard, rights: "read" }],
          datasets: [{ id: dataset.id, rights: "use" }],
        },
      });
      requested = [];
      const page = await pages.open(browser);
      await page.evaluate(begin, {
        ...attributes,
        dashboard,
        "auth-key": pair.key,
        "auth-token": pair.token,
      });
      const marks = cell(page, "map").locator("svg [data-mark]");
      await marks.first().waitFor();
      assert.is(await marks.count(), 2);
      assert.equal(
        requested
          .filter((path) => /[Kk]inds-/.test(path))
          .map((path) => /(\w+)-/.exec(path)?.[1])
          .toSorted(),
        ["kinds", "mapKinds"],
      );
      assert.match(
        (await cell(page, "map").locator("svg").first().getAttribute("aria-label")) ?? "",
        /without a place on the map: 1 \(Atlantis\)/,
      );
      const bars = cell(page, "bars").locator("svg [data-mark]");
      await bars.nth(2).waitFor();
      assert.is(await bars.count(), 3);
      // Belgium is the second largest value.
      await marks.nth(1).click();
      await bars.nth(2).waitFor({ state: "detached" });
      assert.is(await bars.count(), 2);
      assert.equal(pages.reports, []);
      await page.close();
    },
  );

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
