import * as assert from "uvu/assert";
import type { Browser, Page } from "playwright-core";
import { openBrowser } from "../../../support/openBrowser.ts";
import { suite } from "../../../support/suite.ts";
import { openConsolePage } from "./openConsolePage.ts";
import { openStockedPeople, type StockedPeople } from "./openStockedPeople.ts";
import { readScreen } from "./readScreen.ts";

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

suite("core/web/console: names instead of ids", (test) => {
  let stocked: StockedPeople;
  let browser: Browser;

  test.before(async () => {
    stocked = await openStockedPeople();
    browser = await openBrowser();
  });
  test.after(async () => {
    await browser?.close();
    await stocked?.close();
  });

  /** Returns the ids on a page, with the text around each, and those in the names of its controls. */
  const idsOn = async (page: Page, path: string): Promise<readonly string[]> => {
    await page.goto(stocked.people.host.url + path);
    await page.waitForLoadState("networkidle");
    const texts = await readScreen(page);
    return [...new Set(texts.filter((text) => uuid.test(text)))].map((text) => `${path}: ${text}`);
  };

  for (const role of ["owner", "reader"] as const)
    test.deep(`no page shows an id to ${role === "owner" ? "an owner" : "a reader"}`, async () => {
      const { people, reader, paths, ownerPaths } = stocked;
      const { pair } = role === "owner" ? people.owner : reader;
      const { page } = await openConsolePage(browser, { url: people.host.url, pair });
      const found: string[] = [];
      for (const path of role === "owner" ? [...paths, ...ownerPaths] : paths)
        found.push(...(await idsOn(page, path)));
      await page.context().close();
      assert.equal(found, []);
    });
});
