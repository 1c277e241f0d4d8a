import type { Browser, Page } from "playwright-core";
import * as assert from "uvu/assert";
import type { DashboardState, ManifoldDashboard } from "../../../../core/web/embed/index.ts";
import { openBrowser } from "../../../support/openBrowser.ts";
import { suite } from "../../../support/suite.ts";
import { findBarriers } from "../console/findBarriers.ts";
import { openPages, type Pages } from "../console/openPages.ts";
import type { Dataset } from "../../openPeople.ts";
import { fieldOf, itemOf, openDashboardHost, type DashboardHost } from "./openDashboardHost.ts";

type Json = Readonly<Record<string, unknown>>;

/** Adds a dashboard to the page, and waits until its items have loaded. Records its states and failures. */
async function begin({
  attributes,
  state,
}: {
  attributes: Readonly<Record<string, string>>;
  state?: Json;
}) {
  const script = `${location.origin}/embed.js`;
  await import(script);
  const made: ManifoldDashboard = document.createElement("manifold-dashboard");
  const seen: { states: unknown[]; failures: string[] } = { states: [], failures: [] };
  Object.assign(window, { embedded: made, seen });
  if (state) Object.assign(made, { state });
  const loaded = new Promise<void>((resolve) => {
    const ids = new Set<string>();
    let count = Infinity;
    made.addEventListener("ready", ({ detail }) => (count = detail.itemIds.length));
    made.addEventListener("load", ({ detail }) => {
      ids.add(detail.itemId);
      // Controls of dates have no query.
      if (ids.size >= count - 1) resolve();
    });
  });
  made.addEventListener("statechange", ({ detail }) => seen.states.push(detail));
  made.addEventListener("error", (event) => {
    if (event instanceof CustomEvent) seen.failures.push(JSON.stringify(event.detail));
  });
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  document.querySelector("main")!.replaceChildren(made);
  await loaded;
}

const seenIn = (page: Page) =>
  page.evaluate(() => {
    const { seen, embedded } = window as unknown as {
      readonly seen: { readonly states: readonly Json[]; readonly failures: readonly string[] };
      readonly embedded: ManifoldDashboard;
    };
    return { ...seen, now: embedded.state };
  });
const total = (page: Page, itemId = "total") =>
  page.evaluate(async (id) => {
    const { embedded } = window as unknown as { readonly embedded: ManifoldDashboard };
    return (await embedded.getData(id)).rows[0]?.[0];
  }, itemId);

suite("core/web/embed/controls in a page", (test) => {
  let host: DashboardHost;
  let pages: Pages;
  let browser: Browser;
  let page: Page;
  let dataset: Dataset;
  let comparing: string;
  let attributes: Readonly<Record<string, string>>;
  const dayMs = 86_400_000;

  test.before(async () => {
    host = await openDashboardHost();
    // One row per city: city 7 has no name, city 8 an empty one. City n was founded n tenths of a day ago.
    const now = Date.now();
    const made = await host.people.owner.create<{ rows: { id: string; columns: Json[] }[] }>(
      "data",
      {
        type: "create",
        data: Array.from({ length: 1_500 }, (_, at) => [
          at === 7 ? null : at === 8 ? "" : `City ${String(at).padStart(4, "0")}`,
          new Date(now - (at * dayMs) / 10).toISOString(),
          1,
        ]),
        options: { header: ["city", "at", "count"] },
      },
    );
    const [{ id, columns }] = made.rows as [{ id: string; columns: Json[] }];
    dataset = {
      id,
      columns: Object.fromEntries(
        columns.map((each) => [String(each["source_name"]), String(each["id"])]),
      ),
    };
    const field = (name: string, more: Json) => fieldOf(dataset, name, more);
    const city = field("city", { type: "hierarchy" });
    const at = field("at", { type: "datetime" });
    const count = field("count", { type: "numeric", aggregationFunc: "sum" });
    const offsetDateColumn = { id: dataset.columns["at"], datasetId: dataset.id };
    const earlier = { ...count, periodOverPeriod: { type: "past", level: 1, offsetDateColumn } };
    const dashboard = await host.create(
      [
        itemOf("menu", "dropdown-filter", { dimension: [city] }, [0, 0, 12, 6]),
        itemOf("list", "slicer-filter", { dimension: [city] }, [12, 0, 12, 18]),
        itemOf("when", "date-comparison-filter", { time: [at] }, [24, 0, 12, 6]),
        itemOf("total", "evolution-number", { measure: [count] }, [36, 0, 12, 9]),
      ],
      {
        filterGroups: [
          {
            id: "default",
            origin: "filterFromVizItem",
            itemId: "when",
            condition: "and",
            datasetId: dataset.id,
            filters: [
              {
                expression: "last_now",
                parameters: [
                  { columnId: dataset.columns["at"], datasetId: dataset.id },
                  { unit: 5, quantity: 30 },
                ],
                properties: { type: "where" },
              },
            ],
          },
        ],
      },
    );
    comparing = await host.create([
      itemOf("when", "date-comparison-filter", { time: [at] }, [0, 0, 12, 6]),
      itemOf("earlier", "evolution-number", { measure: [earlier] }, [0, 6, 12, 9]),
    ]);
    const { pair } = await host.people.mint({
      access: {
        dashboards: [dashboard, comparing].map((id) => ({ id, rights: "read" })),
        datasets: [{ id: dataset.id, rights: "use" }],
      },
    });
    attributes = {
      dashboard,
      host: host.people.host.url,
      "auth-key": pair.key,
      "auth-token": pair.token,
      locale: "de-DE",
      timezone: "UTC",
    };
    pages = await openPages({ connectTo: host.people.host.url });
    browser = await openBrowser();
    page = await pages.open(browser);
  });
  test.after(async () => {
    await browser?.close();
    await pages?.close();
    await host?.close();
  });

  test.deep(
    "a date filter opens with the author's range, which readers change or remove",
    async () => {
      await page.evaluate(begin, { attributes });
      assert.is(await total(page), 300);
      assert.equal(await page.locator(".mf-chip").allTextContents(), ["when: Letzte 30 Tage ×"]);
      await page.locator('[data-item="when"] .mf-field').click();
      assert.equal(await findBarriers(page, "main"), []);
      await page.getByRole("button", { name: "Letzte 7 Tage", exact: true }).click();
      await page.locator(".mf-chip", { hasText: "Letzte 7 Tage" }).waitFor();
      assert.is(await total(page), 70);
      const { now } = await seenIn(page);
      assert.equal(now, {
        version: 1,
        filters: { when: { range: { key: "last_now", unit: 5, quantity: 7 } } },
      });
      await page.locator(".mf-chip").click();
      await page.locator(".mf-chip").waitFor({ state: "detached" });
      assert.is(await total(page), 1_500);
      assert.equal((await seenIn(page)).now, { version: 1 });
      assert.equal(pages.reports, []);
    },
  );

  test.deep("a reader picks days with the keyboard and types days", async () => {
    await page.evaluate(begin, { attributes });
    await page.locator('[data-item="when"] .mf-field').press("Enter");
    const from = page.getByLabel("Von");
    await from.fill("31.02.2026");
    await from.press("Tab");
    await page.getByRole("alert").getByText("Geben Sie ein Datum ein").waitFor();
    await from.fill("1.2.2026");
    await from.press("Tab");
    await page.locator(".mf-chip", { hasText: "01.02.2026 – …" }).waitFor();
    const cell = page.locator('.mf-calendar [tabindex="0"]');
    assert.is(await cell.getAttribute("data-day"), "2026-02-01");
    await cell.press("PageDown");
    await cell.press("End");
    await cell.press("ArrowRight");
    assert.is(await cell.getAttribute("data-day"), "2026-03-02");
    await cell.press("Enter");
    await page.locator(".mf-panel").waitFor({ state: "detached" });
    const { now, failures } = await seenIn(page);
    assert.equal(now?.filters, {
      when: {
        range: { key: "custom", customRange: { from: "2026-02-01", to: "2026-03-02" } },
      },
    });
    assert.equal(failures, []);
    const isFocused = await page
      .locator('[data-item="when"] .mf-field')
      .evaluate((field) => field.matches(":focus"));
    assert.ok(isFocused);
    assert.equal(pages.reports, []);
  });

  test.deep("a reader compares a range of dates with the period before it", async () => {
    const range = { key: "last_completed", unit: 5, quantity: 7 };
    const state = { version: 1, filters: { when: { range } } };
    await page.evaluate(begin, { attributes: { ...attributes, dashboard: comparing }, state });
    // No row is as old as a year, with which the dashboard compares.
    assert.is(await total(page, "earlier"), null);
    await page.locator('[data-item="when"] .mf-field').click();
    await page.locator(".mf-compare select").selectOption("period");
    await page.locator(".mf-chip", { hasText: "Zeitraum" }).waitFor();
    assert.is(await total(page, "earlier"), 70);
    const { now, failures } = await seenIn(page);
    assert.equal(now, { version: 1, filters: { when: { range, compare: "period" } } });
    assert.equal(failures, []);
    await page.locator(".mf-compare select").selectOption("none");
    await page.locator(".mf-chip", { hasNotText: "Zeitraum" }).waitFor();
    assert.is(await total(page, "earlier"), null);
  });

  test.deep("a reader compares days with as many days from another day on", async () => {
    const daysAgo = (count: number) =>
      new Date(Date.now() - count * dayMs).toISOString().slice(0, 10);
    const range = { key: "custom", customRange: { from: daysAgo(20), to: daysAgo(16) } };
    const state = { version: 1, filters: { when: { range: { key: "YTD" } } } };
    await page.evaluate(begin, { attributes: { ...attributes, dashboard: comparing }, state });
    await page.locator('[data-item="when"] .mf-field').click();
    const compare = page.locator(".mf-compare");
    await compare.locator("select").selectOption("days");
    await compare.getByText("Wählen Sie oben einen ersten und einen letzten Tag").waitFor();
    await page.getByRole("textbox", { name: "Von", exact: true }).fill(range.customRange.from);
    const to = page.getByRole("textbox", { name: "Bis", exact: true });
    await to.fill(range.customRange.to);
    await to.press("Tab");
    const from = compare.getByRole("textbox", { name: "Ab", exact: true });
    await from.fill(daysAgo(20));
    await from.press("Tab");
    await compare.getByText("Wählen Sie einen Tag vor dem ersten Tag").waitFor();
    await from.fill(daysAgo(60));
    await from.press("Tab");
    const last = new Intl.DateTimeFormat("de-DE", { dateStyle: "medium", timeZone: "UTC" }).format(
      new Date(daysAgo(56)),
    );
    await compare.getByText(`– ${last}`).waitFor();
    assert.equal(await findBarriers(page, "main"), []);
    assert.is(await total(page, "earlier"), 50);
    const { now, failures } = await seenIn(page);
    assert.equal(now?.filters, { when: { range, compare: { from: daysAgo(60) } } });
    assert.equal(failures, []);
  });

  test.deep(
    "lists and menus find every value on the host, and say how many they show",
    async () => {
      await page.evaluate(begin, { attributes, state: { version: 1 } });
      const list = page.locator('[data-item="list"]');
      await list.getByText("1.000 von 1.499 Werten").waitFor();
      await list.getByText("(keine)").waitFor();
      await list.getByText("(leer)").waitFor();
      await list.locator('input[type="search"]').fill("1499");
      await list.locator("label", { hasText: "City 1499" }).click();
      await list.locator("label", { hasText: "City 0000" }).waitFor({ state: "detached" });
      await list.locator('input[type="search"]').fill("");
      await list.getByText("1.000 von 1.499 Werten").waitFor();
      // The chosen value stays in the list, although the list ends before it.
      assert.ok(await list.locator("label", { hasText: "City 1499" }).locator("input").isChecked());
      assert.is(await total(page), 1);
      await page.locator(".mf-chip").click();
      await page.locator(".mf-chip").waitFor({ state: "detached" });
      await list.locator("label", { hasText: "City 1499" }).waitFor({ state: "detached" });

      const menu = page.locator('[data-item="menu"] .mf-field');
      await menu.press("ArrowDown");
      const search = page.getByRole("combobox");
      await search.fill("city 14");
      await page.getByRole("option", { name: "City 1499" }).waitFor();
      assert.is(await page.getByRole("option").count(), 100);
      assert.equal(await findBarriers(page, "main"), []);
      await search.press("ArrowDown");
      await search.press("Enter");
      await page.locator(".mf-chip", { hasText: "menu: City 1401" }).waitFor();
      assert.is(await total(page), 1);
      // The list shows the values that the menu leaves.
      await list.locator("label", { hasText: "City 1401" }).waitFor();
      assert.is(await list.locator("label").count(), 1);
      assert.equal((await seenIn(page)).now?.filters, { menu: { values: ["City 1401"] } });
      assert.equal(pages.reports, []);
    },
  );

  test.deep("a page stores the state of a dashboard and opens it again", async () => {
    const state: DashboardState = {
      version: 1,
      filters: {
        list: { values: ["City 0001", null, ""] },
        when: { range: { key: "last_now", unit: 5, quantity: 7 } },
      },
    };
    await page.evaluate(begin, { attributes, state: { ...state } });
    assert.is(await total(page), 3);
    assert.equal((await seenIn(page)).states, [{ state, ignored: [] }]);
    await page.getByRole("button", { name: "Alle entfernen" }).click();
    await page.locator(".mf-chip").first().waitFor({ state: "detached" });
    assert.is(await total(page), 1_500);
    await page.evaluate(() => {
      const { embedded } = window as unknown as { readonly embedded: ManifoldDashboard };
      const unknown: unknown = {
        version: 1,
        filters: { list: { values: ["City 0002"] }, when: { text: "x" } },
        selections: { total: [["x"]] },
      };
      Object.assign(embedded, { state: unknown });
    });
    assert.is(await total(page), 1);
    const { states } = await seenIn(page);
    assert.equal(states.at(-1), {
      state: { version: 1, filters: { list: { values: ["City 0002"] } } },
      ignored: ["filters.when", "selections.total"],
    });
    await page.locator(".mf-chips .mf-note", { hasText: "when, total" }).waitFor();
    assert.equal(pages.reports, []);
  });
});
