import { readFile } from "node:fs/promises";
import type { Browser, Locator, Page } from "playwright-core";
import * as assert from "uvu/assert";
import type { ManifoldDashboard, ManifoldItem } from "../../../../core/web/embed/index.ts";
import { fileTypesOf } from "../../../../core/web/embed/menu/index.ts";
import { openBrowser } from "../../../support/openBrowser.ts";
import { suite } from "../../../support/suite.ts";
import type { Person } from "../../openPeople.ts";
import { findBarriers } from "../console/findBarriers.ts";
import { openPages, type Pages } from "../console/openPages.ts";
import { fieldOf, openDashboardHost, type DashboardHost } from "./openDashboardHost.ts";

interface Given {
  readonly tag: "manifold-dashboard" | "manifold-item";
  readonly attributes: Readonly<Record<string, string>>;
  readonly slots?: readonly object[];
  /** Slots into which the page puts a button of its own, which is named like its slot. */
  readonly buttons?: readonly string[];
}

type Embedded = {
  readonly embedded: ManifoldDashboard;
  readonly events: readonly (readonly [name: string, itemId: string | undefined])[];
  readonly pressed: readonly string[];
};

/** Adds an element to the page, and waits until the item `waitFor` shows its rows. */
async function embed({ given, waitFor }: { given: Given; waitFor: string }): Promise<void> {
  const script = `${location.origin}/embed.js`;
  await import(script);
  const made = document.createElement(given.tag);
  const events: [string, string | undefined][] = [];
  const pressed: string[] = [];
  Object.assign(window, { embedded: made, events, pressed });
  for (const name of ["alert", "error", "export"])
    made.addEventListener(name, (event) => {
      events.push([name, (event as CustomEvent<{ itemId?: string }>).detail.itemId]);
    });
  for (const [name, value] of Object.entries(given.attributes)) made.setAttribute(name, value);
  if (given.slots) (made as ManifoldItem).slots = given.slots;
  for (const slot of given.buttons ?? []) {
    const button = document.createElement("button");
    button.slot = slot;
    button.textContent = slot;
    button.addEventListener("click", () => pressed.push(slot));
    made.append(button);
  }
  const loaded = new Promise<void>((resolve) => {
    made.addEventListener("load", ({ detail }) => {
      if (detail.itemId === waitFor) resolve();
    });
  });
  document.querySelector("main")!.replaceChildren(made);
  await loaded;
}

/** Presses the button of a menu with the keyboard. */
async function openMenu(page: Page, button: Locator): Promise<void> {
  await button.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menu").waitFor();
}

/** Saves a file through an open menu, and returns its name and contents. */
async function save(page: Page, entry: string): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: entry }).click(),
  ]);
  await page.getByRole("menu").waitFor({ state: "detached" });
  return {
    name: download.suggestedFilename(),
    text: await readFile(await download.path(), "utf8"),
  };
}

const eventsOf = (page: Page) =>
  page.evaluate(() => (window as unknown as Embedded).events.map((each) => [...each]));

interface Filter {
  readonly expression: string;
  readonly parameters: readonly unknown[];
}

interface Alert {
  readonly name: unknown;
  readonly notify: unknown;
  readonly securable_id: unknown;
  readonly dashboard_state: { readonly selections: Readonly<Record<string, unknown>> };
  readonly frequency: unknown;
  readonly query: {
    readonly dimensions: readonly unknown[];
    readonly where: readonly Filter[];
    readonly having: readonly Filter[];
  };
}

suite("core/web/embed/menu", (test) => {
  let host: DashboardHost;
  let pages: Pages;
  let browser: Browser;
  test.after(async () => {
    await browser?.close();
    await pages?.close();
    await host?.close();
  });
  const start = async () => {
    host ??= await openDashboardHost();
    pages ??= await openPages({ connectTo: host.people.host.url });
    browser ??= await openBrowser();
  };
  const attributesOf = (
    { pair }: Person,
    more: Readonly<Record<string, string>> = {},
  ): Readonly<Record<string, string>> => ({
    dashboard: host.dashboardId,
    host: host.people.host.url,
    "auth-key": pair.key,
    "auth-token": pair.token,
    locale: "en",
    timezone: "UTC",
    menu: "export",
    ...more,
  });

  test("a menu offers pictures of stored items, rows of items with rows, and two types for dashboards", () => {
    const item = { isDashboard: false, isStored: true, hasRows: true };
    assert.equal(fileTypesOf(item), ["pdf", "png", "svg", "xlsx", "csv"]);
    assert.equal(fileTypesOf({ ...item, hasRows: false }), ["pdf", "png", "svg"]);
    assert.equal(fileTypesOf({ ...item, isStored: false }), ["xlsx", "csv"]);
    assert.equal(fileTypesOf({ ...item, isDashboard: true }), ["pdf", "png"]);
  });

  test("the export types of an item limit its menu, and an empty list leaves no files", () => {
    const item = { isDashboard: false, isStored: true, hasRows: true };
    const offered = (named: readonly string[]) => fileTypesOf({ ...item, named });
    assert.equal(offered(["xlsx", "csv", "png"]), ["pdf", "png", "svg", "xlsx", "csv"]);
    assert.equal(offered(["csv"]), ["csv"]);
    assert.equal(offered([]), []);
  });

  test.deep(
    "a reader saves what the dashboard shows with the keyboard: rows and pictures of the selection and the level",
    async () => {
      await start();
      const page = await pages.open(browser);
      const given: Given = {
        tag: "manifold-dashboard",
        attributes: attributesOf(host.viewer),
        buttons: ["tools", "tools-by month"],
      };
      await page.evaluate(embed, { given, waitFor: "by month" });
      await page.locator('[data-item="by region"] [data-mark]').first().click();
      await page.locator(".mf-chip").waitFor();
      const plot = page.locator('[data-item="by month"] .mf-plot');
      await plot.focus();
      await page.keyboard.press("Home");
      await page.keyboard.press("+");
      await page.locator(".mf-chip").nth(1).waitFor();
      const [shown, region] = await page.evaluate(async () => {
        const { embedded } = window as unknown as Embedded;
        const { rows } = await embedded.getData("by month");
        const [first] = (await embedded.getData("by region")).rows;
        return [rows.length, (first![0] as { id: string }).id] as const;
      });
      assert.ok(shown > 12 && shown < 32, String(shown));
      const ofItem = page.getByRole("button", { name: "Options: by month" });
      await openMenu(page, ofItem);
      assert.is(await ofItem.getAttribute("aria-expanded"), "true");
      assert.is(
        await page.getByRole("menuitem", { name: "Document (PDF)" }).evaluate(isFocused),
        true,
      );
      await page.keyboard.press("ArrowUp");
      const last = page.getByRole("menuitem", { name: "Which rows are shown?" });
      assert.is(await last.evaluate(isFocused), true);
      await page.keyboard.press("Enter");
      await page
        .getByRole("status")
        .getByText(/^(Rows left|No filter)/)
        .waitFor();
      assert.equal(await findBarriers(page, "main"), []);
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
      assert.is(await ofItem.evaluate(isFocused), true);
      await openMenu(page, ofItem);
      const rows = await save(page, "Rows (CSV)");
      assert.match(rows.name, /^by month \d{4}-\d\d-\d\d\.csv$/);
      assert.is(rows.text.trim().split("\n").length, shown + 1);
      const rowsButton = page.getByRole("button", { name: "Options: rows" });
      await openMenu(page, rowsButton);
      const csv = await save(page, "Rows (CSV)");
      assert.ok(
        csv.text
          .trim()
          .split("\n")
          .slice(1)
          .every((line) => line.startsWith(region)),
      );
      await openMenu(page, rowsButton);
      const svg = await save(page, "Vector image (SVG)");
      assert.match(svg.name, /^rows \d{4}-\d\d-\d\d\.svg$/);
      const others = ["north", "south", "east", "west"].filter((each) => each !== region);
      assert.match(svg.text, `>${region}<`);
      for (const other of others) assert.not.match(svg.text, `>${other}<`);
      await openMenu(page, page.getByRole("button", { name: "Options: Trips" }));
      assert.equal(await page.getByRole("menuitem").allTextContents(), [
        "Document (PDF)",
        "Image (PNG)",
      ]);
      const pdf = await save(page, "Document (PDF)");
      assert.match(pdf.name, /^Trips \d{4}-\d\d-\d\d\.pdf$/);
      assert.match(pdf.text, /^%PDF-/);
      assert.equal(
        await eventsOf(page),
        ["by month", "rows", "rows", undefined].map((id) => ["export", id]),
      );
      // Controls have no files, and the page's own buttons are beside the menus.
      assert.is(await page.locator('[data-item="carrier"] .mf-tools button:visible').count(), 0);
      await page.getByRole("button", { name: "tools", exact: true }).click();
      await page.getByRole("button", { name: "tools-by month" }).click();
      assert.equal(await page.evaluate(() => (window as unknown as Embedded).pressed), [
        "tools",
        "tools-by month",
      ]);
      assert.equal(pages.reports, []);
      await page.close();
    },
  );

  test.deep(
    "a reader with a mail address creates an alert on what an item shows, if the token may create alerts",
    async () => {
      await start();
      const page = await pages.open(browser, { width: 360, height: 640 });
      const mint = (more: object) =>
        host.mint({ role: "designer", email: "reader@example.org", ...more });
      const designer = await mint({});
      const given: Given = {
        tag: "manifold-dashboard",
        attributes: attributesOf(designer, { menu: "alert", theme: "dark" }),
      };
      await page.evaluate(embed, { given, waitFor: "by month" });
      await page.locator('[data-item="by region"] [data-mark]').first().click();
      await page.locator(".mf-chip").waitFor();
      assert.is(await page.getByRole("button", { name: "Options: Trips" }).count(), 0);
      const button = page.getByRole("button", { name: "Options: by month" });
      await openMenu(page, button);
      assert.equal(await page.getByRole("menuitem").allTextContents(), [
        "Alert me",
        "Which rows are shown?",
      ]);
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: "Alert me: by month" });
      assert.is(await dialog.getByLabel("Limit").evaluate(isFocused), true);
      assert.equal(await findBarriers(page, "main"), []);
      const box = await dialog.boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 360, JSON.stringify(box));
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      assert.is(await button.evaluate(isFocused), true);
      await openMenu(page, button);
      await page.keyboard.press("Enter");
      await dialog.getByLabel("Limit").fill("1200.5");
      await dialog.getByLabel("When it is").selectOption("below");
      await dialog.getByLabel("Check it every").selectOption("week");
      await dialog.getByRole("button", { name: "Create the alert" }).click();
      await dialog.getByText("The alert is active.").waitFor();
      assert.is(await dialog.getByRole("button", { name: "Close" }).evaluate(isFocused), true);
      assert.is(await dialog.getByLabel("Limit").isDisabled(), true);
      assert.equal(await findBarriers(page, "main"), []);
      const { rows } = await designer.get<{ rows: Alert[] }>("alert", {});
      assert.is(rows.length, 1);
      const [{ name, query, frequency, notify, securable_id, dashboard_state }] = rows as [Alert];
      // Links in messages restore the selection.
      assert.equal(Object.keys(dashboard_state.selections), ["by region"]);
      assert.equal([name, notify, securable_id], [{ en: "by month" }, "change", host.dashboardId]);
      assert.equal(frequency, { unit: "week", quantity: 1 });
      const km = { dataset_id: host.dataset.id, column_id: host.dataset.columns["km"] };
      const [test] = query.having;
      assert.equal([test?.expression, test?.parameters[1]], ["? < ?", 1200.5]);
      assert.equal({ ...(test?.parameters[0] as object), ...km }, test?.parameters[0]);
      // The reader's selection, and the last complete month.
      assert.is(query.where.length, 2);
      assert.is(query.where.at(-1)?.expression, "ago");
      assert.equal(query.dimensions, []);
      assert.equal(await eventsOf(page), [["alert", "by month"]]);
      assert.equal(pages.reports, []);
      for (const other of [
        host.viewer,
        await mint({ role: "viewer" }),
        await mint({ email: undefined }),
        await mint({ feature_overrides: ["!flag_alerting"] }),
      ]) {
        const attributes = attributesOf(other, { menu: "alert" });
        await page.evaluate(embed, { given: { ...given, attributes }, waitFor: "by region" });
        assert.is(await page.locator('[part="menu-button"]:visible').count(), 0);
      }
      await page.close();
    },
  );

  test.deep(
    "there is no menu without the attribute, for a token that may not export, and for a private link",
    async () => {
      await start();
      const page = await pages.open(browser);
      const refused = await host.mint({ feature_overrides: ["!flag_export"] });
      const { owner, publicGroup } = host.people;
      const { id: link } = await owner.create<{ id: string }>("share", {});
      await owner.associate("share", link, { role: "Dashboard", id: host.dashboardId });
      for (const id of [host.dashboardId, host.dataset.id])
        await owner.associate(
          "securable",
          id,
          { role: "Groups", id: publicGroup },
          { flagRead: true, flagUse: true },
        );
      const { "auth-token": _, ...ofLink } = attributesOf(host.viewer, { "auth-key": link });
      for (const attributes of [
        attributesOf(host.viewer, { menu: "" }),
        attributesOf(refused),
        ofLink,
      ]) {
        const given: Given = { tag: "manifold-dashboard", attributes };
        await page.evaluate(embed, { given, waitFor: "by region" });
        assert.is(await page.locator('[part="menu-button"]:visible').count(), 0);
      }
      assert.equal(pages.reports, []);
      await page.close();
    },
  );

  test.deep(
    "on a narrow dark page, the menu of an item from code offers rows, in the reader's language, and shows a failure",
    async () => {
      await start();
      const page = await pages.open(browser, { width: 360, height: 640 });
      const { dashboard: _, ...common } = attributesOf(host.viewer, {
        type: "bar-chart",
        theme: "dark",
        locale: "nl",
      });
      const options = JSON.stringify({ title: { nl: "Ritten: per <regio>" } });
      const given: Given = {
        tag: "manifold-item",
        attributes: { ...common, options },
        buttons: ["tools"],
        slots: [
          { name: "y-axis", content: [fieldOf(host.dataset, "region", { type: "hierarchy" })] },
          {
            name: "measure",
            content: [fieldOf(host.dataset, "km", { type: "numeric", aggregationFunc: "sum" })],
          },
        ],
      };
      await page.evaluate(embed, { given, waitFor: "item" });
      await page.getByRole("button", { name: "tools", exact: true }).waitFor();
      const button = page.getByRole("button", { name: "Opties: Ritten: per <regio>" });
      await openMenu(page, button);
      assert.equal(await page.getByRole("menuitem").allTextContents(), [
        "Werkmap (XLSX)",
        "Rijen (CSV)",
        "Welke rijen zijn te zien?",
      ]);
      const box = await page.locator(".mf-menu").boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 360 && box.y >= 0, JSON.stringify(box));
      assert.is(await page.evaluate(() => document.documentElement.scrollWidth), 360);
      assert.equal(await findBarriers(page, "main"), []);
      const csv = await save(page, "Rijen (CSV)");
      assert.match(csv.name, /^Ritten per regio \d{4}-\d\d-\d\d\.csv$/);
      assert.is(csv.text.trim().split("\n").length, 5);
      await page.route("**/0.1.0/dataexport", (route) =>
        route.fulfill({
          status: 403,
          headers: { "Access-Control-Allow-Origin": "*" },
          json: { message: "the file is refused" },
        }),
      );
      await openMenu(page, button);
      await page.getByRole("menuitem", { name: "Rijen (CSV)" }).click();
      const reason = page
        .locator(".mf-menu [role=status]")
        .filter({ hasText: "the file is refused" });
      await reason.waitFor();
      assert.equal(await findBarriers(page, "main"), []);
      assert.equal(await eventsOf(page), [
        ["export", "item"],
        ["error", "item"],
      ]);
      await page.close();
    },
  );
});

function isFocused(element: Element): boolean {
  return element.matches(":focus");
}
