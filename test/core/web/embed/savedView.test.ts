import type { Browser, Page } from "playwright-core";
import * as assert from "uvu/assert";
import { openBrowser } from "../../../support/openBrowser.ts";
import { suite } from "../../../support/suite.ts";
import { openPages, type Pages } from "../console/openPages.ts";
import { fieldOf, itemOf, openDashboardHost, type DashboardHost } from "./openDashboardHost.ts";

async function begin(given: {
  readonly attributes: Readonly<Record<string, string>>;
  readonly state?: object;
}): Promise<void> {
  const script = `${location.origin}/embed.js`;
  await import(script);
  const made = document.createElement("manifold-dashboard");
  Object.assign(window, { embedded: made });
  for (const [name, value] of Object.entries(given.attributes)) made.setAttribute(name, value);
  if (given.state) Object.assign(made, { state: given.state });
  const loaded = new Promise((resolve) => {
    made.addEventListener("load", resolve, { once: true });
  });
  document.querySelector("main")!.replaceChildren(made);
  await loaded;
}

suite("core/web/embed: saved views", (test) => {
  let host: DashboardHost;
  let browser: Browser;
  let pages: Pages;
  let attributes: Readonly<Record<string, string>>;
  const views: Record<string, string> = {};
  const stateOfRegion = (region: string) => ({ version: 1, selections: { Regions: [[region]] } });
  test.before(async () => {
    host = await openDashboardHost();
    const { url } = host.people.host;
    pages = await openPages({ connectTo: url });
    browser = await openBrowser();
    const region = fieldOf(host.dataset, "region", { type: "hierarchy" });
    const km = fieldOf(host.dataset, "km", { type: "numeric", aggregationFunc: "sum" });
    const dashboard = await host.create([
      itemOf("Regions", "bar-chart", { "y-axis": [region], measure: [km] }, [0, 0, 24, 16]),
    ]);
    for (const [name, more] of Object.entries({
      north: { is_default: true },
      south: { shared: true },
      west: {},
    })) {
      const { id } = await host.people.owner.create<{ id: string }>("savedview", {
        securable_id: dashboard,
        name,
        state: stateOfRegion(name),
        ...more,
      });
      views[name] = id;
    }
    const { pair } = await host.mint();
    attributes = { dashboard, host: url, "auth-key": pair.key, "auth-token": pair.token };
  });
  test.after(async () => {
    await browser?.close();
    await pages?.close();
    await host?.close();
  });

  async function show(view: string | undefined, state?: object): Promise<Page> {
    const page = await pages.open(browser);
    const given = { ...attributes, ...(view !== undefined && { view }) };
    await page.evaluate(begin, { attributes: given, ...(state && { state }) });
    return page;
  }
  const stateOf = (page: Page) =>
    page.evaluate(() => {
      const state: unknown = Reflect.get(Reflect.get(window, "embedded") as object, "state");
      return state as object;
    });

  test.deep("a dashboard opens with its default view only if the page asks for it", async () => {
    const page = await show("default");
    await page.locator('[part="chip"]').filter({ hasText: "north" }).waitFor();
    assert.equal(await stateOf(page), stateOfRegion("north"));
    await page.close();
    for (const view of [undefined, "south"]) {
      const plain = await show(view);
      assert.equal(await stateOf(plain), { version: 1 });
      await plain.close();
    }
  });

  test.deep("a state of the page takes precedence over the view", async () => {
    const page = await show("default", stateOfRegion("east"));
    assert.equal(await stateOf(page), stateOfRegion("east"));
    await page.close();
  });

  test("an embed token reads the default views of its dashboards, and no other view", async () => {
    const viewer = await host.mint();
    const names = async (where: object) =>
      (await viewer.get<{ rows: { name: string }[] }>("savedview", { where })).rows.map(
        ({ name }) => name,
      );
    assert.equal(await names({ securable_id: attributes["dashboard"] }), ["north"]);
    assert.equal(await names({ id: views["south"] }), []);
    const other = await host.people.owner.create<{ id: string }>("securable", {
      type: "dashboard",
      name: { en: "Other" },
      contents: {},
    });
    const { id } = await host.people.owner.create<{ id: string }>("savedview", {
      securable_id: other.id,
      name: "other",
      state: stateOfRegion("west"),
      is_default: true,
    });
    assert.equal(await names({ id }), []);
    const own = { id: views["north"], properties: { name: "mine" } };
    const { status } = await host.people.call("savedview", {
      action: "update",
      version: "0.1.0",
      ...viewer.pair,
      ...own,
    });
    assert.is(status, 403);
  });
});
