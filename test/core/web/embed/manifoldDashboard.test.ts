import type { Browser, Page } from "playwright-core";
import * as assert from "uvu/assert";
import type { ManifoldDashboard } from "../../../../core/web/embed/index.ts";
import { openBrowser } from "../../../support/openBrowser.ts";
import { suite } from "../../../support/suite.ts";
import { findBarriers } from "../console/findBarriers.ts";
import type { Person } from "../../openPeople.ts";
import {
  fieldOf,
  itemOf,
  openDashboardHost,
  regions,
  type DashboardHost,
} from "./openDashboardHost.ts";
import { openPages, type Pages } from "../console/openPages.ts";

interface Attributes {
  readonly attributes: Readonly<Record<string, string>>;
  readonly tag?: "manifold-dashboard" | "manifold-item";
  readonly height?: number;
}

/** Adds an element to the page, and waits until all its items have loaded or failed. Returns its events. */
async function embed({ attributes, tag = "manifold-dashboard", height }: Attributes) {
  const script = `${location.origin}/embed.js`;
  await import(script);
  const made = document.createElement(tag);
  const events: { readonly name: string; readonly detail: unknown }[] = [];
  Object.assign(window, { embedded: made, embeddedEvents: events });
  for (const name of ["ready", "load", "filter", "error", "drill", "export"])
    made.addEventListener(name, (event) => {
      events.push({ name, detail: (event as CustomEvent<unknown>).detail });
    });
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (height !== undefined) made.style.setProperty("height", `${height}px`);
  document.querySelector("main")!.replaceChildren(made);
  const settled = () => {
    const ready = events.find(({ name }) => name === "ready");
    const failed = events.filter(({ name }) => name === "error");
    if (!ready) return failed.length > 0;
    const { itemIds } = ready.detail as { itemIds: readonly string[] };
    const loaded = new Set(
      events
        .filter(({ name }) => name === "load" || name === "error")
        .map(({ detail }) => (detail as { itemId?: string }).itemId),
    );
    return itemIds.every((id) => loaded.has(id) || id === "search");
  };
  for (let waits = 0; !settled(); waits++) {
    if (waits > 3_000) throw new Error(`the items did not load: ${JSON.stringify(events)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return events;
}

/** Returns the rows that items show, as the page gets them. */
async function dataOf(ids: readonly string[]): Promise<unknown[]> {
  const { embedded } = window as unknown as { readonly embedded: ManifoldDashboard };
  return Promise.all(ids.map(async (id) => (await embedded.getData(id)).rows));
}

suite("core/web/embed/elements", (test) => {
  let host: DashboardHost;
  let pages: Pages;
  let browser: Browser;
  let page: Page;
  test.before(async () => {
    host = await openDashboardHost();
    pages = await openPages({ connectTo: host.people.host.url });
    browser = await openBrowser();
    page = await pages.open(browser);
  });
  test.after(async () => {
    await browser?.close();
    await pages?.close();
    await host?.close();
  });
  const attributesOf = (more: Readonly<Record<string, string>> = {}) => ({
    dashboard: host.dashboardId,
    host: host.people.host.url,
    "auth-key": host.viewer.pair.key,
    "auth-token": host.viewer.pair.token,
    locale: "en",
    timezone: "UTC",
    ...more,
  });
  const rowsOf = async (where: readonly object[], dimension: string): Promise<unknown> => {
    const column = (name: string) => ({
      dataset_id: host.dataset.id,
      column_id: host.dataset.columns[name],
    });
    const { data } = await host.viewer.get<{ data: unknown[][] }>("data", {
      dimensions: [column(dimension)],
      measures: [{ ...column("km"), aggregation: { type: "sum" } }],
      order: [{ ...column("km"), aggregation: { type: "sum" }, order: "desc" }],
      where,
    });
    return data;
  };
  const regionIs = (value: string) => ({
    expression: "? in ?",
    parameters: [
      { dataset_id: host.dataset.id, column_id: host.dataset.columns["region"] },
      [value],
    ],
  });

  test.deep(
    "a dashboard embedded in another origin shows the host's answers and violates no security policy",
    async () => {
      const events = await page.evaluate(embed, { attributes: attributesOf() });
      assert.equal(
        events.filter(({ name }) => name === "error"),
        [],
      );
      const [byRegion] = await page.evaluate(dataOf, ["by region"]);
      assert.equal(byRegion, await rowsOf([], "region"));
      assert.equal(await findBarriers(page, "main"), []);
      assert.equal(pages.reports, []);
    },
  );

  test.deep(
    "clicking a bar filters all items except the bar's own, until the chip of the filter is removed",
    async () => {
      await page.evaluate(embed, { attributes: attributesOf() });
      const [before, all] = await page.evaluate(dataOf, ["total", "by region"]);
      await page.locator('[data-item="by region"] [data-mark]').first().click();
      const region = (all as { id: string }[][])[0]![0]!.id;
      assert.ok(regions.includes(region as "north"));
      await page.locator(".mf-chip").waitFor();
      const [total, own] = await page.evaluate(dataOf, ["total", "by region"]);
      assert.equal(own, all);
      assert.equal(total, [[((await rowsOf([regionIs(region)], "region")) as number[][])[0]![1]]]);
      await page.locator(".mf-chip").click();
      assert.equal((await page.evaluate(dataOf, ["total"]))[0], before);
      // Escape ends what a click chose, even while the pointer is still on the mark.
      await page.locator('[data-item="by region"] [data-mark]').first().click();
      await page.locator(".mf-chip").waitFor();
      await page.keyboard.press("Escape");
      await page.locator(".mf-chip").waitFor({ state: "detached" });
      assert.equal((await page.evaluate(dataOf, ["total"]))[0], before);
      assert.equal(pages.reports, []);
    },
  );

  test.deep(
    "the items are filtered by lists, search boxes and the page's own filters, and the page receives an event",
    async () => {
      await page.evaluate(embed, { attributes: attributesOf() });
      await page.locator('[data-item="carrier"] input').first().check();
      await page.locator(".mf-chip").waitFor();
      const carrier = await page.locator('[data-item="carrier"] label').first().textContent();
      const [byRegion] = await page.evaluate(dataOf, ["by region"]);
      const carrierIs = {
        expression: "? = ?",
        parameters: [
          { dataset_id: host.dataset.id, column_id: host.dataset.columns["carrier"] },
          carrier,
        ],
      };
      assert.equal(byRegion, await rowsOf([carrierIs], "region"));
      await page.locator('[data-item="search"] input').fill("nor");
      await page.locator(".mf-chip").nth(1).waitFor();
      const [searched] = await page.evaluate(dataOf, ["by region"]);
      assert.equal(searched, await rowsOf([carrierIs, regionIs("north")], "region"));
      await page.evaluate((filter) => {
        const { embedded } = window as unknown as { readonly embedded: ManifoldDashboard };
        embedded.setFilter("south", [filter], "South alone");
      }, regionIs("south"));
      assert.equal((await page.evaluate(dataOf, ["by region"]))[0], []);
      const chips = await page.locator(".mf-chip").allTextContents();
      assert.equal(chips, [`carrier: ${carrier} ×`, "search: nor ×", "South alone ×"]);
      assert.equal(pages.reports, []);
    },
  );

  test.deep(
    "filters that the page sets never reveal rows that the token's filters hide",
    async () => {
      const { pair } = await host.mint({
        username: "u-north",
        filters: [
          {
            clause: "where",
            origin: "global",
            securable_id: host.dataset.id,
            column_id: host.dataset.columns["region"],
            expression: "? = ?",
            value: "north",
          },
        ],
      });
      const own = { "auth-key": pair.key, "auth-token": pair.token };
      await page.evaluate(embed, { attributes: attributesOf(own) });
      const [byRegion] = await page.evaluate(dataOf, ["by region"]);
      assert.equal(byRegion, await rowsOf([regionIs("north")], "region"));
      const filters = JSON.stringify([regionIs("south")]);
      await page.evaluate(embed, { attributes: attributesOf({ ...own, filters }) });
      assert.equal((await page.evaluate(dataOf, ["by region"]))[0], []);
    },
  );

  test.deep(
    "a dashboard has the themes, CSS, language and time zone of the server's pictures, unless the page overrides them",
    async () => {
      const stored = await host.people.owner.create<{ id: string }>("theme", {
        name: { en: "Sea" },
        theme: { type: "dark", itemsBackground: "#10242b", mainColor: "#4fc3d9" },
      });
      const km = fieldOf(host.dataset, "km", { type: "numeric", aggregationFunc: "sum" });
      const region = fieldOf(host.dataset, "region", { type: "hierarchy" });
      const bars = { "y-axis": [region], measure: [km] };
      const dashboard = await host.create([itemOf("bars", "bar-chart", bars, [0, 0, 48, 20])], {});
      await host.people.owner.update("securable", dashboard, {
        css: ":root { --manifold-muted: #b0c4c9 } .item { color: url(https://example.org) }",
      });
      const tokenOf = (own: Readonly<Record<string, unknown>>) => host.mint(own);
      const fills = async (more: Readonly<Record<string, string>>, viewer: Person) => {
        const { key, token } = viewer.pair;
        const { locale: _, timezone: __, ...plain } = attributesOf();
        const own = { ...plain, dashboard, "auth-key": key, "auth-token": token, ...more };
        const events = await page.evaluate(embed, { attributes: own });
        assert.equal(
          events.filter(({ name }) => name === "error"),
          [],
        );
        const { drawn, texts, file } = await page.evaluate(async () => {
          const { embedded } = window as unknown as { readonly embedded: ManifoldDashboard };
          const svg = embedded.shadowRoot!.querySelector('[data-item="bars"] svg')!;
          return {
            drawn: [...svg.querySelectorAll("[fill]")].map((each) => each.getAttribute("fill")),
            texts: [...svg.querySelectorAll("text")].map((each) => each.textContent).join(" "),
            file: await (await embedded.export("svg", "bars")).text(),
          };
        });
        const written = [...file.matchAll(/ fill="([^"]+)"/g)].map(([, fill]) => fill);
        const sorted = (colors: readonly unknown[]) => [...new Set(colors)].toSorted();
        return { drawn: sorted(drawn), written: sorted(written), texts };
      };
      const plain = await fills({}, await tokenOf({}));
      assert.equal(plain.drawn, plain.written);
      assert.ok(plain.drawn.includes("#b0c4c9") && plain.drawn.includes("#ffffff"));
      const sea = await tokenOf({
        theme_id: stored.id,
        locale_id: "nl",
        css: ".item { color: #fafafa }",
      });
      const themed = await fills({}, sea);
      assert.equal(themed.drawn, themed.written);
      for (const color of ["#10242b", "#4fc3d9", "#fafafa"])
        assert.ok(themed.drawn.includes(color), color);
      assert.match(themed.texts, /\d\.\d{3}/);
      const chosen = await fills({ theme: "light", locale: "en" }, sea);
      assert.equal(chosen.drawn, chosen.written);
      assert.not.ok(chosen.drawn.includes("#10242b"));
      assert.match(chosen.texts, /\d,\d{3}/);
      assert.equal(pages.reports, []);
    },
  );

  test.deep(
    "the + key or a double click shows the next finer level, and the - key or the chip shows the coarser level again",
    async () => {
      await page.evaluate(embed, { attributes: attributesOf() });
      const [months] = (await page.evaluate(dataOf, ["by month"])) as [unknown[][]];
      const at = (level: number) => ({
        dataset_id: host.dataset.id,
        column_id: host.dataset.columns["at"],
        level,
      });
      const km = { dataset_id: host.dataset.id, column_id: host.dataset.columns["km"] };
      const { data: days } = await host.viewer.get<{ data: unknown[][] }>("data", {
        dimensions: [at(5)],
        measures: [{ ...km, aggregation: { type: "sum" } }],
        where: [{ expression: "? in ?", parameters: [at(3), [months[0]![0]]] }],
      });
      assert.is(days.length, 31);
      const plot = page.locator('[data-item="by month"] .mf-plot');
      await plot.focus();
      await page.keyboard.press("Home");
      await page.keyboard.press("+");
      await page.locator(".mf-chip").waitFor();
      assert.equal((await page.evaluate(dataOf, ["by month"]))[0], days);
      // The other items still show all months.
      assert.is(((await page.evaluate(dataOf, ["by region"]))[0] as unknown[]).length, 4);
      await page.locator(".mf-chip").click();
      assert.equal((await page.evaluate(dataOf, ["by month"]))[0], months);
      await plot.dblclick({ position: { x: 20, y: 150 } });
      await page.locator(".mf-chip").waitFor();
      assert.equal((await page.evaluate(dataOf, ["by month"]))[0], days);
      await plot.focus();
      await page.keyboard.press("-");
      await page.locator(".mf-chip").waitFor({ state: "detached" });
      assert.equal((await page.evaluate(dataOf, ["by month"]))[0], months);
      const levels = await page.evaluate(() =>
        (
          window as unknown as {
            readonly embeddedEvents: readonly { name: string; detail: { level?: number } }[];
          }
        ).embeddedEvents.flatMap(({ name, detail }) => (name === "drill" ? [detail.level] : [])),
      );
      assert.equal(levels, [5, 3, 5, 3]);
      assert.equal(pages.reports, []);
    },
  );

  test.deep(
    "arrow keys move the handles of a slider, which cannot pass each other and filter nothing at the ends",
    async () => {
      const km = fieldOf(host.dataset, "km", { type: "numeric" });
      const sum = { ...km, aggregationFunc: "sum" };
      const region = fieldOf(host.dataset, "region", { type: "hierarchy" });
      const dashboard = await host.create([
        itemOf("range", "slider-filter", { dimension: [km] }, [0, 0, 16, 10]),
        itemOf("by region", "bar-chart", { "y-axis": [region], measure: [sum] }, [16, 0, 32, 18]),
      ]);
      const viewer = await host.mint();
      const { key, token } = viewer.pair;
      const own = { dashboard, "auth-key": key, "auth-token": token };
      await page.evaluate(embed, { attributes: attributesOf(own) });
      const handles = page.locator('.mf-slider input[type="range"]');
      assert.is(await handles.count(), 2);
      await handles.first().press("PageUp");
      await page.locator(".mf-chip").waitFor();
      const least = Number(
        await page.locator('.mf-pair input[type="number"]').first().inputValue(),
      );
      assert.ok(least > 0);
      const isAbove = {
        expression: "? >= ?",
        parameters: [{ dataset_id: host.dataset.id, column_id: host.dataset.columns["km"] }, least],
      };
      const [shown] = await page.evaluate(dataOf, ["by region"]);
      assert.equal(shown, await rowsOf([isAbove], "region"));
      await handles.nth(1).press("Home");
      const ends = await page
        .locator('.mf-pair input[type="number"]')
        .evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value));
      assert.is(ends[0], ends[1]);
      assert.equal(await findBarriers(page, "main"), []);
      await handles.nth(1).press("End");
      await handles.first().press("Home");
      await page.locator(".mf-chip").waitFor({ state: "detached" });
      assert.equal((await page.evaluate(dataOf, ["by region"]))[0], await rowsOf([], "region"));
      assert.equal(pages.reports, []);
    },
  );

  test.deep(
    "the token chooses the screen and the currency of a dashboard, and the page may choose another screen",
    async () => {
      const amount = fieldOf(host.dataset, "km", {
        type: "numeric",
        aggregationFunc: "sum",
        format: "$,.0f",
      });
      const number = (id: string) =>
        itemOf(id, "evolution-number", { measure: [amount] }, [0, 0, 24, 12]);
      const dashboard = await host.create([], {
        views: [
          { screenModus: "desktop", items: [number("wide")] },
          { screenModus: "mobile", items: [number("small")] },
        ],
      });
      const { pair } = await host.mint({ screenmode: "mobile", currency_id: "EUR" });
      const own = { dashboard, "auth-key": pair.key, "auth-token": pair.token };
      const shown = async (more: Readonly<Record<string, string>>) => {
        const events = await page.evaluate(embed, {
          attributes: attributesOf({ ...own, ...more }),
        });
        const ready = events.find(({ name }) => name === "ready")?.detail;
        const texts = await page.locator("manifold-dashboard svg").first().textContent();
        return { items: (ready as { itemIds: unknown }).itemIds, hasEuro: texts?.includes("€") };
      };
      assert.equal(await shown({}), { items: ["small"], hasEuro: true });
      assert.equal(await shown({ screen: "desktop" }), { items: ["wide"], hasEuro: true });
      assert.equal(pages.reports, []);
    },
  );

  test.deep("a single item fills its element, and narrow screens stack items", async () => {
    const attributes = { ...attributesOf(), item: "by month" };
    await page.evaluate(embed, { attributes, tag: "manifold-item" as const, height: 260 });
    const box = await page.locator("manifold-item svg").first().boundingBox();
    assert.is(Math.round(box?.height ?? 0), 260);
    const narrow = await pages.open(browser, { width: 360, height: 800 });
    await narrow.evaluate(embed, { attributes: attributesOf({ theme: "dark" }) });
    const boxes = await Promise.all(
      (await narrow.locator(".mf-cell").all()).map((cell) => cell.boundingBox()),
    );
    assert.ok(boxes.every((each) => (each?.width ?? 0) > 300));
    assert.is(await narrow.evaluate(() => document.documentElement.scrollWidth), 360);
    await narrow.close();
    assert.equal(pages.reports, []);
  });

  test.deep(
    "a refused token is renewed, and another person's dashboard fails with the same error as an unknown id",
    async () => {
      const second = await host.mint();
      await page.evaluate(
        async ({ attributes, pairs }) => {
          const script = `${location.origin}/embed.js`;
          await import(script);
          const made = document.createElement("manifold-dashboard");
          let calls = 0;
          made.getToken = () => Promise.resolve(pairs[Math.min(calls++, pairs.length - 1)]!);
          for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
          Object.assign(window, { embedded: made, calls: () => calls });
          const ready = new Promise((resolve) => {
            made.addEventListener("ready", resolve);
          });
          document.querySelector("main")!.replaceChildren(made);
          await ready;
        },
        {
          attributes: { dashboard: host.dashboardId, host: host.people.host.url },
          pairs: [host.viewer.pair, second.pair],
        },
      );
      const [before] = await page.evaluate(dataOf, ["by region"]);
      await host.people.owner.delete("authorization", host.viewer.pair.key);
      await page.evaluate(() =>
        (window as unknown as { embedded: ManifoldDashboard }).embedded.refresh(),
      );
      assert.equal((await page.evaluate(dataOf, ["by region"]))[0], before);
      assert.is(await page.evaluate(() => (window as unknown as { calls(): number }).calls()), 2);
      const attributes = {
        ...attributesOf(),
        "auth-key": second.pair.key,
        "auth-token": second.pair.token,
        dashboard: "5f2b1f0e-7d37-4c6c-9f8e-5a4d5d0f1c11",
      };
      const events = await page.evaluate(embed, { attributes });
      assert.is((events[0]!.detail as { status: number }).status, 404);
      assert.match(
        (await page.locator(".mf-problem").textContent()) ?? "",
        "does not exist, or this token has no access to it",
      );
    },
  );
});
