import type { Browser, Page } from "playwright-core";
import * as assert from "uvu/assert";
import { openModelStandIn } from "../../../../support/modelStandIn.ts";
import { openBrowser } from "../../../../support/openBrowser.ts";
import { suite } from "../../../../support/suite.ts";
import { openDashboardHost, type DashboardHost } from "../../embed/openDashboardHost.ts";
import { findBarriers } from "../findBarriers.ts";
import { openPages, type Pages } from "../openPages.ts";

type Attributes = Readonly<Record<string, string>>;

/** Adds an element to the page and records its events in `window.seen`. */
async function add([tag, attributes]: readonly [string, Attributes]): Promise<void> {
  const script = `${location.origin}/editor.js`;
  await import(script);
  const seen: unknown[] = [];
  Reflect.set(window, "seen", seen);
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  for (const type of ["change", "saved", "leave", "error"])
    made.addEventListener(type, (event) => {
      if (event instanceof CustomEvent) seen.push({ type, ...event.detail });
    });
  document.querySelector("main")!.append(made);
}

const seenOn = (page: Page): Promise<readonly Readonly<Record<string, unknown>>[]> =>
  page.evaluate(() => Reflect.get(window, "seen"));

suite("core/web/console/guest", (test) => {
  let host: DashboardHost;
  let browser: Browser;
  let pages: Pages;
  const open = async () => {
    host = await openDashboardHost();
    pages = await openPages({ connectTo: host.people.host.url });
    browser = await openBrowser();
  };
  test.after(async () => {
    await browser?.close();
    await pages?.close();
    await host?.close();
  });
  const designer = (rights = "modify") =>
    host.mint({
      role: "designer",
      access: {
        dashboards: [{ id: host.dashboardId, rights }],
        datasets: [{ id: host.dataset.id, rights: "use" }],
      },
    });
  const attributesOf = (pair: { readonly key: string; readonly token: string }) => ({
    host: host.people.host.url,
    "auth-key": pair.key,
    "auth-token": pair.token,
    theme: "light",
  });

  test.deep("a designer edits a dashboard in another site's page, and saves it", async () => {
    await open();
    const { pair } = await designer();
    const page = await pages.open(browser);
    const attributes = { ...attributesOf(pair), dashboard: host.dashboardId };
    await page.evaluate(add, ["manifold-editor", attributes] as const);
    const name = page.getByRole("textbox", { name: "Name", exact: true });
    await name.fill("Trips of the year");
    await name.press("Enter");
    await page.getByText("Unsaved", { exact: false }).first().waitFor();
    for (const absent of ["Share", "Embed", "Ask"])
      assert.is(await page.getByRole("button", { name: absent, exact: true }).count(), 0, absent);
    await page.getByRole("button", { name: "Add filter", exact: false }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    assert.equal(await findBarriers(page), []);
    await dialog.getByRole("button", { name: "Close" }).first().click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("status").getByText("Saved", { exact: false }).waitFor();
    const types = (await seenOn(page)).map(({ type }) => type);
    assert.ok(types.includes("change") && types.includes("saved"));
    const { rows } = await host.people.owner.get<{ rows: { name: { en: string } }[] }>(
      "securable",
      { where: { id: host.dashboardId } },
    );
    assert.is(rows[0]?.name.en, "Trips of the year");
    assert.equal(pages.reports, []);
    assert.is(new URL(page.url()).pathname, "/");
    await page.close();
  });

  test.deep("a designer adds a chart in place, without leaving the dashboard", async () => {
    const { pair } = await designer();
    const page = await pages.open(browser);
    const attributes = { ...attributesOf(pair), dashboard: host.dashboardId };
    await page.evaluate(add, ["manifold-editor", attributes] as const);
    await page.getByRole("button", { name: "Add chart", exact: true }).click();
    const panel = page.getByRole("complementary", { name: "Item" });
    await panel.getByRole("button", { name: "carrier", exact: false }).first().click();
    await panel.getByRole("button", { name: "Change carrier" }).waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("status").getByText("Saved", { exact: false }).waitFor();
    const { rows } = await host.people.owner.get<{
      rows: { contents: { views: { items: object[] }[] } }[];
    }>("securable", { where: { id: host.dashboardId }, attributes: ["contents"] });
    assert.is(rows[0]?.contents.views[0]?.items.length, 7);
    assert.equal(pages.reports, []);
    await page.close();
  });

  test.deep("modes and rights decide what is offered", async () => {
    const offered = async (
      pair: { readonly key: string; readonly token: string },
      mode: string,
    ) => {
      const page = await pages.open(browser);
      const attributes = { ...attributesOf(pair), dashboard: host.dashboardId, mode };
      await page.evaluate(add, ["manifold-editor", attributes] as const);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      const shown = async (role: "button", name: string) =>
        (await page.getByRole(role, { name, exact: true }).count()) > 0;
      const found = {
        save: await shown("button", "Save"),
        edit: await shown("button", "Edit"),
        theme: await shown("button", "Theme"),
        addChart: await shown("button", "Add chart"),
      };
      await page.close();
      return found;
    };
    const { pair } = await designer();
    const all = { save: true, edit: false, theme: true, addChart: true };
    assert.equal(await offered(pair, "full"), all);
    assert.equal(await offered(pair, "limited"), { ...all, theme: false, addChart: false });
    const none = { save: false, edit: false, theme: false, addChart: false };
    assert.equal(await offered(pair, "view"), none);
    assert.equal(await offered((await designer("read")).pair, "full"), none);
    assert.equal(await offered((await host.mint()).pair, "full"), none);
  });

  test.deep("two elements in one page keep their own dialogs, at 360 pixels too", async () => {
    const { pair } = await designer();
    const page = await pages.open(browser, { width: 360, height: 740 });
    await page.evaluate(add, [
      "manifold-explore",
      { ...attributesOf(pair), dataset: host.dataset.id },
    ] as const);
    await page.evaluate(add, [
      "manifold-editor",
      { ...attributesOf(pair), dashboard: host.dashboardId, theme: "dark" },
    ] as const);
    await page.getByRole("button", { name: "region", exact: false }).first().waitFor();
    const editor = page.locator("manifold-editor");
    await editor.getByRole("button", { name: "Add filter", exact: false }).first().click();
    await editor.getByRole("dialog").waitFor();
    assert.is(await page.locator("manifold-explore").getByRole("dialog").count(), 0);
    await page.keyboard.press("Escape");
    const isWider = await page.evaluate(() => document.documentElement.scrollWidth > 360);
    assert.not.ok(isWider);
    assert.equal(await findBarriers(page), []);
    assert.equal(pages.reports, []);
    await page.close();
  });

  test.deep(
    "Explore answers a question in the rights of the token, and offers nothing else",
    async () => {
      const { pair } = await host.mint({ parameter_overrides: {} });
      const page = await pages.open(browser);
      const attributes = { ...attributesOf(pair), dataset: host.dataset.id, theme: "dark" };
      await page.evaluate(add, ["manifold-explore", attributes] as const);
      await page.getByRole("button", { name: "carrier", exact: false }).first().click();
      await page.getByRole("img").first().waitFor();
      for (const absent of ["Ask", "Alert"])
        assert.is(await page.getByRole("link", { name: absent, exact: true }).count(), 0, absent);
      assert.equal(await findBarriers(page), []);
      assert.equal(pages.reports, []);
      await page.close();
    },
  );

  test.deep("Ask answers a question with a chart in the rights of the token", async () => {
    const model = await openModelStandIn();
    const own = await openDashboardHost({
      aiUrl: model.url,
      aiModel: "stand-in",
      aiSends: "samples",
      egressAllow: ["127.0.0.1"],
    });
    const sites = await openPages({ connectTo: own.people.host.url });
    try {
      const of = (name: string) => ({
        dataset_id: own.dataset.id,
        column_id: own.dataset.columns[name],
      });
      const query = {
        dimensions: [of("region")],
        measures: [{ ...of("km"), aggregation: { type: "sum" } }],
      };
      model.play(({ tools }) =>
        tools.some(({ name }) => name === "write")
          ? { calls: [{ name: "write", arguments: { text: "Regions differ.", operations: [] } }] }
          : {
              calls: [
                {
                  name: "answer",
                  arguments: { title: "Km by region", chart: "bar-chart", query },
                },
              ],
            },
      );
      const { key, token } = own.viewer.pair;
      const page = await sites.open(browser);
      const attributes = {
        host: own.people.host.url,
        "auth-key": key,
        "auth-token": token,
        theme: "light",
      };
      await page.evaluate(add, ["manifold-ask", attributes] as const);
      await page.getByLabel("Your question").fill("How far by region?");
      await page.keyboard.press("Enter");
      await page.getByRole("img", { name: "Km by region" }).first().waitFor();
      assert.equal(sites.reports, []);
      await page.close();
    } finally {
      await sites.close();
      await own.close();
      await model.close();
    }
  });

  test.deep("a refused token is reported in words and as an event", async () => {
    const page = await pages.open(browser);
    const { pair } = await designer();
    const attributes = {
      ...attributesOf({ ...pair, token: "wrong" }),
      dashboard: host.dashboardId,
    };
    await page.evaluate(add, ["manifold-editor", attributes] as const);
    await page.getByRole("alert").waitFor();
    const [seen] = await seenOn(page);
    assert.is(seen?.["type"], "error");
    await page.close();
  });
});
