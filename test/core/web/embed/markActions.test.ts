import type { Browser, Page } from "playwright-core";
import * as assert from "uvu/assert";
import { openBrowser } from "../../../support/openBrowser.ts";
import { suite } from "../../../support/suite.ts";
import { findBarriers } from "../console/findBarriers.ts";
import { openPages, type Pages } from "../console/openPages.ts";
import { fieldOf, itemOf, openDashboardHost, type DashboardHost } from "./openDashboardHost.ts";

type Json = Readonly<Record<string, unknown>>;

interface CustomEventSeen {
  readonly itemId: string;
  readonly name: string;
  readonly mark: { readonly category: string };
  readonly values: readonly { readonly slot: string; readonly value: unknown }[];
  readonly extraData?: {
    readonly columns: readonly { readonly name: string }[];
    readonly rows: readonly (readonly unknown[])[];
    readonly isComplete: boolean;
  };
}

async function begin(given: {
  readonly attributes: Readonly<Record<string, string>>;
  readonly state?: object;
}): Promise<void> {
  const script = `${location.origin}/embed.js`;
  await import(script);
  const made = document.createElement("manifold-dashboard");
  const seen: unknown[] = [];
  Object.assign(window, { seen, embedded: made });
  made.addEventListener("customevent", (event) => {
    if (event instanceof CustomEvent) seen.push(event.detail);
  });
  for (const [name, value] of Object.entries(given.attributes)) made.setAttribute(name, value);
  if (given.state) Object.assign(made, { state: given.state });
  document.querySelector("main")!.replaceChildren(made);
}

suite("core/web/embed: pickers, events and links of marks", (test) => {
  let host: DashboardHost;
  let browser: Browser;
  let pages: Pages;
  let attributes: Readonly<Record<string, string>>;
  test.before(async () => {
    host = await openDashboardHost();
    pages = await openPages({ connectTo: host.people.host.url });
    browser = await openBrowser();
    const field = (name: string, label: string, more: Json) =>
      fieldOf(host.dataset, name, { label: { en: label }, ...more });
    const region = field("region", "Region", { type: "hierarchy" });
    const carrier = field("carrier", "Carrier", { type: "hierarchy" });
    const km = field("km", "Distance", { type: "numeric", aggregationFunc: "sum" });
    const trips = field("km", "Number of trips", { type: "numeric", aggregationFunc: "count" });
    const slots = { "y-axis": [region], measure: [km] };
    const interactivity = {
      measureDimensionPicker: [
        { slot: "measure", values: [km, trips] },
        { slot: "y-axis", values: [carrier] },
      ],
    };
    const dashboard = await host.create([
      itemOf("picked", "bar-chart", slots, [0, 0, 24, 20], { title: {}, interactivity }),
      itemOf("single", "bar-chart", slots, [24, 0, 24, 20], {
        interactivity: {
          customEvents: {
            events: [{ name: "open", label: { en: "Open" } }],
            extraData: [{ ...trips, label: "Trips" }, carrier],
          },
        },
      }),
      itemOf("several", "bar-chart", slots, [0, 20, 24, 20], {
        interactivity: {
          customEvents: {
            events: [
              { name: "open", label: { en: "Open the region" } },
              { name: "call", label: { en: "Call the region" } },
            ],
          },
          urlConfig: { url: { en: "https://crm.example/{y-axis}?km={measure}" }, target: "_blank" },
        },
      }),
    ]);
    const { pair } = await host.mint();
    const { url } = host.people.host;
    attributes = { dashboard, host: url, "auth-key": pair.key, "auth-token": pair.token };
  });
  test.after(async () => {
    await browser?.close();
    await pages?.close();
    await host?.close();
  });

  async function show(width = 1_440, state?: object): Promise<Page> {
    const page = await pages.open(browser, { width, height: 900 });
    await page.evaluate(begin, { attributes, ...(state && { state }) });
    await cell(page, "several").locator("[data-mark]").first().waitFor();
    return page;
  }
  const cell = (page: Page, id: string) => page.locator(`[data-item="${id}"]`);
  const titleOf = (page: Page) => cell(page, "picked").locator("svg text").first();
  const seen = (page: Page) =>
    page.evaluate(() => Reflect.get(window, "seen") as readonly CustomEventSeen[]);
  const stateOf = (page: Page) =>
    page.evaluate(() => {
      const state: unknown = Reflect.get(Reflect.get(window, "embedded") as object, "state");
      return state as { readonly picks?: unknown; readonly selections?: unknown };
    });

  test.deep("a reader chooses the measure and the category of an item", async () => {
    const page = await show(360);
    const picked = cell(page, "picked");
    await titleOf(page).getByText("Distance by Region").waitFor();
    await picked.getByLabel("Value").selectOption({ label: "Number of trips" });
    await titleOf(page).getByText("Number of trips by Region").waitFor();
    await picked.getByLabel("Grouped by").selectOption({ label: "Carrier" });
    await titleOf(page).getByText("Number of trips by Carrier").waitFor();
    const state = await stateOf(page);
    assert.equal(Object.keys(Object(Object(state.picks).picked)).toSorted(), ["measure", "y-axis"]);
    // The stored columns can be chosen again.
    await picked.getByLabel("Grouped by").selectOption({ label: "Region" });
    await picked.getByLabel("Value").selectOption({ label: "Distance" });
    await titleOf(page).getByText("Distance by Region").waitFor();
    assert.is((await stateOf(page)).picks, undefined);
    assert.equal(await findBarriers(page, "main"), []);
    assert.equal(pages.reports, []);
    await page.close();
    const again = await show(1_440, state);
    await titleOf(again).getByText("Number of trips by Carrier").waitFor();
    assert.equal((await stateOf(again)).picks, state.picks);
    await again.close();
  });

  test.deep("a state with a column that the item does not offer is ignored and named", async () => {
    const page = await show(1_440, { version: 1, picks: { picked: { measure: "other" } } });
    await titleOf(page).getByText("Distance by Region").waitFor();
    assert.is((await stateOf(page)).picks, undefined);
    await page
      .locator('[part="filters"] [role="status"]')
      .filter({ hasText: "Not applied" })
      .waitFor();
    await page.close();
  });

  test.deep("a single event is sent with the values of the mark, which also filters", async () => {
    const page = await show();
    await cell(page, "single").locator("rect[data-mark]").first().click();
    await page.waitForFunction(() => (Reflect.get(window, "seen") as unknown[]).length === 1);
    const [event] = await seen(page);
    assert.is(event?.itemId, "single");
    assert.is(event?.name, "open");
    assert.is(event?.values[0]?.slot, "y-axis");
    assert.is(event?.values[0]?.value, event?.mark.category);
    assert.is(typeof event?.values[1]?.value, "number");
    const { columns, rows, isComplete } = event!.extraData!;
    assert.equal(
      columns.map(({ name }) => name),
      ["Carrier", "Trips"],
    );
    assert.is(isComplete, true);
    assert.ok(rows.length > 1, JSON.stringify(rows));
    const { id, columns: ids } = host.dataset;
    const of = (name: string) => ({ dataset_id: id, column_id: ids[name] });
    const expected = await host.people.owner.get<{ data: [{ id: string }, number][] }>("data", {
      dimensions: [of("carrier")],
      measures: [{ ...of("km"), aggregation: { type: "count" } }],
      where: [{ expression: "? = ?", parameters: [of("region"), event?.mark.category] }],
    });
    assert.equal(
      rows,
      expected.data.map(([carrier, count]) => [carrier.id, count]),
    );
    await page.locator('[part="chip"]').waitFor();
    await page.close();
  });

  test.deep("several events and a link are offered in a menu at the mark", async () => {
    const page = await show(360);
    const bar = cell(page, "several").locator("rect[data-mark]").first();
    await bar.scrollIntoViewIfNeeded();
    await bar.click();
    const menu = page.getByRole("menu");
    await menu.waitFor();
    const entries = await menu.getByRole("menuitem").allTextContents();
    assert.equal(entries, ["Filter by this", "Open the region", "Call the region", "Open link"]);
    const address = await menu.getByRole("menuitem", { name: "Open link" }).getAttribute("href");
    assert.match(address ?? "", /^https:\/\/crm\.example\/(north|south|east|west)\?km=\d+$/);
    assert.is(await page.locator('[part="chip"]').count(), 0);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => (Reflect.get(window, "seen") as unknown[]).length === 1);
    assert.is((await seen(page))[0]?.name, "call");
    await menu.waitFor({ state: "detached" });
    await page.close();
  });

  test.deep(
    "the menu of a mark opens with the keyboard, and Escape returns to the chart",
    async () => {
      const page = await show();
      await cell(page, "several").locator(".mf-plot").focus();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
      const menu = page.getByRole("menu");
      await menu.waitFor();
      assert.equal(await findBarriers(page, "main"), []);
      await page.keyboard.press("Escape");
      await menu.waitFor({ state: "detached" });
      const isBack = await page.evaluate(
        () =>
          document.activeElement?.shadowRoot?.activeElement?.classList.contains("mf-plot") === true,
      );
      assert.is(isBack, true);
      await page.close();
    },
  );
});
