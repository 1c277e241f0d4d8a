import * as assert from "uvu/assert";
import type { Page } from "playwright-core";
import { suite } from "../../../support/suite.ts";
import { findBarriers } from "./findBarriers.ts";
import { openConsole, type OpenConsole } from "./openConsole.ts";

type Json = Readonly<Record<string, unknown>>;

const hostile = `<img src=x onerror="document.title='owned'">`;

suite("core/web/console: columns and hierarchies", (test) => {
  let opened: OpenConsole;
  let id: string;
  let columns: Readonly<Record<string, string>>;

  test.before(async () => {
    opened = await openConsole();
    const cities = ["Ghent", "Ghent", "Ghent", "Bruges", "Bruges", hostile];
    const data = Array.from({ length: 240 }, (_, index) => [
      index % 60 === 59 ? null : cities[index % 6],
      index % 40,
      new Date(Date.UTC(2026, 0, 1 + (index % 20) + (index % 7 === 0 ? 30 : 0))).toISOString(),
    ]);
    const pushed = await opened.client.create<{ rows: { id: string; columns: Json[] }[] }>("data", {
      type: "create",
      data,
      options: { header: ["city", "km", "at"], name: { en: "Trips" } },
    });
    const [made] = pushed.rows;
    id = String(made?.id);
    columns = Object.fromEntries(
      (made?.columns ?? []).map((each) => [String(each["source_name"]), String(each["id"])]),
    );
  });
  test.after(() => opened?.close());

  const overflow = async (page: Page): Promise<number> =>
    page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

  test.deep(
    "using only the keyboard, a reader labels and colours a value, and adds, changes and deletes a level",
    async () => {
      const page = await opened.openPage(`/data/${id}/hierarchies`);
      await page.getByRole("grid", { name: "Hierarchies" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "city" }).waitFor();
      assert.match(page.url(), `/data/${id}/hierarchies/${columns["city"]}`);

      await page.getByRole("button", { name: "Add level" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.type("Country");
      await page.keyboard.press("Enter");
      await page.getByRole("listitem").filter({ hasText: "Country" }).waitFor();
      await page.getByRole("button", { name: "Change: Country" }).focus();
      await page.keyboard.press("Enter");
      await page.getByLabel("Name").fill("Land");
      await page.keyboard.press("Enter");
      await page.getByRole("listitem").filter({ hasText: "Land" }).waitFor();
      const found = await opened.client.get("hierarchylevel", {
        where: { column_id: String(columns["city"]) },
      });
      assert.equal(
        found.rows.map(({ name, level }) => [name, level]),
        [[{ en: "Land" }, 1]],
      );

      await page.getByRole("grid", { name: "Values" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("dialog", { name: "Ghent" }).waitFor();
      await page.keyboard.type("Gand");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Space");
      assert.equal(await findBarriers(page), []);
      await page.getByRole("button", { name: "Save" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("gridcell", { name: "Gand" }).waitFor();
      const { rows } = await opened.client.get("hierarchy", {
        where: { column_id: String(columns["city"]) },
      });
      assert.equal(
        rows.map((row) => [row["id"], row["name"], row["color"]]),
        [["Ghent", { en: "Gand" }, "#4269d0"]],
      );

      await page.getByRole("button", { name: "Change: Land" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Delete level" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("dialog", { name: "Delete level" }).waitFor();
      await page.getByRole("button", { name: "Delete level" }).last().focus();
      await page.keyboard.press("Enter");
      await page.getByText("No levels yet.").waitFor();
      assert.is((await opened.client.get("hierarchylevel")).count, 0);
      assert.equal(opened.reports, []);
      await page.close();
    },
  );

  test.deep(
    "labelled values can be listed, searched, added and removed, and hostile labels appear as text",
    async () => {
      const { client } = opened;
      const path = `/data/${id}/hierarchies/${columns["city"]}`;
      await client.update("hierarchy", String(columns["city"]), {
        updates: [{ id: "Ghent", name: { en: "Gand", nl: "Gent" }, color: "#c00" }],
      });
      const level = await client.create<{ id: string }>("hierarchylevel", {
        name: { en: "Town" },
        level: 3,
      });
      await client.associate("column", String(columns["city"]), {
        role: "HierarchyLevels",
        id: level.id,
      });
      const page = await opened.openPage(path, { size: "phone", theme: "dark" });
      await page.getByRole("gridcell", { name: hostile }).waitFor();
      assert.is(await page.title().then((title) => title.includes("owned")), false);
      assert.equal(await findBarriers(page), []);
      assert.is(await overflow(page), 0);
      await page.getByRole("searchbox", { name: "Search values" }).fill("rug");
      await page.getByText("1 value", { exact: true }).waitFor();
      assert.match(page.url(), "search=rug");
      await page.reload();
      await page.getByRole("gridcell", { name: "Bruges" }).waitFor();

      await page.getByRole("button", { name: "Label another value" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.getByText("Enter the value to label.").waitFor();
      await dialog.getByLabel("Value", { exact: true }).fill("Lille");
      await dialog.getByLabel("Label").fill("Rijsel");
      await dialog.getByLabel("Parent values").fill("Europe\nFrance");
      assert.equal(await findBarriers(page), []);
      assert.is(await overflow(page), 0);
      await dialog.getByRole("button", { name: "Save" }).click();
      await page
        .getByLabel("Show")
        .selectOption({ label: "All values with a label, colour or level" });
      await page.getByRole("gridcell", { name: "Rijsel" }).waitFor();
      await page.getByText("2 values").waitFor();
      const placed = async () => {
        const where = { column_id: String(columns["city"]), value: "Lille" };
        const { rows } = await client.get<{ rows: Record<string, unknown>[] }>("hierarchy", {
          where,
        });
        return rows.map((row) => [row["level"], row["trace"]]);
      };
      assert.equal(await placed(), [[null, ["_$root", "Europe", "France", "Lille"]]]);
      await page.getByRole("gridcell", { name: "Rijsel" }).click();
      assert.is(await dialog.getByLabel("Parent values").inputValue(), "Europe\nFrance");
      await dialog.getByLabel("Level").selectOption({ label: "3 Town" });
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "detached" });
      assert.equal(await placed(), [[3, ["_$root", "Europe", "France", "Lille"]]]);
      await client.delete("hierarchylevel", level.id);
      await page.getByRole("gridcell", { name: "Gand" }).click();
      await dialog.getByRole("button", { name: "Clear" }).click();
      await page.getByText("1 value", { exact: true }).waitFor();
      const { rows } = await client.get("hierarchy", {
        where: { column_id: String(columns["city"]) },
      });
      assert.equal(
        rows.map((row) => row["id"]),
        ["Lille"],
      );
      assert.equal(opened.reports, []);
      await page.close();
    },
  );

  test.deep(
    "columns of numbers, dates and strings show the distribution of their values",
    async () => {
      const page = await opened.openPage(`/data/${id}`);
      const dialog = page.getByRole("dialog");
      for (const [name, facts, drawn] of [
        ["km", ["Rows", "240", "Distinct", "40", "Smallest", "0", "Largest", "39"], 20],
        ["at", ["Distinct", "Smallest", "Jan 1, 2026", "Largest"], 40],
        ["city", ["Distinct", "3", "Empty", "4 (2 %)", "Smallest", "Bruges"], 0],
      ] as const) {
        await page.getByRole("gridcell", { name, exact: true }).click();
        await dialog.getByText("Smallest").waitFor();
        const text = (await dialog.innerText()).replaceAll(/\s+/g, " ");
        for (const fact of facts) assert.ok(text.includes(fact), `${name}: ${fact} in ${text}`);
        const bars = await dialog.locator("svg.histogram rect").count();
        if (drawn === 0) assert.match(text, "Most frequent values");
        else assert.ok(bars > drawn / 2 && bars <= drawn, `${name}: ${bars} bars`);
        assert.equal(await findBarriers(page), [], name);
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
      }
      await page.setViewportSize({ width: 360, height: 780 });
      await page.getByRole("gridcell", { name: "km", exact: true }).click();
      await dialog.locator("svg.histogram").waitFor();
      assert.is(await overflow(page), 0);
      await page.close();
    },
  );

  test.deep(
    "a format field shows an example in the reader's language, or an error for a format unknown to D3",
    async () => {
      const page = await opened.openPage(`/data/${id}`);
      await page.getByRole("gridcell", { name: "km", exact: true }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("Example: 39").waitFor();
      await dialog.getByLabel("Format").fill(".0%");
      await dialog.getByText("Example: 3900%").waitFor();
      await dialog.getByLabel("Format").fill("nonsense");
      await dialog.getByRole("alert").waitFor();
      await dialog.getByLabel("Format").fill(",.1f");
      await dialog.getByText("Example: 39.0").waitFor();
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByRole("gridcell", { name: "1,234.6" }).waitFor();
      const { rows } = await opened.client.get("column", { where: { id: columns["km"] } });
      assert.is(rows[0]?.["format"], ",.1f");
      await page.close();
    },
  );

  test.deep("the number format can be changed in the panel of a dashboard item", async () => {
    const { client } = opened;
    const measure = {
      datasetId: id,
      columnId: columns["km"],
      label: { en: "km" },
      type: "numeric",
      aggregationFunc: "sum",
      format: ",.2f",
    };
    const item = {
      id: "00000000-0000-4000-8000-0000000000c1",
      type: "evolution-number",
      options: { title: { en: "All" } },
      position: { col: 0, row: 0, sizeX: 24, sizeY: 12 },
      slots: [{ name: "measure", content: [measure] }],
    };
    const board = await client.create<{ id: string }>("securable", {
      type: "dashboard",
      name: { en: "Board" },
      contents: { version: "0.1.99", views: [{ screenModus: "desktop", items: [item] }] },
    });
    const page = await opened.openPage(`/dashboards/${board.id}?edit=1`);
    await page.getByRole("group", { name: "All", exact: true }).focus();
    await page.getByLabel("Format of km", { exact: true }).selectOption({ label: "1,235" });
    await page.getByText("1,235", { exact: false }).first().waitFor({ state: "attached" });
    assert.equal(await findBarriers(page), []);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved", { exact: true }).first().waitFor();
    const { rows } = await client.get("securable", { where: { id: board.id } });
    assert.match(JSON.stringify(rows[0]?.["contents"]), '"format":",.0f"');
    assert.equal(opened.reports, []);
    await page.close();
  });
});
