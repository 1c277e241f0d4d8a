import * as assert from "uvu/assert";
import type { Locator, Page } from "playwright-core";
import { suite } from "../../../support/suite.ts";
import { findBarriers } from "./findBarriers.ts";
import { openConsole, type OpenConsole } from "./openConsole.ts";

type Json = Readonly<Record<string, unknown>>;

interface Item extends Json {
  readonly type: string;
  readonly options: Json;
  readonly position: { readonly col: number; readonly row: number; readonly sizeX: number };
  readonly slots: readonly { readonly name: string; readonly content: readonly Json[] }[];
}

const cities = ["Ghent", "Lille", "Bruges", "Namur"];
const kinds = ["Bus", "Train"];
const rows = Array.from({ length: 96 }, (_, index) => [
  cities[index % 4],
  kinds[index % 2],
  new Date(Date.UTC(2025, index % 12, 1 + (index % 27))).toISOString(),
  10 + (index % 7),
  1 + (index % 5),
]);

suite("core/web/console/pages/dashboards: editing in place", (test) => {
  let opened: OpenConsole;
  let datasetId: string;
  let columns: Readonly<Record<string, string>>;

  test.before(async () => {
    opened = await openConsole();
    const made = await opened.client.create<{ rows: { id: string; columns: Json[] }[] }>("data", {
      type: "create",
      data: rows,
      options: { header: ["city", "kind", "day", "km", "delay"], name: { en: "Trips" } },
    });
    datasetId = made.rows[0]?.id ?? "";
    columns = Object.fromEntries(
      (made.rows[0]?.columns ?? []).map(({ source_name: name, id }) => [String(name), String(id)]),
    );
  });
  test.after(() => opened?.close());
  test.afterEach(() => opened?.closePages());

  const make = async (items: readonly Json[] = [], name = "Board"): Promise<string> => {
    const { id } = await opened.client.create<{ id: string }>("securable", {
      type: "dashboard",
      name: { en: name },
      contents: { version: "0.1.99", views: [{ screenModus: "desktop", items }] },
    });
    return id;
  };
  const viewsOf = async (id: string) => {
    const found = await opened.client.get<{
      rows: {
        contents: { views: { screenModus: string; items: Item[]; filterGroups?: Json[] }[] };
      }[];
    }>("securable", { where: { id }, attributes: ["contents"] });
    return found.rows[0]?.contents.views ?? [];
  };
  const itemsOf = async (id: string): Promise<readonly Item[]> =>
    (await viewsOf(id))[0]?.items ?? [];
  const field = (name: string, more: Json): Json => ({
    datasetId,
    columnId: columns[name],
    label: { en: name },
    ...more,
  });
  const bars = (id: string, more: Json = {}): Json => ({
    id,
    type: "bar-chart",
    options: { title: { en: id } },
    position: { col: 0, row: 0, sizeX: 24, sizeY: 18 },
    slots: [
      { name: "y-axis", content: [field("city", { type: "hierarchy" })] },
      { name: "measure", content: [field("km", { type: "numeric", aggregationFunc: "sum" })] },
    ],
    ...more,
  });
  const panelOf = (page: Page) => page.getByRole("complementary", { name: "Item" });
  const saved = async (page: Page) => {
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved", { exact: true }).first().waitFor();
  };
  const focusedName = (page: Page) =>
    page.evaluate(() => {
      const { activeElement: active } = document;
      return active?.ariaLabel ?? active?.textContent?.trim().replaceAll(/\s+/g, " ") ?? "";
    });

  test.deep(
    "six charts and two filters take at most 30 clicks from an empty dashboard",
    async () => {
      const id = await make();
      const page = await opened.openPage(`/dashboards/${id}`);
      let clicks = 0;
      const click = async (target: Locator) => {
        await target.click();
        clicks++;
      };
      const bar = page.locator(".dashboard-bar");
      const column = (name: string) => panelOf(page).getByRole("button", { name, exact: true });
      await click(page.getByRole("button", { name: "Add chart", exact: true }).first());
      await click(column("km"));
      for (const [dimension, measure] of [
        ["city", "km"],
        ["day", "km"],
        ["kind", "delay"],
        ["day", "delay"],
      ] as const) {
        await click(bar.getByRole("button", { name: "Add chart", exact: true }));
        await click(column(dimension));
        await click(column(measure));
      }
      await click(bar.getByRole("button", { name: "Add chart", exact: true }));
      await click(column("city"));
      await click(column("kind"));
      for (const name of ["city", "day"]) {
        await click(bar.getByRole("button", { name: "Add filter", exact: true }));
        await click(page.getByRole("dialog").getByRole("button", { name }));
      }
      await page.locator("console-board-control").nth(1).waitFor();
      assert.equal(await findBarriers(page), []);
      await click(bar.getByRole("button", { name: "Save", exact: true }));
      await page.getByText("Saved", { exact: true }).first().waitFor();
      assert.ok(clicks <= 30, `${clicks} clicks`);
      const items = await itemsOf(id);
      assert.equal(
        items.map(({ type }) => type),
        [
          "evolution-number",
          "bar-chart",
          "line-chart",
          "bar-chart",
          "line-chart",
          "bar-chart",
          "dropdown-filter",
          "date-filter",
        ],
      );
      // The filters are the bar at the top, and no item covers another.
      assert.equal(
        items.slice(6).map(({ position }) => [position.col, position.row]),
        [
          [0, 0],
          [12, 0],
        ],
      );
      for (const { position } of items.slice(0, 6)) assert.ok(position.row >= 6);
      await page.getByRole("button", { name: "Finish editing" }).click();
      await page.locator("console-live-dashboard .mf-control").nth(1).waitFor();
      await page.locator("console-live-dashboard svg").nth(5).waitFor();
    },
  );

  test.deep(
    "using only the keyboard, an author adds a chart, changes its aggregation and saves",
    async () => {
      const id = await make();
      const page = await opened.openPage(`/dashboards/${id}?edit=1`);
      await page.getByText("This dashboard is empty").waitFor();
      const run = async (command: string) => {
        await page.keyboard.press("Control+k");
        await page.keyboard.type(command);
        await page.locator("[role=option][aria-selected=true]", { hasText: command }).waitFor();
        await page.keyboard.press("Enter");
      };
      const tabTo = async (name: string, key = "Tab") => {
        for (let steps = 0; steps < 80; steps++) {
          if ((await focusedName(page)) === name) return;
          await page.keyboard.press(key);
        }
        throw new Error(`the keyboard never came to ${name}`);
      };
      await run("Add chart");
      // The focus is in the list of columns.
      await page.waitForFunction(
        () => document.activeElement?.getAttribute("aria-label") === "Search columns",
      );
      await page.keyboard.type("city");
      await tabTo("Aa city");
      await page.keyboard.press("Enter");
      await panelOf(page).getByRole("button", { name: "Change Count of rows" }).waitFor();
      await tabTo("Search columns", "Shift+Tab");
      await page.keyboard.press("Control+a");
      await page.keyboard.type("km");
      await tabTo("# km");
      await page.keyboard.press("Enter");
      await panelOf(page).getByRole("button", { name: "Change Total km" }).waitFor();
      await tabTo("Change Total km", "Shift+Tab");
      await page.keyboard.press("Enter");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await panelOf(page).getByRole("button", { name: "Change Average km" }).waitFor();
      await page.keyboard.press("Escape");
      await page.waitForFunction(() => document.activeElement?.className.includes("board-item"));
      await run("Save");
      await page.getByText("Saved", { exact: true }).first().waitFor();
      const [item] = await itemsOf(id);
      assert.is(item?.type, "bar-chart");
      const measure = item?.slots.find(({ name }) => name === "measure")?.content[0];
      assert.is(measure?.["aggregationFunc"], "average");
      assert.equal(measure?.["label"], { en: "Average km" });
    },
  );

  test.deep("each change in the panel redraws the chart, and is one step to undo", async () => {
    const id = await make([bars("One")]);
    const page = await opened.openPage(`/dashboards/${id}?edit=1`);
    const marks = page.locator(".board-item svg rect[data-mark]");
    await marks.nth(3).waitFor();
    await page.locator(".board-item").focus();
    const panel = panelOf(page);
    await panel.getByLabel("Show at most").fill("2");
    await marks.nth(2).waitFor({ state: "detached" });
    await panel.getByLabel("Order", { exact: true }).selectOption("Name, A to Z");
    await panel.getByLabel("Labels").selectOption("None");
    await panel.getByLabel("Format of km").selectOption("€1,234.57");
    await panel.getByLabel("Title", { exact: true }).first().press("End");
    await page.keyboard.type(" and only");
    const title = (text: string) =>
      page.locator(".board-item text").getByText(text, { exact: true });
    await title("One and only").waitFor();
    await panel.getByLabel("Chart", { exact: true }).selectOption("Columns");
    await marks.nth(1).waitFor();
    assert.equal(await findBarriers(page), []);
    await saved(page);
    const [item] = await itemsOf(id);
    assert.is(item?.type, "column-chart");
    assert.equal(item?.options, {
      title: { en: "One and only" },
      limit: { number: 2 },
      sort: { by: "category", direction: "asc" },
      bars: { label: "none" },
    });
    assert.equal(
      item?.slots.map(({ name, content }) => [name, content.map((each) => each["columnId"])]),
      [
        ["measure", [columns["km"]]],
        ["x-axis", [columns["city"]]],
      ].toSorted((one, other) => Number(String(other[0]) < String(one[0]))),
    );
    const measure = item?.slots.find(({ name }) => name === "measure")?.content[0];
    assert.is(measure?.["format"], ",.2f");
    assert.is(measure?.["currency"], "EUR");
    const undo = page.getByRole("button", { name: "Undo" });
    await undo.click();
    assert.is(await panel.getByLabel("Chart", { exact: true }).inputValue(), "bar-chart");
    await undo.click();
    await title("One").waitFor();
    await undo.click();
    assert.is(await panel.getByLabel("Format of km").inputValue(), "");
  });

  test.deep("the chart's own filters are on its shelf, and apply to no other chart", async () => {
    const id = await make([
      bars("One"),
      bars("Two", { position: { col: 24, row: 0, sizeX: 24, sizeY: 18 } }),
    ]);
    const page = await opened.openPage(`/dashboards/${id}?edit=1`);
    const marksOf = (name: string) =>
      page.getByRole("group", { name, exact: true }).locator("svg rect[data-mark]");
    await marksOf("Two").nth(3).waitFor();
    await page.getByRole("group", { name: "One", exact: true }).focus();
    await panelOf(page)
      .getByRole("button", { name: "city", exact: true })
      .click({ button: "right" });
    await page.getByRole("menuitem", { name: "Filters" }).click();
    await page.getByRole("checkbox", { name: "Ghent" }).check();
    await page.getByRole("button", { name: "Apply filter" }).click();
    await panelOf(page).getByRole("button", { name: "Change city is one of Ghent" }).waitFor();
    await marksOf("One").nth(1).waitFor({ state: "detached" });
    assert.is(await marksOf("Two").count(), 4);
    await panelOf(page).getByRole("button", { name: "Remove city is one of Ghent" }).click();
    await marksOf("One").nth(3).waitFor();
  });

  test.deep(
    "an item is duplicated, removed, and copied to another dashboard in another tab, with the keyboard",
    async () => {
      const id = await make([bars("Original")]);
      const other = await make([], "Other");
      const page = await opened.openPage(`/dashboards/${id}?edit=1`);
      const items = page.locator(".board-item");
      await items.focus();
      await page.keyboard.press("Control+d");
      await items.nth(1).waitFor();
      await page.keyboard.press("Control+c");
      await page.keyboard.press("Delete");
      await items.nth(1).waitFor({ state: "detached" });
      await page.keyboard.press("Control+z");
      await items.nth(1).waitFor();
      await saved(page);
      assert.equal(
        (await itemsOf(id)).map(({ position }) => [position.col, position.row]),
        [
          [0, 0],
          [24, 0],
        ],
      );
      const tab = await page.context().newPage();
      await tab.goto(`${opened.url}/dashboards/${other}?edit=1`);
      await tab.getByText("This dashboard is empty").waitFor();
      await tab.keyboard.press("Control+v");
      await tab.locator(".board-item svg rect[data-mark]").nth(3).waitFor();
      await saved(tab);
      const [copy] = await itemsOf(other);
      const [original] = await itemsOf(id);
      assert.equal(copy?.slots, original?.slots);
      assert.is.not(copy?.["id"], original?.["id"]);
    },
  );

  test.deep(
    "what an author chooses in a filter of the bar is what the dashboard opens with",
    async () => {
      const id = await make([bars("One")]);
      const page = await opened.openPage(`/dashboards/${id}?edit=1`);
      await page.getByRole("button", { name: "Add filter", exact: true }).click();
      await page.getByRole("dialog").getByRole("button", { name: "city" }).click();
      const control = page.locator("console-board-control");
      await control.getByRole("button", { name: /^city/ }).click();
      await control.getByRole("option", { name: "Bruges" }).click();
      await control.getByRole("option", { name: "Ghent" }).click();
      await page.locator(".board-item svg rect[data-mark]").nth(2).waitFor({ state: "detached" });
      await page.keyboard.press("Escape");
      await saved(page);
      await page.getByRole("button", { name: "Finish editing" }).click();
      const live = page.locator("console-live-dashboard");
      await live.getByRole("button", { name: "city: Bruges; Ghent", exact: true }).waitFor();
      await live.locator("svg rect[data-mark]").nth(1).waitFor();
      assert.is(await live.locator("svg rect[data-mark]").count(), 2);
    },
  );

  test.deep(
    "the phone preview shows the items below each other, and a change makes a layout for phones",
    async () => {
      const id = await make([
        bars("One"),
        bars("Two", { position: { col: 24, row: 0, sizeX: 24, sizeY: 18 } }),
      ]);
      const page = await opened.openPage(`/dashboards/${id}?edit=1`);
      await page.getByLabel("Screen", { exact: true }).selectOption({ label: "Phone (automatic)" });
      await page.getByText("Phones show all items of the layout for Desktop").waitFor();
      const frame = await page.locator("console-board").boundingBox();
      assert.is(frame?.width, 390);
      await page.getByRole("group", { name: "Two", exact: true }).focus();
      await page.keyboard.press("Shift+ArrowUp");
      await saved(page);
      const views = await viewsOf(id);
      assert.equal(
        views
          .find(({ screenModus }) => screenModus === "mobile")
          ?.items.map(({ position }) => position),
        [
          { col: 0, row: 0, sizeX: 48, sizeY: 18 },
          { col: 0, row: 18, sizeX: 48, sizeY: 17 },
        ],
      );
      await page.getByRole("button", { name: "Use the automatic layout" }).click();
      await page.getByText("Phones show all items of the layout for Desktop").waitFor();
    },
  );

  test.deep(
    "the panel keeps the width of the board, and covers no part of the selected chart",
    async () => {
      const id = await make([
        bars("Left"),
        bars("Right", { position: { col: 24, row: 0, sizeX: 24, sizeY: 18 } }),
      ]);
      const page = await opened.openPage(`/dashboards/${id}?edit=1`);
      const right = page.getByRole("group", { name: "Right", exact: true });
      await right.locator("svg rect[data-mark]").nth(3).waitFor();
      const before = await right.boundingBox();
      await page
        .getByRole("group", { name: "Left", exact: true })
        .locator("svg rect[data-mark]")
        .nth(3)
        .waitFor();
      const watched = await page.evaluateHandle(() => {
        const changes: string[] = [];
        const observer = new MutationObserver((records) => {
          changes.push(...records.map(({ type, target }) => `${type} ${target.nodeName}`));
        });
        for (const each of document.querySelectorAll("console-board svg"))
          observer.observe(each, { subtree: true, childList: true, attributes: true });
        return changes;
      });
      await right.focus();
      await panelOf(page).waitFor();
      const panel = await panelOf(page).boundingBox();
      const after = await right.boundingBox();
      assert.is(after?.width, before?.width);
      assert.ok((after?.x ?? 0) + (after?.width ?? 0) <= (panel?.x ?? 0));
      // Selecting draws no chart again, and neither does renaming the dashboard.
      await page.getByRole("textbox", { name: "Name", exact: true }).fill("Renamed");
      await page.getByText("Unsaved changes").waitFor();
      assert.equal(await watched.jsonValue(), []);
    },
  );

  for (const width of [1440, 1024])
    test.deep(
      `the panel covers nothing of a selected chart as wide as the board (${width} px)`,
      async () => {
        const id = await make([
          bars("Wide", { position: { col: 0, row: 0, sizeX: 48, sizeY: 18 } }),
          bars("Small", { position: { col: 0, row: 18, sizeX: 12, sizeY: 18 } }),
        ]);
        const page = await opened.openPage(`/dashboards/${id}?edit=1`);
        await page.setViewportSize({ width, height: 900 });
        const wide = page.getByRole("group", { name: "Wide", exact: true });
        await wide.locator("svg rect[data-mark]").nth(3).waitFor();
        const drawn = await wide.locator("svg").first().getAttribute("viewBox");
        await wide.focus();
        await panelOf(page).waitFor();
        const panel = await panelOf(page).boundingBox();
        const isUncovered = async () => {
          const box = await wide.boundingBox();
          return box !== null && box.x >= 0 && box.x + box.width <= (panel?.x ?? 0);
        };
        while (!(await isUncovered()))
          await page.evaluate(() => new Promise(requestAnimationFrame));
        assert.is(await wide.locator("svg").first().getAttribute("viewBox"), drawn);
        // The handle follows the pointer on the smaller board: 48 columns are as wide as the chart.
        const [box, handle] = [
          await wide.boundingBox(),
          await wide.locator(".resize").boundingBox(),
        ];
        if (!box || !handle) throw new Error("the chart has no box");
        await page.mouse.move(handle.x + 5, handle.y + 5);
        await page.mouse.down();
        await page.mouse.move(handle.x + 5 - box.width / 2, handle.y + 5);
        await page.mouse.up();
        await saved(page);
        assert.is((await itemsOf(id))[0]?.position.sizeX, 24);
        await page.getByRole("group", { name: "Small", exact: true }).focus();
        await page.waitForFunction(
          () => document.querySelector<HTMLElement>("console-board")?.style.transform === "",
        );
      },
    );

  test.deep(
    "a chart says how many rows it reads, and which filters of the dashboard limit them",
    async () => {
      const filter = (name: string, origin: string, value: string, more: Json = {}): Json => ({
        id: `${name} ${value}`,
        origin,
        condition: "and",
        ...more,
        filters: [
          {
            expression: "? in ?",
            parameters: [{ dataset_id: datasetId, column_id: columns[name] }, [value]],
            properties: { type: "where", origin, ...more },
          },
        ],
      });
      const control = {
        id: "pick",
        type: "dropdown-filter",
        options: { title: { en: "City" } },
        position: { col: 0, row: 0, sizeX: 12, sizeY: 4 },
        slots: [{ name: "dimension", content: [field("city", { type: "hierarchy" })] }],
      };
      const chart = bars("Limited", { position: { col: 0, row: 4, sizeX: 24, sizeY: 18 } });
      const { id } = await opened.client.create<{ id: string }>("securable", {
        type: "dashboard",
        name: { en: "Board" },
        contents: {
          version: "0.1.99",
          filterGroups: [filter("kind", "global", "Bus", { datasetId })],
          views: [
            {
              screenModus: "desktop",
              items: [control, chart],
              filterGroups: [
                filter("city", "filterFromVizItem", "Ghent", { datasetId, itemId: "pick" }),
              ],
            },
          ],
        },
      });
      const page = await opened.openPage(`/dashboards/${id}?edit=1`);
      await page.getByRole("group", { name: "Limited", exact: true }).focus();
      const limits = panelOf(page).locator("console-item-limits");
      await limits.getByText("Reads 24 of 96 rows when the dashboard opens:").waitFor();
      const texts = (await limits.getByRole("listitem").allInnerTexts()).map((text) =>
        text.replaceAll(/\s+/g, " ").trim(),
      );
      assert.equal(texts, ["kind is one of Bus always on", "city is one of Ghent filter bar"]);
      assert.equal(await findBarriers(page), []);
    },
  );

  test.deep("an author finds the dataset of a new chart by its name", async () => {
    await opened.client.create("data", {
      type: "create",
      data: [["a", 1]],
      options: { header: ["letter", "count"], name: { en: "Letters" } },
    });
    const id = await make();
    const page = await opened.openPage(`/dashboards/${id}?edit=1`);
    await page.getByRole("button", { name: "Add chart", exact: true }).first().click();
    await panelOf(page).getByRole("button", { name: "Dataset Choose a dataset" }).click();
    const dialog = page.getByRole("dialog", { name: "Choose a dataset" });
    await dialog.getByRole("button", { name: "Trips" }).waitFor();
    await dialog.getByRole("searchbox", { name: "Search datasets" }).fill("lett");
    await dialog.getByRole("button", { name: "Trips" }).waitFor({ state: "detached" });
    await dialog.getByRole("button", { name: "Letters" }).click();
    await panelOf(page).getByRole("button", { name: "Dataset Letters" }).waitFor();
    await panelOf(page).getByRole("button", { name: "letter", exact: true }).click();
    await panelOf(page).getByRole("button", { name: "Change letter" }).waitFor();
    assert.equal(await findBarriers(page), []);
  });

  test.deep(
    "a chart with columns of two datasets says why it has no shelves, and keeps its columns",
    async () => {
      const two = bars("Both", {
        slots: [
          { name: "y-axis", content: [field("city", { type: "hierarchy" })] },
          {
            name: "measure",
            content: [
              field("km", { type: "numeric" }),
              field("km", { datasetId: "other", type: "numeric" }),
            ],
          },
        ],
      });
      const id = await make([two]);
      const page = await opened.openPage(`/dashboards/${id}?edit=1`);
      await page.locator(".board-item").focus();
      await panelOf(page).getByText("come from several datasets").waitFor();
      assert.is(await panelOf(page).locator(".shelf").count(), 0);
      await panelOf(page).getByLabel("Title", { exact: true }).first().fill("Renamed");
      await saved(page);
      const [item] = await itemsOf(id);
      assert.equal(item?.slots, two["slots"]);
    },
  );

  test.deep(
    "the editor is accessible at 360 pixels in dark mode, with the panel of a chart",
    async () => {
      const id = await make([bars("One")]);
      const page = await opened.openPage(`/dashboards/${id}?edit=1`, {
        size: "phone",
        theme: "dark",
      });
      await page.locator(".board-item").focus();
      await panelOf(page).locator(".shelf").first().waitFor();
      assert.equal(await findBarriers(page), []);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.is(over, 0);
    },
  );

  test.deep(
    "no page of the editor violates the security policy, reports an error or opens a dialog",
    () => {
      assert.equal(opened.reports, []);
    },
  );
});
