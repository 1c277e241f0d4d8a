import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import * as assert from "uvu/assert";
import type { ManifoldDashboard } from "../../core/web/embed/index.ts";
import { frameworks } from "../../examples/embed/bundlePage.ts";
import { servePage, type ServedPage } from "../../examples/embed/servePage.ts";
import { openDashboardHost, type DashboardHost } from "../core/web/embed/openDashboardHost.ts";
import { findPackages } from "../support/findPackages.ts";
import { openBrowser } from "../support/openBrowser.ts";
import { suite } from "../support/suite.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");

/** Runs before each page. Turns violations of its content security policy into console errors. */
const report = `document.addEventListener("securitypolicyviolation", (event) =>
  console.error("policy: " + event.violatedDirective + " " + event.blockedURI + " " + event.sample))`;

/** Returns the rows that an item on the page shows. */
const rowsOf = (page: Page, itemId: string) =>
  page.evaluate(
    async (id) =>
      (await document.querySelector<ManifoldDashboard>("manifold-dashboard")!.getData(id)).rows,
    itemId,
  );

const groundOf = (page: Page) =>
  page.locator(".mf-dashboard").evaluate((root) => getComputedStyle(root).backgroundColor);

suite("examples/embed", (test) => {
  let host: DashboardHost;
  let browser: Browser;
  test.before(async () => {
    await findPackages("frameworks");
    host = await openDashboardHost();
    browser = await openBrowser();
  });
  test.after(async () => {
    await browser?.close();
    await host?.close();
  });

  test.deep(
    "the embedding examples type-check against the component and their frameworks",
    async () => {
      const tsc = join(root, "node_modules/.bin/tsc");
      await run(tsc, ["-b", "examples/embed/pages"], { cwd: root });
    },
  );

  async function withPage(
    framework: (typeof frameworks)[number],
    check: (page: Page, served: ServedPage, reports: readonly string[]) => Promise<void>,
  ): Promise<void> {
    const served = await servePage({
      framework,
      hostUrl: host.people.host.url,
      ...host.people.owner.pair,
      dashboardId: host.dashboardId,
      datasetIds: [host.dataset.id],
    });
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const reports: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") reports.push(message.text());
    });
    page.on("pageerror", (failure) => reports.push(String(failure)));
    await page.addInitScript(report);
    try {
      await page.goto(served.url);
      await check(page, served, reports);
    } finally {
      await page.close();
      await served.close();
    }
  }

  for (const framework of frameworks)
    test.deep(
      `the ${framework} example shows a dashboard, receives its selections, sets its properties and removes it`,
      () =>
        withPage(framework, async (page, _, reports) => {
          const bars = page.locator('[data-item="by region"] [data-mark]');
          const chosen = page.locator("output");
          await bars.first().waitFor();
          assert.is((await rowsOf(page, "by region")).length, 4);
          assert.is(await chosen.textContent(), "0 selected");

          await bars.first().click();
          // The Chromium of the tests has no fonts, so text has no size.
          await page.getByText("1 selected", { exact: true }).waitFor({ state: "attached" });
          // A selection in an item does not filter that item, whereas a property of the page does.
          assert.is((await rowsOf(page, "by region")).length, 4);
          await page.getByRole("button", { name: "Pin" }).click();
          await page.waitForFunction(async () => {
            const { rows } = await document
              .querySelector("manifold-dashboard")!
              .getData("by region");
            return rows.length === 1;
          });

          const before = await groundOf(page);
          await page.getByRole("button", { name: "Theme" }).click();
          await page.waitForFunction((light) => {
            const { shadowRoot } = document.querySelector("manifold-dashboard")!;
            return getComputedStyle(shadowRoot!.firstElementChild!).backgroundColor !== light;
          }, before);

          const kept = await page.evaluateHandle(() =>
            document.querySelector("manifold-dashboard")!,
          );
          await page.getByRole("button", { name: "Hide" }).click();
          await page.waitForFunction(() => !document.querySelector("manifold-dashboard"));
          assert.is(await kept.evaluate(({ shadowRoot }) => shadowRoot!.childElementCount), 0);
          const requested: string[] = [];
          page.on("request", (request) => requested.push(request.url()));
          await page.evaluate(async () => {
            dispatchEvent(new Event("online"));
            await new Promise((resolve) => {
              requestAnimationFrame(resolve);
            });
          });
          assert.equal(requested, []);

          await page.getByRole("button", { name: "Show" }).click();
          await bars.first().waitFor();

          await page.getByRole("button", { name: "Edit", exact: true }).click();
          const editor = page.locator("manifold-editor");
          const name = editor.getByRole("textbox", { name: "Name", exact: true });
          await name.fill(`Trips in ${framework}`);
          await name.press("Enter");
          await editor.getByRole("button", { name: "Save", exact: true }).click();
          await editor.waitFor({ state: "detached" });
          await bars.first().waitFor();
          assert.equal(reports, []);
        }),
    );

  test.deep(
    "the token route of the embedding example accepts requests only from its own pages",
    () =>
      withPage("react", async (page, { url }) => {
        for (const headers of [{}, { "Sec-Fetch-Site": "cross-site" }])
          assert.is((await fetch(`${url}/token`, { method: "POST", headers })).status, 403);
        assert.is((await fetch(`${url}/nothing`)).status, 404);
        const own = await page.evaluate(async () => {
          const answer = await fetch("/token", { method: "POST" });
          return Object.keys(await answer.json());
        });
        assert.equal(own, ["id", "token", "expiry"]);
      }),
  );
});
