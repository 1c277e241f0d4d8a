import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as assert from "uvu/assert";
import type { Browser } from "playwright-core";
import { openBrowser } from "../../../support/openBrowser.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, sumOf, type Dataset, type People, type Person } from "../../openPeople.ts";
import { findBarriers } from "./findBarriers.ts";
import { openConsolePage, type OpenConsolePage } from "./openConsolePage.ts";

const hostile = `<img src=x onerror="document.title='owned'">{{1}}\u202e`;

suite("core/web/console: data, plugins, people and access", (test) => {
  let people: People;
  let folder: string;
  let browser: Browser;
  let opened: OpenConsolePage;
  let dataset: Dataset;
  let north: Person;

  test.before(async () => {
    folder = mkdtempSync(join(tmpdir(), "manifold-console-"));
    const database = new DatabaseSync(join(folder, "shop.sqlite"));
    database.exec(`create table orders (id integer primary key, city text, price real);
      create table customers (id integer primary key, name text);
      create view large_orders as select * from orders where price > 10;
      insert into orders values (1, 'Ghent', 12.5), (2, 'Bruges', 3);`);
    database.close();
    people = await openPeople({ fileFolders: [folder] });
    const { owner } = people;
    dataset = await people.push();
    await owner.update("securable", dataset.id, { name: { en: `Trips ${hostile}` } });
    const access = { datasets: [{ id: dataset.id, rights: "use" }] };
    north = await people.mint({
      username: `reader ${hostile}`,
      access,
      filters: [
        {
          securable_id: dataset.id,
          column_id: dataset.columns["region"],
          expression: "? = ?",
          value: "north",
        },
      ],
    });
    browser = await openBrowser();
    opened = await openConsolePage(browser, { url: people.host.url, pair: owner.pair });
  });
  test.after(async () => {
    await browser?.close();
    await people?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const go = async (path: string) => {
    await opened.page.goto(`${people.host.url}${path}`);
  };
  test.deep(
    "a reader finds one of many datasets by name, and opens it again by address",
    async () => {
      const { page } = opened;
      for (let index = 0; index < 3; index++) await people.push();
      await go("/data");
      await page.getByRole("grid", { name: "Data" }).waitFor();
      await page.getByRole("searchbox", { name: "Search datasets" }).fill("Trips");
      await page.getByText("1 dataset", { exact: true }).waitFor();
      await page.getByRole("gridcell", { name: /^Trips/ }).click();
      await page.getByRole("heading", { name: "Trips" }).waitFor();
      assert.match(page.url(), `/data/${dataset.id}`);
      await page.reload();
      await page.getByRole("gridcell", { name: "region" }).waitFor();
      assert.not.match(await page.title(), "owned");
      assert.equal(await findBarriers(opened.page), []);
    },
  );

  test.deep(
    "the page of a column shows the distribution of the values, and the column's new name once it is saved",
    async () => {
      const { page } = opened;
      await go(`/data/${dataset.id}`);
      await page.getByRole("gridcell", { name: "region" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("Most frequent values").waitFor();
      assert.match(await dialog.innerText(), "north");
      assert.equal(await findBarriers(opened.page), []);
      await dialog.getByLabel("Name").fill("Place");
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByRole("gridcell", { name: "Place" }).waitFor();
      const { rows } = await people.owner.get("column", {
        where: { id: dataset.columns["region"] },
      });
      assert.equal(rows[0]?.["name"], { en: "Place" });
      await people.owner.update("column", String(dataset.columns["region"]), {
        name: { en: "region" },
      });
    },
  );

  test.deep(
    "a derived column is evaluated while its expression is typed, and then created",
    async () => {
      const { page } = opened;
      const own = await people.push();
      await go(`/data/${own.id}`);
      await page.getByRole("button", { name: "Derive a column" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Expression").fill("nonsense(");
      await dialog.getByRole("alert").waitFor();
      await dialog.getByLabel("Expression").fill("");
      await dialog.getByLabel("Expression").pressSequentially("roun");
      await dialog.getByRole("option", { name: "round(number, digits?)" }).waitFor();
      await page.keyboard.press("Enter");
      await page.keyboard.type("{k");
      await dialog.getByRole("option", { name: "km" }).waitFor();
      assert.equal(await findBarriers(opened.page), []);
      await page.keyboard.press("Enter");
      assert.is(await dialog.getByLabel("Expression").inputValue(), "round({km})");
      await dialog.getByRole("row", { name: "2 2", exact: true }).waitFor();
      await dialog.getByLabel("Expression").fill("{kn} * 2");
      await dialog.getByText("There is no column “kn”. Did you mean “km”?").waitFor();
      await dialog.getByLabel("Expression").fill("{km} * 2");
      await dialog.getByRole("row", { name: "2 4", exact: true }).waitFor();
      await dialog.getByLabel("Name").fill("Double");
      await dialog.getByRole("button", { name: "Create column" }).click();
      await page.getByRole("gridcell", { name: "Double" }).waitFor();
      await page.getByRole("gridcell", { name: "{km} * 2" }).click();
      await dialog.getByRole("button", { name: "Change the expression" }).click();
      await page.getByRole("dialog").last().getByLabel("Expression").fill("{km} * 3");
      await page.getByRole("row", { name: "2 6", exact: true }).waitFor();
      await page.getByRole("dialog").last().getByRole("button", { name: "Save" }).click();
      await page.getByRole("gridcell", { name: "{km} * 3" }).waitFor();
      const { rows } = await people.owner.get("column", {
        where: { securable_id: own.id, expression: { not: null } },
      });
      assert.is(rows[0]?.["expression"], `{${own.id}:${own.columns["km"]}} * 3`);
    },
  );

  test.deep(
    "a formula is written with column names, shows its value and can be changed or deleted",
    async () => {
      const { page } = opened;
      const own = await people.push();
      await go(`/data/${own.id}/formulas`);
      await page.getByRole("button", { name: "Write a formula" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("Mean");
      await dialog.getByLabel("Expression").fill("sum({km}) / count({km})");
      await dialog.getByText("Value over all rows").waitFor();
      await dialog.getByText("3.5", { exact: true }).waitFor();
      await dialog.getByRole("button", { name: "Create formula" }).click();
      await page.getByRole("gridcell", { name: "sum({km}) / count({km})" }).click();
      await dialog.getByLabel("Expression").fill("max({km})");
      await dialog.getByText("6", { exact: true }).waitFor();
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByRole("gridcell", { name: "max({km})" }).waitFor();
      assert.equal(await findBarriers(opened.page), []);
      await page.getByRole("button", { name: "Delete formula: Mean" }).click();
      await dialog.getByRole("button", { name: "Delete formula" }).click();
      await page.getByText("No formulas").waitFor();
    },
  );

  test.deep(
    "a link between datasets can be created, opens the other dataset and can be removed",
    async () => {
      const { page } = opened;
      const [own, other] = [await people.push(), await people.push()];
      await people.owner.update("securable", other.id, { name: { en: "Regions" } });
      await go(`/data/${own.id}/links`);
      await page.getByText("No linked columns").waitFor();
      await page.getByRole("button", { name: "Add link" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Search datasets").fill("Regions");
      await dialog
        .getByLabel("Other dataset")
        .locator("option", { hasText: "Regions" })
        .waitFor({ state: "attached" });
      await dialog
        .getByLabel("Its column")
        .locator("option", { hasText: "region" })
        .waitFor({ state: "attached" });
      assert.equal(await findBarriers(opened.page), []);
      await dialog.getByRole("button", { name: "Add link" }).click();
      await page.getByText("region → region").waitFor();
      const joins = async () => {
        const where = { id: own.columns["region"] };
        const include = [{ model: "Column", as: "Joins" }];
        const { rows } = await people.owner.get<{ rows: { joins: { id: string }[] }[] }>("column", {
          where,
          include,
        });
        const [column] = rows;
        return column?.joins.map(({ id }) => id);
      };
      assert.equal(await joins(), [other.columns["region"]]);
      assert.equal(await findBarriers(opened.page), []);
      await page.getByRole("link", { name: "Regions" }).click();
      await page.getByRole("heading", { name: "Regions" }).waitFor();
      await page.goBack();
      await page.getByRole("button", { name: /^Remove: region/ }).click();
      await page.getByText("No linked columns").waitFor();
      assert.equal(await joins(), []);
    },
  );

  test.deep("a live dataset can be synchronized, accelerated and made live again", async () => {
    const { page } = opened;
    const live = await people.connect();
    await go(`/data/${live.id}/source`);
    await page.getByRole("button", { name: "Synchronize now" }).click();
    await page.getByText("The columns have not changed.").waitFor();
    await page.getByRole("button", { name: "Copy rows into the store" }).click();
    const dialog = page.getByRole("dialog");
    assert.equal(await findBarriers(opened.page), []);
    await dialog.getByRole("button", { name: "Copy rows into the store" }).click();
    await page.getByRole("heading", { name: "Acceleration ready" }).waitFor();
    assert.match(await page.getByRole("region", { name: "Acceleration" }).innerText(), /Rows\s+6/);
    assert.equal(await findBarriers(opened.page), []);
    await page.getByRole("button", { name: "Delete the copy" }).click();
    await dialog.getByRole("button", { name: "Delete the copy" }).click();
    await page.getByText("Every query goes to the source.").waitFor();
    await page.getByText("update", { exact: false }).first().waitFor();
  });

  test.deep(
    "a source is connected with the form for its properties, and its tables become datasets",
    async () => {
      const { page } = opened;
      await go("/data");
      await page.getByRole("link", { name: "Connect a source" }).click();
      await page.getByRole("link", { name: "SQLite" }).click();
      await page.getByRole("heading", { name: "Connect SQLite" }).waitFor();
      await page.getByRole("button", { name: "Connect", exact: true }).click();
      await page.getByText("Database file is required.").waitFor();
      await page.getByLabel("Database file").fill("none.sqlite");
      await page.getByRole("button", { name: "Test connection" }).click();
      await page.getByRole("alert").waitFor();
      await page.getByLabel("Database file").fill("shop.sqlite");
      await page.getByLabel("Connection name").fill(`Shop ${hostile}`);
      await page.getByRole("button", { name: "Test connection" }).click();
      await page.getByText("The source accepts these credentials.").waitFor();
      assert.equal(await findBarriers(opened.page), []);
      await page.getByRole("button", { name: "Connect", exact: true }).click();
      await page.getByRole("grid", { name: "Tables" }).waitFor();
      await page.getByText("3 of 3").waitFor();
      await page.getByRole("searchbox", { name: "Search tables" }).fill("orders");
      await page.getByText("2 of 3").waitFor();
      await page.getByLabel("Kind").selectOption({ label: "Tables" });
      await page.getByText("1 of 3").waitFor();
      assert.equal(await findBarriers(opened.page), []);
      await page.getByRole("gridcell", { name: "orders" }).first().click();
      await page.getByRole("button", { name: "Create 1 dataset" }).click();
      await page.getByRole("heading", { name: "orders" }).waitFor();
      await page.getByRole("tab", { name: "Rows" }).click();
      await page.getByRole("cell", { name: "12.5" }).waitFor();
      assert.not.match(await page.title(), "owned");
      await go("/data/connections");
      await page.getByRole("gridcell", { name: "Shop" }).click();
      await page.getByRole("button", { name: "Synchronize" }).click();
      await page.getByText("1 dataset synchronized").waitFor();
      await page.getByRole("button", { name: "Change" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Database file").waitFor();
      assert.is(await dialog.getByLabel("Database file").inputValue(), "shop.sqlite");
      await dialog.getByLabel("Connection name").fill("Shop");
      await dialog.getByRole("button", { name: "Save connection" }).click();
      await page.getByRole("heading", { name: "Shop ready" }).waitFor();
      await page.getByRole("button", { name: "Delete connection" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete connection" }).click();
      await page.getByText(/cannot be queried without this connection/).waitFor();
    },
  );

  test.deep(
    '"See as this token" shows the token\'s rights in words and the rows that it sees, and nothing else',
    async () => {
      const { page } = opened;
      await go("/access/tokens");
      await page.getByLabel("Key of an embed token").fill(north.pair.key);
      await page.getByRole("button", { name: "Open", exact: true }).click();
      await page.getByText("Sees 1 dataset and 0 dashboards.").waitFor();
      await page.getByText(/region\u2069 is \u2068north/).waitFor();
      const live = page.getByRole("region", { name: "Rows that this token sees" });
      await live.waitFor();
      await page.getByText("3 of the 6 rows that you can see").waitFor();
      const shown = await live.innerText();
      assert.ok(shown.includes("north") && !shown.includes("south"), shown);
      assert.equal(await findBarriers(opened.page), []);
      const text = await page.locator("body").innerText();
      assert.not(text.includes(north.pair.token), "no secret of the token");
    },
  );

  test.deep(
    '"See as this token" draws the token\'s dashboards with only the rows that it sees',
    async () => {
      const { page } = opened;
      const board = await people.owner.create<{ id: string }>("securable", {
        type: "dashboard",
        name: { en: `Board ${hostile}` },
        contents: {
          views: [
            {
              screenModus: "desktop",
              items: [
                {
                  id: "00000000-0000-4000-8000-0000000000b2",
                  type: "column-chart",
                  position: { row: 0, col: 0, sizeX: 48, sizeY: 20 },
                  slots: [
                    {
                      name: "category",
                      content: [
                        { column: dataset.columns["region"], set: dataset.id, type: "hierarchy" },
                      ],
                    },
                    {
                      name: "measure",
                      content: [
                        {
                          column: dataset.columns["km"],
                          set: dataset.id,
                          type: "numeric",
                          aggregationFunc: "sum",
                        },
                      ],
                    },
                  ],
                },
              ],
            },
          ],
        },
      });
      const viewer = await people.mint({
        username: "board reader",
        access: {
          datasets: [{ id: dataset.id, rights: "use" }],
          dashboards: [{ id: board.id, rights: "read" }],
        },
        filters: [
          {
            securable_id: dataset.id,
            column_id: dataset.columns["region"],
            expression: "? = ?",
            value: "north",
          },
        ],
      });
      await go("/access/tokens");
      await page.getByLabel("Key of an embed token").fill(viewer.pair.key);
      await page.getByRole("button", { name: "Open", exact: true }).click();
      await page.getByText("1 of 1 items have rows.").waitFor();
      await page.getByText("Rows hidden by filters on its datasets").waitFor();
      const drawn = page.locator("console-seen-dashboards manifold-dashboard svg");
      await drawn.locator("rect[data-mark]").first().waitFor();
      assert.is(await drawn.locator("rect[data-mark]").count(), 1);
      const texts = (await drawn.locator("text").allTextContents()).join(" ");
      assert.not(texts.includes("south"), texts);
      assert.not((await page.content()).includes(viewer.pair.token), "no secret of the token");
      assert.equal(await findBarriers(page), []);
      await page.setViewportSize({ width: 360, height: 780 });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.is(over, 0);
      await page.setViewportSize({ width: 1440, height: 900 });
      assert.equal(opened.reports, []);
    },
  );

  test.deep(
    "the token page issues a token with a filter and at once shows what the token sees",
    async () => {
      const { page } = opened;
      await go("/access/tokens");
      await page.getByRole("button", { name: "Issue token" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("User name").fill("page-reader");
      await dialog.getByRole("checkbox", { name: "Trips <img" }).check();
      await dialog.getByLabel("Rows where").selectOption({ label: "region is" });
      await dialog.getByLabel("Value").fill("south");
      await dialog.getByRole("button", { name: "Issue token" }).click();
      await dialog.getByText("it is shown only once").waitFor();
      await dialog.getByRole("button", { name: "See as this token" }).click();
      await page.getByText(/region\u2069 is \u2068south/).waitFor();
      await page.getByText("3 of the 6 rows that you can see").waitFor();
    },
  );

  test.deep(
    "a plugin's page shows the number and duration of its calls, as the API reports them",
    async () => {
      const { page } = opened;
      const live = await people.connect();
      await people.owner.get("data", sumOf(live));
      const { rows } = await people.owner.get("plugin", { order: [["created_at", "desc"]] });
      const { id, name } = rows[0] as { id: string; name: { en: string } };
      const { body } = await people.call("plugin", { action: "explain", id, ...people.owner.pair });
      const { calls } = body as { calls: number };
      assert.ok(calls >= 2, String(calls));
      await go("/plugins");
      await page.getByRole("gridcell", { name: name.en }).first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("Median time").waitFor();
      assert.match(await dialog.innerText(), new RegExp(`Calls\\s+${calls}\\s+Failed\\s+0`));
      assert.equal(await findBarriers(page), []);
      const stranger = await people.add("stranger");
      const other = await people.call("plugin", { action: "explain", id, ...stranger.pair });
      assert.is(other.status, 404);
    },
  );

  test.deep(
    "the pages of people, groups, integrations, the audit and plugins are accessible and fit 360 px",
    async () => {
      const { page } = opened;
      for (const [path, expected] of [
        ["/access/people", "E-mail"],
        ["/access/groups", "Created"],
        ["/access/audit", "Action"],
        ["/access/tokens", "Your API tokens"],
        ["/plugins", "Register plugin"],
        ["/data", "Changed"],
        ["/data/connections", "Connections"],
        ["/data/connect", "PostgreSQL"],
        ["/data/connect/postgresql", "Database"],
        ["/data/upload", "Choose files"],
        [`/data/${dataset.id}`, "Description"],
        [`/data/${dataset.id}/formulas`, "No formulas"],
        [`/data/${dataset.id}/links`, "Add link"],
        [`/data/${dataset.id}/rows`, "north"],
        [`/data/${dataset.id}/source`, "Stored on this host"],
      ] as const) {
        await go(path);
        await page.getByText(expected).first().waitFor();
        assert.equal(await findBarriers(opened.page), [], path);
        await page.setViewportSize({ width: 360, height: 800 });
        const [wide, seen] = await page.evaluate(() => [
          document.documentElement.scrollWidth,
          document.documentElement.clientWidth,
        ]);
        assert.ok((wide ?? 0) <= (seen ?? 0), `${path} scrolls sideways at 360 px: ${wide}`);
        await page.setViewportSize({ width: 1440, height: 900 });
      }
    },
  );

  test.deep("no page of Data or Access violates the security policy or reports an error", () => {
    assert.equal(opened.reports, []);
  });
});
