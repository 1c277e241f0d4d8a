import * as assert from "uvu/assert";
import type { Page } from "playwright-core";
import { openBrowser } from "../../../support/openBrowser.ts";
import { suite } from "../../../support/suite.ts";
import { findBarriers } from "./findBarriers.ts";
import { openConsole, type OpenConsole } from "./openConsole.ts";
import { openConsolePage } from "./openConsolePage.ts";

suite("core/web/console: lists of dashboards", (test) => {
  let opened: OpenConsole;
  let boardId: string;

  test.before(async () => {
    opened = await openConsole();
    const { client } = opened;
    const pushed = await client.call("data", "create", {
      properties: {
        type: "create",
        data: [
          ["north", 3],
          ["south", 5],
        ],
        options: { header: ["region", "turnover"], name: { en: "Sales" } },
      },
    });
    const [dataset] = pushed.rows;
    const fieldOf = (name: string, more: object = {}) => ({
      datasetId: dataset?.id,
      columnId: dataset?.columns?.find(({ source_name: source }) => source === name)?.id,
      ...more,
    });
    const item = {
      id: "1",
      type: "bar-chart",
      options: { title: { en: "Best places" } },
      position: { col: 0, row: 0, sizeX: 48, sizeY: 20 },
      slots: [
        { name: "y-axis", content: [fieldOf("region", { type: "hierarchy" })] },
        { name: "measure", content: [fieldOf("turnover", { type: "numeric" })] },
      ],
    };
    const made = await client.create<{ id: string }>("securable", {
      type: "dashboard",
      name: { en: "Quarterly" },
      contents: { version: "0.1.99", views: [{ screenModus: "desktop", items: [item] }] },
    });
    boardId = made.id;
    await client.create("securable", { type: "dashboard", name: { en: "Other" } });
  });
  test.after(() => opened?.close());

  const card = (page: Page, name: string) => page.locator(".board-card").filter({ hasText: name });
  const choose = async (page: Page, name: string, entry: string) => {
    await page.getByRole("button", { name: `Actions for ${name}`, exact: true }).click();
    await page.getByRole("menuitem", { name: entry, exact: true }).click();
  };

  test.deep(
    "a card shows the charts of its dashboard, and its name opens the dashboard",
    async () => {
      const page = await opened.openPage("/dashboards");
      await card(page, "Quarterly").locator("svg svg rect").first().waitFor();
      const shown = await card(page, "Quarterly").locator("svg.board-picture").textContent();
      assert.match(shown ?? "", "north");
      await card(page, "Other").getByText("No charts yet").waitFor();
      assert.equal(await findBarriers(page), []);
      await page.getByRole("link", { name: "Quarterly", exact: true }).click();
      await page.waitForURL(`**/dashboards/${boardId}`);
      await page.close();
    },
  );

  test.deep("the search finds tags, titles of charts and columns", async () => {
    const page = await opened.openPage("/dashboards");
    await choose(page, "Quarterly", "Tags");
    await page.getByRole("textbox", { name: "Tags" }).fill("finance, board");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "finance", exact: true }).waitFor();
    for (const text of ["financ", "best places", "turnov", "quarter"]) {
      await page.getByRole("searchbox").fill(text);
      await page.getByText("1 dashboard", { exact: true }).waitFor();
      await card(page, "Quarterly").waitFor();
    }
    for (const text of ["bar-chart", "slots"]) {
      await page.getByRole("searchbox").fill(text);
      await page.getByText("No dashboards match").waitFor();
    }
    await page.close();
  });

  test.deep(
    "favourites are stored on the host for one person, and Home shows them first",
    async () => {
      const page = await opened.openPage("/dashboards");
      await page.getByRole("button", { name: "Add Quarterly to favourites" }).click();
      await page.getByRole("button", { name: "Remove Quarterly from favourites" }).waitFor();
      await page.getByLabel("Show", { exact: true }).selectOption("Favourites");
      await page.getByText("1 dashboard", { exact: true }).waitFor();
      const { rows } = await opened.client.get("collection", { where: { favorite: true } });
      assert.is(rows.length, 1);
      await page.goto(opened.url);
      const favorites = page.getByRole("region", { name: "Favourites" });
      await favorites.getByRole("link", { name: "Quarterly", exact: true }).waitFor();
      assert.equal(await findBarriers(page), []);
      await favorites.getByRole("button", { name: "Remove Quarterly from favourites" }).click();
      await favorites.waitFor({ state: "detached" });
      await page.close();
    },
  );

  test.deep("datasets are favourites in the list, on Home and in the palette", async () => {
    const page = await opened.openPage("/data");
    await page.getByRole("button", { name: "Add Sales to favourites" }).click();
    await page.getByRole("button", { name: "Remove Sales from favourites" }).waitFor();
    await page.getByRole("button", { name: "Favourites", exact: true }).click();
    await page.getByText("1 dataset", { exact: true }).waitFor();
    assert.equal(await findBarriers(page), []);
    await page.goto(opened.url);
    const favorites = page.getByRole("region", { name: "Favourite datasets" });
    await favorites.getByRole("link", { name: /Sales/ }).waitFor();
    assert.equal(await findBarriers(page), []);
    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: /Sales.*Dataset, favourite/ }).waitFor();
    await page.goto(`${opened.url}/data?show=favourites`);
    await page.getByRole("button", { name: "Remove Sales from favourites" }).click();
    await page.getByText("No favourites yet").waitFor();
    await page.close();
  });

  test.deep("a dashboard is renamed, duplicated, moved to a collection and deleted", async () => {
    const page = await opened.openPage("/dashboards");
    await choose(page, "Quarterly", "Duplicate");
    await page.getByText("“Copy of Quarterly” was created.").waitFor();
    await choose(page, "Copy of Quarterly", "Rename");
    await page.getByRole("textbox", { name: "Name" }).fill("Yearly");
    await page.getByRole("button", { name: "Save" }).click();
    await card(page, "Yearly").waitFor();
    await choose(page, "Yearly", "Collections");
    await page.getByRole("textbox", { name: "New collection" }).fill("Reports");
    assert.equal(await findBarriers(page), []);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByLabel("Show", { exact: true }).selectOption("Collection: Reports");
    await page.getByText("1 dashboard", { exact: true }).waitFor();
    await card(page, "Yearly").waitFor();
    await choose(page, "Yearly", "Delete");
    await page.getByRole("button", { name: "Delete dashboard" }).click();
    await page.getByText("No dashboards match").waitFor();
    await page.close();
  });

  test.deep("Home lists the records that the reader opened last in this browser", async () => {
    const page = await opened.openPage(`/dashboards/${boardId}`);
    await page.getByRole("heading", { name: "Quarterly" }).first().waitFor();
    await page.goto(opened.url);
    const recents = page.getByRole("region", { name: "Recently opened" });
    await recents.getByText("Quarterly").waitFor();
    await recents.getByRole("link").first().click();
    await page.waitForURL(`**/dashboards/${boardId}`);
    await page.close();
  });

  test.deep("an owner sees the usage of one dashboard by month", async () => {
    const page = await opened.openPage("/dashboards");
    await choose(page, "Quarterly", "Usage by month");
    await page.getByText("Only the dashboard Quarterly.").waitFor();
    assert.equal(await findBarriers(page), []);
    await page.getByRole("button", { name: "Show everything" }).click();
    await page.getByText("Only the dashboard Quarterly.").waitFor({ state: "detached" });
    await page.close();
  });

  test.deep(
    "the list of datasets says who owns each, and in how many dashboards it is used",
    async () => {
      const page = await opened.openPage("/data");
      await page.getByRole("link", { name: "Sales" }).waitFor();
      await page.getByRole("gridcell", { name: "1 dashboard" }).waitFor();
      assert.equal(await findBarriers(page), []);
      await page.close();
    },
  );

  test.deep(
    "a reader who may only see a dashboard is offered no change, but may star and copy it",
    async () => {
      const { client, url } = opened;
      const user = await client.create<{ id: string; key: string; token: string }>("user", {
        email: "grace@example.org",
        name: "Grace",
      });
      const flags = { flagRead: true, flagUse: true };
      await client.associate("securable", boardId, { role: "Users", id: user.id }, flags);
      const pair = { key: user.key, token: user.token };
      const browser = await openBrowser();
      try {
        const { page } = await openConsolePage(browser, { url, pair, path: "/dashboards" });
        await page.getByRole("button", { name: "Add Quarterly to favourites" }).click();
        await page.getByRole("button", { name: "Remove Quarterly from favourites" }).waitFor();
        await page.getByRole("button", { name: "Actions for Quarterly", exact: true }).click();
        await page.getByRole("menuitem", { name: "Duplicate" }).waitFor();
        assert.equal(await page.getByRole("menuitem").allInnerTexts(), [
          "Open",
          "Duplicate",
          "Collections",
        ]);
        const seen = await client.get("collection", { where: { favorite: true } });
        assert.ok(
          seen.rows.every(({ user_id: owner }) => owner !== user.id),
          "favourites of others stay hidden",
        );
      } finally {
        await browser.close();
      }
    },
  );

  test.deep("no list violates the security policy or reports an error", () => {
    assert.equal(opened.reports, []);
  });
});
