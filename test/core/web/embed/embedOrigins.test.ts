import type { Browser, Page } from "playwright-core";
import * as assert from "uvu/assert";
import { openBrowser } from "../../../support/openBrowser.ts";
import { suite } from "../../../support/suite.ts";
import { findBarriers } from "../console/findBarriers.ts";
import { openConsolePage } from "../console/openConsolePage.ts";
import { openDashboardHost, type DashboardHost } from "./openDashboardHost.ts";
import { openPages, type Pages } from "../console/openPages.ts";

interface Outcome {
  readonly type: string;
  readonly detail: { readonly status?: number; readonly message?: string };
  readonly shown: string;
}

/** Adds a dashboard to the page, and waits until the first item is drawn or the dashboard is refused. */
async function embed(attributes: Readonly<Record<string, string>>): Promise<Outcome> {
  const script = `${location.origin}/embed.js`;
  await import(script);
  const made = document.createElement("manifold-dashboard");
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  const ended = new Promise<CustomEvent>((resolve) => {
    for (const type of ["load", "error"])
      made.addEventListener(type, (event) => resolve(event as CustomEvent), { once: true });
  });
  document.querySelector("main")!.replaceChildren(made);
  const { type, detail } = await ended;
  await new Promise(requestAnimationFrame);
  return { type, detail, shown: (made.shadowRoot ?? made).textContent };
}

/** Calls the host from a script of the page. Returns the response, or states that the browser blocked it. */
async function callHost([url, body]: readonly [string, string]): Promise<
  readonly [number, string]
> {
  const answer = await fetch(`${url}/0.1.0/securable`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
  });
  return [answer.status, await answer.text()];
}

suite("core/web/embed: tokens for certain pages", (test) => {
  let host: DashboardHost;
  let browser: Browser;
  let [own, other, sandboxed]: (Pages | undefined)[] = [];
  test.before(async () => {
    host = await openDashboardHost();
    const options = { connectTo: host.people.host.url };
    [own, other] = [await openPages(options), await openPages(options)];
    sandboxed = await openPages({ policy: "sandbox allow-scripts" });
    browser = await openBrowser();
  });
  test.after(async () => {
    await browser?.close();
    await own?.close();
    await other?.close();
    await sandboxed?.close();
    await host?.close();
  });

  test.deep(
    "a dashboard works only on pages that its token allows, and the 403 on other pages names the member",
    async () => {
      const { pair } = await host.mint({ allowed_origins: [own!.url.toUpperCase()] });
      const attributes = {
        dashboard: host.dashboardId,
        host: host.people.host.url,
        "auth-key": pair.key,
        "auth-token": pair.token,
        locale: "en",
      };
      const body = JSON.stringify({ version: "0.1.0", action: "get", ...pair });
      const on = async (page: Page) => ({
        drawn: await page.evaluate(embed, attributes),
        response: await page.evaluate(callHost, [host.people.host.url, body] as const),
      });
      const allowed = await on(await own!.open(browser));
      assert.equal([allowed.drawn.type, allowed.response[0]], ["load", 200]);
      const refused = await on(await other!.open(browser));
      assert.equal([refused.drawn.type, refused.drawn.detail.status], ["error", 403]);
      for (const text of [refused.drawn.detail.message ?? "", refused.response[1]]) {
        assert.match(text, `the origin ${other!.url}`);
        assert.match(text, "allowed_origins");
      }
      assert.match(refused.response[1], "SOURCE_REFUSED");
      // The refusal does not reveal the allowed pages.
      assert.not(refused.response[1].includes(own!.url));
      assert.is(refused.response[0], 403);
      assert.not.match(refused.drawn.shown, /north|south|east|west/);
      // A page without an origin, such as a file or a sandboxed frame, sends `null`.
      const page = await sandboxed!.open(browser);
      const [opaque, said] = await page.evaluate(callHost, [host.people.host.url, body] as const);
      assert.match(said, "the origin null");
      assert.is(opaque, 403);
    },
  );

  test.deep(
    "the Embed dialog creates a token for certain pages, and can still preview the dashboard in the console",
    async () => {
      const { host: at, owner } = host.people;
      const path = `/dashboards/${host.dashboardId}`;
      const opened = await openConsolePage(
        browser,
        { url: at.url, path, pair: owner.pair },
        { size: "phone", theme: "dark" },
      );
      const { page } = opened;
      await page.getByRole("button", { name: "Embed" }).click();
      const dialog = page.getByRole("dialog", { name: "Embed this dashboard" });
      await dialog.getByLabel("Allowed pages").fill("shop.example.com");
      await dialog.getByRole("button", { name: "Create token" }).click();
      await dialog
        .getByRole("alert")
        .filter({ hasText: '"shop.example.com" is not valid' })
        .waitFor();
      await dialog.getByLabel("Allowed pages").fill("https://shop.example.com");
      await dialog.getByRole("button", { name: "Create token" }).click();
      await dialog.locator("[data-mark]").first().waitFor();
      const lines = await dialog.locator("pre").first().innerText();
      const [, key = "", token = ""] =
        /auth-key="([^"]+)"\s+auth-token="([^"]+)"/.exec(lines) ?? [];
      const response = await page.evaluate(callHost, [
        at.url,
        JSON.stringify({ version: "0.1.0", action: "get", key, token }),
      ] as const);
      assert.is(response[0], 403);
      assert.match(response[1], "SOURCE_REFUSED");
      assert.match(await dialog.locator("pre").last().innerText(), '"allowed_origins"');
      assert.equal(await findBarriers(page), []);
    },
  );
});
