import type { Browser, Page } from "playwright-core";
import * as assert from "uvu/assert";
import type { ManifoldDashboard } from "../../../../core/web/embed/index.ts";
import { openBrowser } from "../../../support/openBrowser.ts";
import { suite } from "../../../support/suite.ts";
import type { Person } from "../../openPeople.ts";
import { findBarriers } from "../console/findBarriers.ts";
import { fieldOf, itemOf, openDashboardHost, type DashboardHost } from "./openDashboardHost.ts";
import { openPages, type Pages } from "../console/openPages.ts";

type Embedded = {
  readonly embedded: ManifoldDashboard;
  readonly failures: readonly string[];
  readonly loads: readonly string[];
};

/** Strings that would run or break the page if they were inserted as markup. */
const hostile = [
  `<script>window.broken = 1</script>`,
  `"><img src=x onerror="window.broken = 1">`,
  `</text></svg><iframe srcdoc="<script>parent.broken = 1</script>">`,
  `{{constructor.constructor("broken = 1")()}}`,
  `\u202egnp.exe\u2066 turned`,
  `javascript:window.broken=1`,
] as const;

/** Adds a dashboard to the page, and records its events. */
async function begin(attributes: Readonly<Record<string, string>>): Promise<void> {
  const script = `${location.origin}/embed.js`;
  await import(script);
  const made = document.createElement("manifold-dashboard");
  const failures: string[] = [];
  const loads: string[] = [];
  made.addEventListener("error", (event) => {
    failures.push(
      (event as unknown as CustomEvent<{ itemId?: string }>).detail.itemId ?? "dashboard",
    );
  });
  made.addEventListener("load", (event) => {
    loads.push((event as CustomEvent<{ itemId: string }>).detail.itemId);
  });
  Object.assign(window, { embedded: made, failures, loads });
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  document.querySelector("main")!.replaceChildren(made);
}

const until = (page: Page, itemId: string, among: "loads" | "failures" = "loads") =>
  page.waitForFunction(
    ([id, list]) => (window as unknown as Embedded)[list as "loads"].includes(id!),
    [itemId, among],
  );

const rowsOf = (page: Page, itemId: string) =>
  page.evaluate(
    async (id) => (await (window as unknown as Embedded).embedded.getData(id)).rows,
    itemId,
  );

suite("core/web/embed under faults", (test) => {
  let host: DashboardHost;
  let pages: Pages;
  let browser: Browser;
  test.before(async () => {
    host = await openDashboardHost();
    pages = await openPages({ connectTo: host.people.host.url });
    browser = await openBrowser();
  });
  test.after(async () => {
    await browser?.close();
    await pages?.close();
    await host?.close();
  });
  const attributesOf = (dashboard: string, { pair }: Person) => ({
    dashboard,
    host: host.people.host.url,
    "auth-key": pair.key,
    "auth-token": pair.token,
    locale: "en",
    timezone: "UTC",
  });
  const ofPolicy = () => pages.reports.filter((report) => report.startsWith("policy:"));

  test.deep(
    "scripts and markup in names, values, titles, CSS and themes appear as text and never run",
    async () => {
      const { owner } = host.people;
      const pushed = await owner.create<{
        rows: { id: string; columns: Readonly<Record<string, unknown>>[] }[];
      }>("data", {
        type: "create",
        data: hostile.map((text, index) => [text, index + 1]),
        options: { header: ["name", "size"], name: { en: hostile[0] } },
      });
      const [made] = pushed.rows;
      const columns = Object.fromEntries(
        (made?.columns ?? []).map((column) => [column["source_name"], column["id"]]),
      );
      const dataset = { id: made!.id, columns };
      const name = fieldOf(dataset, "name", { type: "hierarchy", label: { en: hostile[1] } });
      const size = fieldOf(dataset, "size", { type: "numeric", aggregationFunc: "sum" });
      const titled = { title: { en: hostile[2] } };
      const dashboard = await host.create([
        itemOf("bars", "bar-chart", { "y-axis": [name], measure: [size] }, [0, 0, 24, 20], titled),
        itemOf("rows", "regular-table", { columns: [name, size] }, [24, 0, 24, 20], titled),
        itemOf("list", "slicer-filter", { dimension: [name] }, [0, 20, 24, 16], titled),
        itemOf("odd", "<img src=x onerror=broken=1>", { a: [name] }, [24, 20, 24, 16], titled),
      ]);
      await owner.update("securable", dashboard, {
        css: `</style><script>window.broken = 1</script> :root { background: url(javascript:broken=1); }
          .item { color: expression(broken = 1); background: url("https://example.org/a.png") }`,
      });
      const viewer = await host.people.mint({
        access: {
          dashboards: [{ id: dashboard, rights: "read" }],
          datasets: [{ id: dataset.id, rights: "use" }],
        },
        theme: { background: "url(javascript:broken=1)", colors: ["red;} * { display: none", 7] },
      });
      const page = await pages.open(browser);
      const origins: string[] = [];
      page.on("request", (request) => origins.push(new URL(request.url()).origin));
      await page.evaluate(begin, attributesOf(dashboard, viewer));
      for (const id of ["bars", "rows", "list", "odd"]) await until(page, id);
      const text = (await page.locator('[data-item="rows"]').textContent()) ?? "";
      await page.locator('[data-item="bars"] [data-mark]').first().click();
      await page.locator(".mf-chip").waitFor();
      await page.locator('[data-item="bars"] .mf-plot').focus();
      await page.keyboard.press("Home");
      const found = await page.evaluate(() => {
        const root = (window as unknown as Embedded).embedded.shadowRoot!;
        return {
          broken: "broken" in window,
          foreign: [...root.querySelectorAll("script, img, iframe, object, style, link, a[href]")]
            .length,
          handlers: [...root.querySelectorAll("*")].filter((each) =>
            each.getAttributeNames().some((attribute) => attribute.startsWith("on")),
          ).length,
        };
      });
      assert.equal([found.broken, found.foreign, found.handlers], [false, 0, 0]);
      for (const each of [hostile[0], hostile[1], hostile[3], hostile[5]])
        assert.ok(text.includes(each), each);
      // The embed script removes bidirectional marks.
      assert.not.ok(/[\u202a-\u202e\u2066-\u2069]/.test(text));
      assert.equal(new Set(origins), new Set([pages.url, host.people.host.url]));
      assert.equal(pages.reports, []);
      await page.close();
    },
  );

  test.deep(
    "an item without rows says that access is limited, and what the choices leave",
    async () => {
      const { dataset } = host;
      const viewer = await host.mint({
        filters: [
          {
            securable_id: dataset.id,
            column_id: dataset.columns["region"],
            expression: "? = ?",
            value: "atlantis",
          },
        ],
      });
      const page = await pages.open(browser);
      await page.evaluate(begin, attributesOf(host.dashboardId, viewer));
      for (const id of ["by region", "rows"]) {
        const cell = page.locator(`[data-item="${id}"]`);
        await cell
          .getByText("This page limits your access to a part of the data.", { exact: true })
          .first()
          .waitFor();
        assert.not.match((await cell.textContent()) ?? "", "3,000");
      }
      await page.close();
    },
  );

  test.deep(
    "the reason why a dashboard cannot be loaded fits its element at every width",
    async () => {
      for (const width of [360, 900, 1440]) {
        const page = await pages.open(browser, { width, height: 640 });
        await page.evaluate(
          async (attributes) => {
            const script = `${location.origin}/embed.js`;
            await import(script);
            const made = document.createElement("manifold-dashboard");
            for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
            document.querySelector("main")!.replaceChildren(made);
          },
          { ...attributesOf(host.dashboardId, host.viewer), "auth-token": "wrong" },
        );
        const problem = page.locator(".mf-problem");
        const retry = problem.getByRole("button");
        await retry.waitFor();
        const [around, text, button] = await Promise.all(
          [page.locator("manifold-dashboard"), problem, retry].map((each) => each.boundingBox()),
        );
        assert.ok(text!.width > 0.8 * around!.width, `${text!.width} of ${around!.width} px`);
        assert.ok(
          button!.y + button!.height <= around!.y + around!.height,
          "the button is visible",
        );
        await page.close();
      }
    },
  );

  test.deep("a focused chart has a ring above its picture", async () => {
    const page = await pages.open(browser);
    await page.evaluate(begin, attributesOf(host.dashboardId, host.viewer));
    const plot = page.locator('[data-item="by region"] .mf-plot');
    await plot.locator("[data-mark]").first().waitFor();
    await plot.focus();
    await page.keyboard.press("ArrowRight");
    const ring = await plot.evaluate((element) => {
      const { boxShadow, position, content } = getComputedStyle(element, "::after");
      return { boxShadow, position, content };
    });
    assert.match(ring.boxShadow, "inset");
    assert.equal([ring.position, ring.content], ["absolute", '""']);
    await page.close();
  });

  test.deep("a failing or slow item does not affect the other items of a dashboard", async () => {
    const km = fieldOf(host.dataset, "km", { type: "numeric", aggregationFunc: "sum" });
    const region = fieldOf(host.dataset, "region", { type: "hierarchy" });
    const carrier = fieldOf(host.dataset, "carrier", { type: "hierarchy" });
    const nothing = { ...region, datasetId: "7a1f7d3c-7a44-4f0b-9c7b-0d5f3f0a1b2c" };
    const bars = (id: string, field: object, place: readonly [number, number, number, number]) =>
      itemOf(id, "bar-chart", { "y-axis": [{ ...field }], measure: [km] }, place);
    const dashboard = await host.create([
      bars("fails", nothing, [0, 0, 16, 18]),
      bars("slow", carrier, [16, 0, 16, 18]),
      bars("good", region, [32, 0, 16, 18]),
    ]);
    const page = await pages.open(browser);
    const release: (() => void)[] = [];
    await page.route("**/0.1.0/data", async (route) => {
      const body = route.request().postData() ?? "";
      if (body.includes(String(host.dataset.columns["carrier"])))
        await new Promise<void>((resolve) => release.push(resolve));
      await route.continue();
    });
    await page.evaluate(begin, attributesOf(dashboard, await host.mint()));
    await until(page, "good");
    await until(page, "fails", "failures");
    const reason = await page.locator('[data-item="fails"] .mf-state').innerText();
    assert.match(reason, "These data no longer exist, or you do not have access to them.");
    assert.is(await page.locator('[data-item="fails"] .mf-state button').count(), 1);
    assert.is(await page.locator('[data-item="slow"] [aria-busy="true"]').count(), 1);
    assert.equal(await findBarriers(page, "main"), []);
    for (const each of release) each();
    await until(page, "slow");
    assert.is((await rowsOf(page, "slow")).length, 3);
    assert.equal(ofPolicy(), []);
    await page.close();
  });

  test.deep(
    "a query is answered once the browser is online again, or the host has restarted",
    async () => {
      const page = await pages.open(browser);
      await page.evaluate(begin, attributesOf(host.dashboardId, await host.mint()));
      await until(page, "by region");
      const before = await rowsOf(page, "by region");
      await page.context().setOffline(true);
      const refreshed = page.evaluate(() => (window as unknown as Embedded).embedded.refresh());
      await page.locator('[data-item="by region"] [aria-busy="true"]').waitFor();
      await page.context().setOffline(false);
      await refreshed;
      assert.equal(await rowsOf(page, "by region"), before);
      // A host that is starting first refuses connections, and then responds that it is not ready.
      let refusals = 0;
      await page.route("**/0.1.0/data", async (route) => {
        refusals++;
        if (refusals <= 6) return route.abort("connectionrefused");
        if (refusals <= 12) return route.fulfill({ status: 503, body: "starting" });
        return route.continue();
      });
      await page.evaluate(() => (window as unknown as Embedded).embedded.refresh());
      assert.ok(refusals > 12);
      assert.equal(await rowsOf(page, "by region"), before);
      const failures = await page.evaluate(() => (window as unknown as Embedded).failures);
      assert.equal(failures, []);
      assert.equal(ofPolicy(), []);
      await page.close();
    },
  );

  test.deep(
    "the export method returns the host's files, and rejects with the reason if an export fails",
    async () => {
      const page = await pages.open(browser);
      await page.evaluate(begin, attributesOf(host.dashboardId, await host.mint()));
      await until(page, "rows");
      const files = await page.evaluate(async () => {
        const { embedded } = window as unknown as Embedded;
        const events: unknown[] = [];
        embedded.addEventListener("export", (event) => {
          const { type, itemId, file } = Reflect.get(event, "detail");
          events.push([type, itemId ?? null, file instanceof Blob]);
        });
        const head = async (type: string, itemId?: string) => {
          const file = await embedded.export(type, itemId);
          return (await file.text()).slice(0, 60);
        };
        const csv = await head("csv", "rows");
        const pdf = await head("pdf");
        const reason = await embedded.export("csv", "nothing").then(
          () => "",
          (failure: Error) => failure.message,
        );
        return { csv, pdf, reason, events };
      });
      assert.match(files.csv, /region.*carrier.*km/, files.csv);
      assert.match(files.pdf, /^%PDF-/);
      assert.match(files.reason, /nothing/);
      assert.equal(files.events, [
        ["csv", "rows", true],
        ["pdf", null, true],
      ]);
      assert.equal(ofPolicy(), []);
      await page.close();
    },
  );

  test.deep("dashboards have no transitions for a reader who prefers reduced motion", async () => {
    const page = await pages.open(browser);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.evaluate(begin, attributesOf(host.dashboardId, await host.mint()));
    await until(page, "by region");
    const moves = await page.evaluate(() => {
      const root = (window as unknown as Embedded).embedded.shadowRoot!;
      const all = [...root.querySelectorAll(".mf-view *")];
      return all.filter((each) => getComputedStyle(each).transitionDuration !== "0s").length;
    });
    assert.is(moves, 0);
    await page.close();
  });
});
