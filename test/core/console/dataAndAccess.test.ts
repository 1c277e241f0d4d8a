import * as assert from "uvu/assert";
import type { Browser } from "playwright-core";
import { openBrowser } from "../../support/openBrowser.ts";
import { suite } from "../../support/suite.ts";
import { openPeople, type Dataset, type People, type Person } from "../openPeople.ts";
import { findBarriers } from "./findBarriers.ts";
import { openConsolePage, type OpenConsolePage } from "./openConsolePage.ts";

const hostile = `<img src=x onerror="document.title='owned'">{{1}}\u202e`;

suite("core/console: data, plugins, people and access", (test) => {
  let people: People;
  let browser: Browser;
  let opened: OpenConsolePage;
  let dataset: Dataset;
  let north: Person;

  test.before(async () => {
    people = await openPeople();
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
    opened = await openConsolePage(browser, people.host.url, owner.pair);
  });
  test.after(async () => {
    await browser?.close();
    await people?.close();
  });

  const go = async (path: string) => {
    await opened.page.goto(`${people.host.url}${path}`);
  };
  test.deep(
    "a person finds a dataset among many by its name, and opens it from its address",
    async () => {
      const { page } = opened;
      for (let index = 0; index < 3; index++) await people.push();
      await go("/data");
      await page.getByRole("grid", { name: "Data" }).waitFor();
      await page.getByRole("searchbox", { name: "Search datasets" }).fill("Trips");
      await page.getByText("1 dataset", { exact: true }).waitFor();
      await page.getByRole("gridcell", { name: "Trips" }).click();
      await page.getByRole("heading", { name: "Trips" }).waitFor();
      assert.match(page.url(), `/data/${dataset.id}`);
      await page.reload();
      await page.getByRole("gridcell", { name: "region" }).waitFor();
      assert.not.match(await page.title(), "owned");
      assert.equal(await findBarriers(opened.page), []);
    },
  );

  test.deep("a column shows its distribution, and its new name after it is saved", async () => {
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
    const { rows } = await people.owner.get("column", { where: { id: dataset.columns["region"] } });
    assert.equal(rows[0]?.["name"], { en: "Place" });
    await people.owner.update("column", String(dataset.columns["region"]), {
      name: { en: "region" },
    });
  });

  test.deep("a derived column is checked while it is written, and made", async () => {
    const { page } = opened;
    const own = await people.push();
    await go(`/data/${own.id}`);
    await page.getByRole("button", { name: "Derive a column" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Expression").fill("nonsense(");
    await dialog.getByRole("alert").waitFor();
    await dialog.getByLabel("Expression").fill(`{${own.id}:${own.columns["km"]}} * 2`);
    await dialog.getByText("First values").waitFor();
    assert.match(await dialog.innerText(), "2 · 4 · 6");
    await dialog.getByLabel("Name").fill("Double");
    await dialog.getByRole("button", { name: "Create column" }).click();
    await page.getByRole("gridcell", { name: "Double" }).waitFor();
  });

  test.deep(
    "a CSV shows the types of its columns before it is stored, and its wrong rows by number",
    async () => {
      const { page } = opened;
      await go("/data");
      const choose = async (name: string, text: string) => {
        await page.getByRole("button", { name: "Upload a file" }).click();
        await page.setInputFiles("#upload-file", {
          name,
          mimeType: "text/csv",
          buffer: Buffer.from(text),
        });
      };
      await choose("broken.csv", "city,km\nGhent,1\nBruges\n");
      const dialog = page.getByRole("dialog");
      await dialog.getByText("Row 2 has 1 cells, and the header 2.").waitFor();
      assert.ok(await dialog.getByRole("button", { name: "Store dataset" }).isDisabled());
      await dialog.getByRole("button", { name: "Cancel" }).click();
      const before = (await people.owner.get("securable", { where: { type: "dataset" } })).count;
      await choose(
        "cities.csv",
        `city;km;day\n"${hostile.replaceAll('"', '""')}";1,5;2024-01-01\nGhent;2;2024-01-02\n`,
      );
      await dialog.getByText("2 rows, 3 columns").waitFor();
      assert.equal(
        (await people.owner.get("securable", { where: { type: "dataset" } })).count,
        before,
      );
      assert.equal(await dialog.locator("th .badge").allTextContents(), ["Text", "Text", "Date"]);
      assert.equal(await findBarriers(opened.page), []);
      await dialog.getByRole("button", { name: "Store dataset" }).click();
      await page.getByRole("heading", { name: "cities" }).waitFor();
      await page.getByRole("tab", { name: "Rows" }).click();
      await page.getByRole("cell", { name: "Ghent" }).waitFor();
      assert.ok(
        (await page.getByRole("tabpanel").innerText()).includes("<img src=x"),
        "shown as text",
      );
      assert.not.match(await page.title(), "owned");
    },
  );

  test.deep(
    "see as a token: its rights in words beside its rows, and nothing that it does not see",
    async () => {
      const { page } = opened;
      await go("/access/tokens");
      await page.getByLabel("Key of a token").fill(north.pair.key);
      await page.getByRole("button", { name: "Open", exact: true }).click();
      await page.getByText("Sees 1 dataset and 0 dashboards.").waitFor();
      await page.getByText(/region\u2069 is \u2068north/).waitFor();
      const live = page.getByRole("region", { name: "Rows that this token sees" });
      await live.waitFor();
      await page.getByText("3 of 6 rows that you see").waitFor();
      const shown = await live.innerText();
      assert.ok(shown.includes("north") && !shown.includes("south"), shown);
      assert.equal(await findBarriers(opened.page), []);
      const text = await page.locator("body").innerText();
      assert.not(text.includes(north.pair.token), "no secret of the token");
    },
  );

  test.deep(
    "the page issues a token with a filter, and shows at once what the token sees",
    async () => {
      const { page } = opened;
      await go("/access/tokens");
      await page.getByRole("button", { name: "Issue token" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("User name").fill("page-reader");
      await dialog.getByRole("checkbox", { name: "Trips" }).check();
      await dialog.getByLabel("Rows where").selectOption({ label: "region is" });
      await dialog.getByLabel("Value").fill("south");
      await dialog.getByRole("button", { name: "Issue token" }).click();
      await dialog.getByText("it is shown this once").waitFor();
      await dialog.getByRole("button", { name: "See as this token" }).click();
      await page.getByText(/region\u2069 is \u2068south/).waitFor();
      await page.getByText("3 of 6 rows that you see").waitFor();
    },
  );

  test.deep(
    "people, groups, integrations, the audit and the plugins are listed; axe finds nothing; 360 px is enough",
    async () => {
      const { page } = opened;
      for (const [path, expected] of [
        ["/access/people", "E-mail"],
        ["/access/groups", "Created"],
        ["/access/audit", "Action"],
        ["/access/tokens", "Your API tokens"],
        ["/plugins", "No plugin is registered"],
        ["/data", "Changed"],
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

  test.deep("no page made a report of the policy or an error", () => {
    assert.equal(opened.reports, []);
  });
});
