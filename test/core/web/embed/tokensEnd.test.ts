import type { Browser, BrowserContext, Page } from "playwright-core";
import * as assert from "uvu/assert";
import type { ManifoldDashboard } from "../../../../core/web/embed/index.ts";
import { openBrowser } from "../../../support/openBrowser.ts";
import { suite } from "../../../support/suite.ts";
import type { Person } from "../../openPeople.ts";
import { openDashboardHost, type DashboardHost } from "./openDashboardHost.ts";
import { openPages, type Pages } from "../console/openPages.ts";

interface Failure {
  readonly itemId?: string;
  readonly status: number;
  readonly message: string;
}

type Embedded = { readonly embedded: ManifoldDashboard; readonly failures: readonly Failure[] };

const minuteMs = 60_000;

/** Adds a dashboard to the page, with a fixed token or with `getToken`, and waits for one of its items. */
async function begin({ pair, ...attributes }: Readonly<Record<string, string>>): Promise<void> {
  const script = `${location.origin}/embed.js`;
  await import(script);
  const made = document.createElement("manifold-dashboard");
  const failures: unknown[] = [];
  Object.assign(window, { embedded: made, failures });
  const loaded = new Promise((resolve) => made.addEventListener("load", resolve));
  made.addEventListener("error", (event) => failures.push(Reflect.get(event, "detail")));
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (pair === undefined) made.getToken = () => Reflect.get(window, "issue")();
  document.querySelector("main")!.replaceChildren(made);
  await loaded;
}

const failuresOf = (page: Page) => page.evaluate(() => (window as unknown as Embedded).failures);
const totalOf = (page: Page) =>
  page.evaluate(async () => (await (window as unknown as Embedded).embedded.getData("total")).rows);
const refresh = (page: Page) =>
  page.evaluate(() => (window as unknown as Embedded).embedded.refresh());

suite("core/web/embed: tokens that expire", (test) => {
  /** Milliseconds by which the clocks of the host and of the page are ahead of the real time. */
  let aheadMs = 0;
  let host: DashboardHost;
  let pages: Pages;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let issued: Person[] = [];
  let isAway = false;
  /** Whether the page is told when its token expires. */
  let isDated = true;
  test.before(async () => {
    host = await openDashboardHost({ tokenNow: () => Date.now() + aheadMs });
    pages = await openPages({ connectTo: host.people.host.url });
    browser = await openBrowser();
  });
  test.beforeEach(async () => {
    aheadMs = 0;
    issued = [];
    [isAway, isDated] = [false, true];
    context = await browser.newContext();
    await context.clock.install();
    page = await pages.openIn(context);
    await page.exposeFunction("issue", async () => {
      if (isAway) throw new Error("the server of the page is away");
      const expiry = new Date(Date.now() + aheadMs + 10 * minuteMs).toISOString();
      const person = await host.mint({ expiry });
      issued.push(person);
      const { key, token } = person.pair;
      return { id: key, token, ...(isDated && { expiry }) };
    });
  });
  test.afterEach(() => context?.close());
  test.after(async () => {
    await browser?.close();
    await pages?.close();
    await host?.close();
  });
  const attributes = () => ({
    dashboard: host.dashboardId,
    host: host.people.host.url,
    locale: "en",
    timezone: "UTC",
  });
  const pass = async (minutes: number) => {
    aheadMs += minutes * minuteMs;
    await page.clock.fastForward(minutes * minuteMs);
  };
  /** Returns the status of a query with an issued token. */
  const statusOf = async ({ pair }: Person) => {
    const { status } = await host.people.call("securable", { action: "get", ...pair, find: {} });
    return status;
  };
  const untilIssued = async (count: number) => {
    while (issued.length < count) await page.evaluate(() => new Promise(requestAnimationFrame));
  };

  test.deep("a dashboard appears once getToken succeeds, if it failed at the start", async () => {
    isAway = true;
    const begun = page.evaluate(begin, attributes());
    await page.clock.runFor(1_000);
    isAway = false;
    while (issued.length === 0) await page.clock.runFor(1_000);
    await begun;
    assert.ok((await totalOf(page)).length > 0);
    assert.equal(await failuresOf(page), []);
  });

  test.deep("a token is renewed before it expires, without any action by the reader", async () => {
    await page.evaluate(begin, attributes());
    const before = await totalOf(page);
    assert.is(issued.length, 1);
    await pass(8);
    assert.is(issued.length, 1);
    await pass(1.5);
    await untilIssued(2);
    assert.is(await statusOf(issued[0]!), 200);
    await pass(1);
    assert.is(await statusOf(issued[0]!), 401);
    await refresh(page);
    assert.equal(await totalOf(page), before);
    assert.is(issued.length, 2);
    assert.equal(await failuresOf(page), []);
  });

  test.deep(
    "a token that the host refuses is renewed, and the query is then answered",
    async () => {
      isDated = false;
      await page.evaluate(begin, attributes());
      const before = await totalOf(page);
      await pass(11);
      assert.is(issued.length, 1);
      assert.is(await statusOf(issued[0]!), 401);
      await refresh(page);
      assert.is(issued.length, 2);
      assert.equal(await totalOf(page), before);
      assert.equal(await failuresOf(page), []);
    },
  );

  test.deep(
    "a token that expired while the browser was offline is renewed once the browser is online",
    async () => {
      await page.evaluate(begin, attributes());
      const before = await totalOf(page);
      isAway = true;
      await context.setOffline(true);
      await pass(11);
      assert.is(issued.length, 1);
      isAway = false;
      await context.setOffline(false);
      await untilIssued(2);
      await refresh(page);
      assert.equal(await totalOf(page), before);
      assert.equal(await failuresOf(page), []);
    },
  );

  test.deep(
    "without `getToken`, items say that access has ended, and the page gets an error event with the status",
    async () => {
      const { pair } = await host.mint({
        expiry: new Date(Date.now() + 10 * minuteMs).toISOString(),
      });
      const keys = { "auth-key": pair.key, "auth-token": pair.token };
      await page.evaluate(begin, { ...attributes(), ...keys, pair: "stays" });
      await totalOf(page);
      await pass(11);
      await refresh(page);
      const failures = await failuresOf(page);
      assert.ok(failures.length > 0);
      for (const { status, itemId, message } of failures) {
        assert.equal([status, typeof itemId], [401, "string"]);
        assert.match(message, "expired");
      }
      const shown = await page.locator('[data-item="total"] .mf-state').textContent();
      assert.match(shown ?? "", "Your access has ended. Reload the page.");
      // Setting another token shows the dashboard again.
      const next = await host.mint();
      await page.evaluate(
        ([key, token]) => {
          const { embedded } = window as unknown as Embedded;
          embedded.authKey = key!;
          embedded.authToken = token!;
        },
        [next.pair.key, next.pair.token],
      );
      await page.locator('[data-item="by region"] [data-mark]').first().waitFor();
      assert.is(await page.locator(".mf-state").count(), 0);
    },
  );
});
