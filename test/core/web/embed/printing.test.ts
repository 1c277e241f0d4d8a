import type { Browser, Page } from "playwright-core";
import { extractText, getDocumentProxy } from "unpdf";
import * as assert from "uvu/assert";
import { openBrowser } from "../../../support/openBrowser.ts";
import { suite } from "../../../support/suite.ts";
import { openPages, type Pages } from "../console/openPages.ts";
import { fieldOf, itemOf, openDashboardHost, type DashboardHost } from "./openDashboardHost.ts";

/** Adds an element to the page, and waits until its items show their rows. */
async function embed({
  tag,
  attributes,
  itemIds,
}: {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly itemIds: readonly string[];
}): Promise<void> {
  const script = `${location.origin}/embed.js`;
  await import(script);
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  const waiting = new Set(itemIds);
  const loaded = new Promise<void>((resolve) => {
    made.addEventListener("load", (event) => {
      waiting.delete((event as CustomEvent<{ itemId: string }>).detail.itemId);
      if (waiting.size === 0) resolve();
    });
  });
  document.querySelector("main")!.replaceChildren(made);
  await loaded;
}

/** Prints a page on A4, and returns the text of each sheet. */
async function printed(page: Page): Promise<readonly string[]> {
  const bytes = await page.pdf({ format: "A4", printBackground: false });
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const { text } = await extractText(document, { mergePages: false });
  return text;
}

suite("core/web/embed, on paper", (test) => {
  let host: DashboardHost;
  let browser: Browser;
  let pages: Pages;
  let dashboardId: string;
  const itemIds = ["by carrier", "by month", "days", "last"];
  const start = async () => {
    if (host) return;
    host = await openDashboardHost();
    const field = (name: string, more: object) => fieldOf(host.dataset, name, { ...more });
    const day = field("at", { type: "datetime", level: 5, format: "%Y-%m-%d" });
    const km = field("km", { type: "numeric", aggregationFunc: "sum" });
    const carrier = field("carrier", { type: "hierarchy" });
    const month = field("at", { type: "datetime", level: 3 });
    dashboardId = await host.create([
      itemOf("by carrier", "bar-chart", { "y-axis": [carrier], measure: [km] }, [0, 0, 24, 18]),
      itemOf("by month", "line-chart", { "x-axis": [month], measure: [km] }, [24, 0, 24, 18]),
      itemOf("days", "regular-table", { columns: [day, carrier, km] }, [0, 18, 36, 18]),
      itemOf("search", "search-filter", { dimension: [carrier] }, [36, 18, 12, 9]),
      itemOf("last", "donut-chart", { category: [carrier], measure: [km] }, [0, 36, 48, 18]),
    ]);
    browser = await openBrowser();
    pages = await openPages({ connectTo: host.people.host.url });
  };
  test.after(async () => {
    await pages?.close();
    await browser?.close();
    await host?.close();
  });

  test.deep(
    "a printed dashboard has every row of its table once, the column names on each sheet, and whole charts",
    async () => {
      await start();
      const page = await pages.open(browser);
      const viewer = await host.mint();
      const attributes = {
        dashboard: dashboardId,
        host: host.people.host.url,
        "auth-key": viewer.pair.key,
        "auth-token": viewer.pair.token,
        locale: "en-GB",
        timezone: "UTC",
      };
      await page.evaluate(embed, { tag: "manifold-dashboard", attributes, itemIds });
      const sheets = await printed(page);
      const text = sheets.join("\n");
      const days = text.match(/2001-\d\d-\d\d/g) ?? [];
      assert.ok(days.length > 1_000, `${days.length} rows`);
      const onScreen = await page.locator('[data-item="days"] .mf-row').count();
      assert.ok(onScreen > 0 && onScreen < 50, `${onScreen} rows remain on the screen`);
      const withRows = sheets.filter((sheet) => /2001-\d\d-\d\d/.test(sheet));
      assert.ok(withRows.length > 10);
      for (const sheet of withRows) assert.match(sheet, /carrier/);
      for (const shown of ["Delta", "United", "American", "2001", "last"])
        assert.match(text, shown);
      assert.equal(pages.reports, []);
      await page.close();
    },
  );
});
