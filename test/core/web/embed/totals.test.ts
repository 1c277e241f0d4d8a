import type { Browser, Page } from "playwright-core";
import * as assert from "uvu/assert";
import type { ItemData, ManifoldDashboard } from "../../../../core/web/embed/index.ts";
import { openBrowser } from "../../../support/openBrowser.ts";
import { suite } from "../../../support/suite.ts";
import type { Person } from "../../openPeople.ts";
import { findBarriers } from "../console/findBarriers.ts";
import { fieldOf, itemOf, openDashboardHost, type DashboardHost } from "./openDashboardHost.ts";
import { openPages, type Pages } from "../console/openPages.ts";

type Embedded = { readonly embedded: ManifoldDashboard };

/** Adds a dashboard to the page, and waits until its items have loaded. */
async function begin(attributes: Readonly<Record<string, string>>): Promise<void> {
  const script = `${location.origin}/embed.js`;
  await import(script);
  const made = document.createElement("manifold-dashboard");
  Object.assign(window, { embedded: made });
  const loaded = new Promise((resolve, reject) => {
    let count = 0;
    made.addEventListener("load", () => ++count === 2 && resolve(count));
    made.addEventListener("error", (event) =>
      reject(new Error(JSON.stringify(Reflect.get(event, "detail")))),
    );
  });
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.style.setProperty("width", "900px");
  document.querySelector("main")!.replaceChildren(made);
  await loaded;
}

const data = (page: Page): Promise<ItemData> =>
  page.evaluate(() => (window as unknown as Embedded).embedded.getData("table"));

suite("core/web/embed: totals of tables", (test) => {
  let host: DashboardHost;
  let pages: Pages;
  let browser: Browser;
  let page: Page;
  let dashboard: string;
  test.before(async () => {
    host = await openDashboardHost();
    pages = await openPages({ connectTo: host.people.host.url });
    browser = await openBrowser();
    page = await pages.open(browser);
    const field = (name: string, more: object) => fieldOf(host.dataset, name, { ...more });
    const region = field("region", { type: "hierarchy" });
    dashboard = await host.create([
      itemOf(
        "bars",
        "bar-chart",
        {
          "y-axis": [region],
          measure: [field("km", { type: "numeric", aggregationFunc: "sum" })],
        },
        [0, 0, 16, 18],
      ),
      itemOf(
        "table",
        "regular-table",
        {
          columns: [
            region,
            field("carrier", { type: "hierarchy" }),
            field("km", { id: "mean", type: "numeric", aggregationFunc: "average" }),
            field("carrier", { id: "kinds", type: "hierarchy", aggregationFunc: "distinctcount" }),
          ],
        },
        [16, 0, 32, 18],
        {
          totals: true,
          pinnedColumns: 1,
          columns: [
            {
              slotContentId: "mean",
              mode: "conditionalBadge",
              conditional: [{ isNegativeInfinityRange: true, color: "#fff3b0" }],
            },
          ],
        },
      ),
    ]);
  });
  test.after(async () => {
    await browser?.close();
    await pages?.close();
    await host?.close();
  });
  const attributesOf = ({ pair }: Person) => ({
    dashboard,
    host: host.people.host.url,
    "auth-key": pair.key,
    "auth-token": pair.token,
    locale: "en",
    screen: "desktop",
    timezone: "UTC",
  });
  /** Queries the measures without groups, directly from the host. */
  const totalsFor = async (by: Person, where: readonly object[] = []) => {
    const reference = (name: string, type: string) => ({
      dataset_id: host.dataset.id,
      column_id: host.dataset.columns[name],
      aggregation: { type },
    });
    const measures = [reference("km", "average"), reference("carrier", "distinctcount")];
    return (await by.get<{ data: unknown[][] }>("data", { measures, where })).data[0] ?? [];
  };
  const regionIs = (value: string) => ({
    expression: "? = ?",
    parameters: [{ dataset_id: host.dataset.id, column_id: host.dataset.columns["region"] }, value],
  });
  const filtered = (value: string) => ({
    clause: "where",
    origin: "global",
    securable_id: host.dataset.id,
    column_id: host.dataset.columns["region"],
    expression: "? = ?",
    value,
  });

  test.deep(
    "totals stay above the rows, and apply the token's filters and the reader's choices",
    async () => {
      const viewer = await host.mint();
      await page.evaluate(begin, attributesOf(viewer));
      assert.equal((await data(page)).totals, [null, null, ...(await totalsFor(viewer))]);
      const shown = page.locator(".mf-totals");
      assert.match((await shown.textContent()) ?? "", /^Total/);
      assert.is(await page.locator('[data-tone="badge"]').count(), 12);
      assert.equal(await findBarriers(page, "main"), []);
      // Sorting the rows does not move the totals.
      await page.locator('[role="columnheader"] button').nth(2).click();
      assert.is(
        await page.locator(".mf-grid-head > .mf-row").nth(1).textContent(),
        await shown.textContent(),
      );
      const before = await shown.textContent();
      await page.locator('[data-item="bars"] [data-mark]').first().click();
      await page.locator(".mf-chip").waitFor();
      const { rows, totals } = await data(page);
      const [chosen] = rows[0] ?? [];
      const region = typeof chosen === "object" && chosen ? chosen.id : "";
      assert.equal(totals, [null, null, ...(await totalsFor(viewer, [regionIs(region)]))]);
      assert.is.not(await shown.textContent(), before);

      const north = await host.mint({ username: "n", filters: [filtered("north")] });
      await page.evaluate(begin, attributesOf(north));
      assert.equal((await data(page)).totals, [
        null,
        null,
        ...(await totalsFor(viewer, [regionIs("north")])),
      ]);
      assert.equal(pages.reports, []);
    },
  );

  test.deep(
    "a pinned column stays visible while others scroll, unless it would take too much space",
    async () => {
      await page.evaluate(begin, attributesOf(await host.mint()));
      const places = (width: number) =>
        page.evaluate(async (px) => {
          const { embedded } = window as unknown as Embedded;
          embedded.style.setProperty("width", `${px}px`);
          const grid = () => embedded.shadowRoot!.querySelector(".mf-grid")!;
          for (let frame = 0; frame < 5; frame++) await new Promise(requestAnimationFrame);
          grid().scrollLeft = 60;
          await new Promise(requestAnimationFrame);
          const { left } = grid().getBoundingClientRect();
          const rows = ["columnheader", "cell"].flatMap((role) => [
            ...grid().querySelectorAll(`[role="${role}"]:nth-child(1)`),
          ]);
          const scrolled = grid().scrollLeft;
          return { scrolled, from: rows.map((each) => each.getBoundingClientRect().left - left) };
        }, width);
      const narrow = await places(460);
      assert.ok(narrow.scrolled > 0);
      assert.ok(narrow.from.length > 12);
      for (const from of narrow.from) assert.is(from, 0);
      const least = await places(150);
      for (const from of least.from) assert.ok(from < 0, String(from));
      assert.equal(pages.reports, []);
    },
  );
});
