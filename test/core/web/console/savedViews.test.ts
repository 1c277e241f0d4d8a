import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { findBarriers } from "./findBarriers.ts";
import { openConsole, type OpenConsole } from "./openConsole.ts";

type Json = Readonly<Record<string, unknown>>;

suite("core/web/console/pages/dashboards: choices of readers", (test) => {
  let opened: OpenConsole;
  let dashboardId: string;

  test.before(async () => {
    opened = await openConsole();
    const regions = ["East", "North", "South"];
    const made = await opened.client.create<{ rows: { id: string; columns: Json[] }[] }>("data", {
      type: "create",
      data: Array.from({ length: 12 }, (_, index) => [regions[index % 3], 10 * (index + 1)]),
      options: { header: ["region", "amount"], name: { en: "Sales" } },
    });
    const [{ id: datasetId, columns }] = made.rows as [{ id: string; columns: Json[] }];
    const field = (name: string, more: Json) => ({
      datasetId,
      columnId: columns.find((each) => each["source_name"] === name)?.["id"],
      label: { en: name },
      ...more,
    });
    const region = field("region", { type: "hierarchy" });
    const amount = field("amount", { type: "numeric", aggregationFunc: "sum" });
    const item = (id: string, type: string, slots: Json, col: number) => ({
      id,
      type,
      options: { title: { en: id } },
      position: { col, row: 0, sizeX: 16, sizeY: 18 },
      slots: Object.entries(slots).map(([name, content]) => ({ name, content: [content] })),
    });
    const items = [
      item("regions", "slicer-filter", { dimension: region }, 0),
      item("bars", "bar-chart", { "y-axis": region, measure: amount }, 16),
      item("total", "evolution-number", { measure: amount }, 32),
    ];
    const { id } = await opened.client.create<{ id: string }>("securable", {
      type: "dashboard",
      name: { en: "Sales" },
      contents: { version: "0.1.99", views: [{ screenModus: "desktop", items }] },
    });
    dashboardId = id;
  });
  test.after(() => opened?.close());

  const chips = (page: Page) => page.locator(".mf-chip").allTextContents();
  const hasChip = (page: Page, text: string) =>
    page.locator(".mf-chip", { hasText: text }).first().waitFor();
  const queryOf = (page: Page) => new URL(page.url()).searchParams;

  test.deep(
    "the address keeps what the reader has chosen through a reload, back, forward and a link",
    async () => {
      const page = await opened.openPage(`/dashboards/${dashboardId}`);
      await page.locator('[data-item="regions"] label', { hasText: "East" }).click();
      await hasChip(page, "regions: East");
      assert.is(queryOf(page).get("f.regions"), "in:East");
      await page.locator('[data-item="bars"] [data-mark]').first().click();
      await hasChip(page, "bars: East");
      assert.is(queryOf(page).get("s.bars"), "East");
      const before = await chips(page);
      const link = page.url();
      await page.reload();
      await hasChip(page, "bars: East");
      assert.equal(await chips(page), before);
      assert.is(page.url(), link);
      await page.goBack();
      await page.locator(".mf-chip", { hasText: "bars" }).waitFor({ state: "detached" });
      assert.equal(await chips(page), ["regions: East ×"]);
      await page.goForward();
      await hasChip(page, "bars: East");
      assert.equal(await chips(page), before);
      assert.equal(opened.reports, []);
      await page.close();
    },
  );

  test.deep(
    "an alert that a reader creates in a dashboard keeps the filters of the dashboard",
    async () => {
      const page = await opened.openPage(`/dashboards/${dashboardId}?v=1&f.regions=in:East`);
      await hasChip(page, "regions: East");
      await page.locator('[data-item="total"]').hover();
      await page.getByRole("button", { name: "Options: total" }).click();
      await page.getByRole("menuitem", { name: "Alert me" }).click();
      const dialog = page.getByRole("dialog", { name: "Alert me: total" });
      await dialog.getByLabel("Limit").fill("100");
      assert.equal(await findBarriers(page), []);
      await dialog.getByRole("button", { name: "Create the alert" }).click();
      await dialog.getByText("The alert is active.").waitFor();
      const { rows } = await opened.client.get<{ rows: Json[] }>("alert", {});
      assert.equal(
        rows.map((alert) => [alert["securable_id"], alert["dashboard_state"]]),
        [[dashboardId, { version: 1, filters: { regions: { values: ["East"] } } }]],
      );
      assert.equal(opened.reports, []);
      await page.close();
    },
  );

  test.deep("the parts of a broken address that are ignored are named", async () => {
    const page = await opened.openPage(
      `/dashboards/${dashboardId}?v=1&f.regions=in:East&f.gone=in:x&s.bars=a,b&d.total=day,x&f.total=has:y`,
    );
    await hasChip(page, "regions: East");
    const note = await page.locator(".mf-chips .mf-note").textContent();
    for (const part of ["filters.gone", "bars", "total"]) assert.match(String(note), part);
    assert.equal(await chips(page), ["regions: East ×"]);
    assert.equal(opened.reports, []);
    await page.close();
  });

  test.deep(
    "a saved view opens with its choices, for every reader if it is the default",
    async () => {
      const page = await opened.openPage(`/dashboards/${dashboardId}?v=1&f.regions=in:North`);
      await hasChip(page, "regions: North");
      await page.getByRole("button", { name: "Views", exact: true }).click();
      await page.getByRole("menuitem", { name: "Save as view" }).click();
      await page.getByLabel("Name").fill("Only north");
      await page.getByLabel("Share with all readers").check();
      assert.equal(await findBarriers(page, "dialog"), []);
      await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
      await page.getByRole("button", { name: "Views: Only north", exact: true }).waitFor();
      assert.equal(await chips(page), ["regions: North ×"]);
      assert.is(queryOf(page).get("v"), null);
      await page.getByRole("button", { name: "Views: Only north" }).click();
      await page.getByRole("menuitem", { name: "Manage views" }).click();
      await page.getByRole("button", { name: "Open dashboard with it: Only north" }).click();
      await page.getByRole("button", { name: "Do not open with it: Only north" }).waitFor();
      assert.equal(await findBarriers(page, "dialog"), []);
      await page.keyboard.press("Escape");
      await page.close();

      const next = await opened.openPage(`/dashboards/${dashboardId}`);
      await hasChip(next, "regions: North");
      await next.locator(".mf-chip", { hasText: "North" }).click();
      await next.getByRole("button", { name: "Views: Only north (changed)" }).waitFor();
      assert.equal(await chips(next), []);
      await next.reload();
      await next.locator('[data-item="regions"] label', { hasText: "East" }).waitFor();
      assert.equal(await chips(next), []);
      await next.getByRole("button", { name: "Views: Only north (changed)" }).click();
      await next.getByRole("menuitem", { name: "Without a view" }).click();
      await next.getByRole("button", { name: "Views", exact: true }).waitFor();
      assert.is(queryOf(next).get("view"), "none");
      assert.equal(opened.reports, []);
      await next.close();
    },
  );
});
