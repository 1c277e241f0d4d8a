import * as assert from "uvu/assert";
import type { Browser, Page } from "playwright-core";
import { eventually } from "../../../support/eventually.ts";
import { openBrowser } from "../../../support/openBrowser.ts";
import { suite } from "../../../support/suite.ts";
import { writeBook } from "../../../connectors/files/writeXlsx.ts";
import { openPeople, type People } from "../../openPeople.ts";
import { findBarriers } from "./findBarriers.ts";
import { openConsolePage, type OpenConsolePage } from "./openConsolePage.ts";
import { openFaultyProxy, type FaultyProxy } from "./openFaultyProxy.ts";

interface FileBytes {
  readonly name: string;
  readonly content: string | Uint8Array;
}

const hostile = `<img src=x onerror="document.title='owned'">{{1}}`;

suite("core/web/console: import of files", (test) => {
  let people: People;
  let browser: Browser;
  let proxy: FaultyProxy;
  let opened: OpenConsolePage;

  test.before(async () => {
    people = await openPeople();
    proxy = await openFaultyProxy(people.host.url);
    browser = await openBrowser();
    opened = await openConsolePage(browser, { url: proxy.url, pair: people.owner.pair });
  });
  test.after(async () => {
    await browser?.close();
    await proxy?.close();
    await people?.close();
    assert.equal(opened?.reports, []);
  });

  const go = (path: string) => opened.page.goto(`${proxy.url}${path}`);
  const payloadOf = ({ name, content }: FileBytes) => ({
    name,
    mimeType: "application/octet-stream",
    buffer: Buffer.from(content),
  });
  const choose = async (...files: readonly FileBytes[]) => {
    await go("/data");
    await opened.page.getByRole("link", { name: "Import a file" }).click();
    await opened.page.setInputFiles("#upload-file", files.map(payloadOf));
  };
  const preview = (page: Page) => page.getByRole("region", { name: /^First \d/ });
  const importButton = () => opened.page.getByRole("button", { name: "Import", exact: true });
  const typeOf = (column: string) => opened.page.getByLabel(`Type of column ${column}`);
  const storedAt = async (url: string) => {
    const { rows } = await people.owner.get("securable", {
      where: { id: new URL(url).pathname.split("/")[2] },
    });
    return rows[0];
  };
  const chosenIn = async (label: string) =>
    (await opened.page.getByLabel(label).locator("option:checked").innerText()).trim();
  const datasetCount = async () =>
    (await people.owner.get("securable", { where: { type: "dataset" } })).count;
  const imported = async (name: string) => {
    await opened.page.getByRole("heading", { name, level: 1, exact: true }).waitFor();
    await opened.page.waitForURL(/\/data\/[\da-f-]{36}$/);
    return storedAt(opened.page.url());
  };

  test.deep("a file becomes a dataset in three clicks, with a chart one click away", async () => {
    const { page } = opened;
    const before = await datasetCount();
    await choose({
      name: "cities.csv",
      content: `city,km,day\n"${hostile.replaceAll('"', '""')}",1.5,2024-01-31\nGhent,,2024-02-01\n`,
    });
    await preview(page).waitFor();
    assert.is(await datasetCount(), before, "nothing is stored for the preview");
    assert.match(await preview(page).innerText(), /1 number, 1 empty/);
    assert.ok((await preview(page).innerText()).includes("<img src=x"), "shown as text");
    assert.equal(await findBarriers(page), []);
    await importButton().click();
    const dataset = await imported("cities");
    assert.is(dataset?.["rows"], 2);
    await page.getByRole("link", { name: "Make a chart" }).first().click();
    await page.getByRole("button", { name: "city", exact: true }).waitFor();
    assert.not.match(await page.title(), "owned");
  });

  test.deep(
    "a file with semicolons, a title and German numbers is corrected with two suggestions, and charted",
    async () => {
      const { page } = opened;
      const content =
        "Umsätze 2024;;\nTag;Stadt;Umsatz\n31.01.2024;Köln;1.200,50\n01.02.2024;Köln;n/a\n03.02.2024;Bonn;7\n03.02.2024;Bonn;8\n";
      await choose({ name: "Umsätze.csv", content });
      await page.getByRole("button", { name: "Set Rows to skip to 1" }).click();
      await page.getByText(/4 dates as day.month.year/).waitFor();
      assert.is(await chosenIn("Type of column Umsatz"), "Text (detected)");
      await page.getByRole("button", { name: "Set Also empty to n/a" }).click();
      await page.getByRole("cell", { name: "1,200.5", exact: true }).waitFor();
      assert.is(await chosenIn("Type of column Umsatz"), "Number (detected)");
      assert.equal(await findBarriers(page), []);
      await importButton().click();
      await imported("Umsätze");
      await page.getByRole("link", { name: "Make a chart" }).first().click();
      await page.getByRole("button", { name: "Stadt", exact: true }).click();
      await page.getByRole("button", { name: "Umsatz", exact: true }).click();
      await page.getByText("2 rows", { exact: true }).waitFor();
      const table = await page.locator("console-table .body").innerText();
      assert.match(table, /Köln\s+1,200\.5/);
    },
  );

  test.deep("a column can be renamed and get another type before the import", async () => {
    const { page } = opened;
    await choose({ name: "codes.csv", content: "plz,n\n8001,1\n8002,2\n" });
    await preview(page).waitFor();
    assert.is(await chosenIn("Type of column plz"), "Number (detected)");
    await typeOf("plz").selectOption("Text");
    await page.getByText("2 values").waitFor();
    await page.getByLabel("Name of column plz").fill("Postcode");
    await page.getByLabel("Dataset name").fill("Postcodes");
    await importButton().click();
    await imported("Postcodes");
    await page.getByRole("gridcell", { name: "Postcode" }).waitFor();
    const { rows } = await people.owner.get("column", {
      where: { securable_id: page.url().split("/").at(-1) },
      order: [["order", "asc"]],
    });
    assert.equal(
      rows.map(({ name, source_name: source, type }) => [name, source, type]),
      [
        [{ en: "Postcode" }, "plz", "hierarchy"],
        [{ en: "n" }, "n", "numeric"],
      ],
    );
  });

  test.deep("one of two sheets of a workbook is chosen and imported", async () => {
    const { page } = opened;
    const cell = (value: string | number) =>
      typeof value === "number"
        ? `<c><v>${value}</v></c>`
        : `<c t="inlineStr"><is><t>${value}</t></is></c>`;
    const sheetOf = (...rows: readonly (readonly (string | number)[])[]) =>
      `<sheetData>${rows.map((row) => `<row>${row.map(cell).join("")}</row>`).join("")}</sheetData>`;
    const content = writeBook({
      sheets: {
        Notes: sheetOf(["note"], ["nothing"]),
        Trips: sheetOf(["city", "km"], ["Ghent", 12.5], ["Bruges", 7]),
      },
    });
    await choose({ name: "trips 2024.xlsx", content });
    await page.getByRole("cell", { name: "nothing" }).waitFor();
    await page.getByText("How the file is read").click();
    assert.is(await chosenIn("Sheet"), "Notes (detected)");
    await page.getByLabel("Sheet").selectOption("Trips");
    await page.getByRole("cell", { name: "12.5" }).waitFor();
    assert.equal(await findBarriers(page), []);
    await importButton().click();
    const dataset = await imported("trips 2024");
    assert.is(dataset?.["rows"], 2);
  });

  test.deep("several files are imported one after another, or skipped", async () => {
    const { page } = opened;
    const before = await datasetCount();
    await choose(
      { name: "one.csv", content: "a\n1\n" },
      { name: "two.csv", content: "b\n2\n" },
      { name: "three.csv", content: "c\n3\n" },
    );
    await page.getByText("File 1 of 3").waitFor();
    await page.getByLabel("Name of column a").waitFor();
    await importButton().click();
    await page.getByText("File 2 of 3").waitFor();
    await page.getByRole("button", { name: "Skip this file" }).click();
    await page.getByLabel("Name of column c").waitFor();
    await importButton().click();
    await imported("three");
    assert.is(await datasetCount(), before + 2);
  });

  test.deep(
    "a refused file names the control that helps, and is read once it is changed",
    async () => {
      const { page } = opened;
      await choose({ name: "both.csv", content: "a,b;c\n1,2;3\n4,5;6\n" });
      await page.getByRole("heading", { name: "The file cannot be read this way" }).waitFor();
      assert.ok(await importButton().isDisabled());
      assert.match(await page.getByRole("alert").first().innerText(), "set “Separator” to one of");
      assert.is(
        await page.getByLabel("Separator", { exact: true }).getAttribute("aria-invalid"),
        "true",
      );
      assert.equal(await findBarriers(page), []);
      await page.getByRole("button", { name: "Set Separator to ;" }).click();
      await page.getByLabel("Name of column a,b").waitFor();
      assert.is(await page.getByRole("alert").count(), 0);
      await importButton().click();
      await imported("both");
    },
  );

  /** Few long rows of 12 MB are cheaper to read than many short ones. */
  const lineCount = 24_000;
  const longName = "a city ".repeat(70);
  const lines = Array.from({ length: lineCount }, (_, at) => `${at},${longName}`).join("\n");
  const large = { name: "large.csv", content: `n,city\n${lines}\n` };

  test.deep("an upload whose connection is cut continues with the missing bytes", async () => {
    const { page } = opened;
    const before = await datasetCount();
    await choose(large);
    await preview(page).waitFor();
    const cut = proxy.cutAfter(11_000_000);
    const resumed = page.waitForResponse(async (response) => {
      if (response.status() !== 409) return false;
      const { received_bytes: received } = (await response.json()) as { received_bytes?: number };
      return received !== undefined && received > 0;
    });
    await importButton().click();
    await cut;
    await resumed;
    const dataset = await imported("large");
    assert.is(dataset?.["rows"], lineCount);
    assert.is(await datasetCount(), before + 1);
  });

  test.deep("an import that is stopped while the file is sent leaves no dataset", async () => {
    const { page } = opened;
    const before = await datasetCount();
    await choose(large);
    await preview(page).waitFor();
    const held = proxy.holdAfter(1_000_000);
    await importButton().click();
    await held;
    await page.getByText(/of [\d.]+ MB sent/).waitFor();
    assert.equal(await findBarriers(page), []);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("The import of large was stopped. Nothing was stored.").waitFor();
    proxy.release();
    await importButton().waitFor();
    assert.is(await datasetCount(), before);
  });

  test.deep(
    "an import that is stopped while the host reads the file leaves no dataset",
    async () => {
      const { page } = opened;
      const before = await datasetCount();
      await choose({ name: "small.csv", content: "n\n1\n" });
      await preview(page).waitFor();
      proxy.holdAnswers();
      await importButton().click();
      await page.getByText("The host is reading the file").waitFor();
      await page.getByRole("button", { name: "Stop" }).click();
      await page.getByText("and then its rows are deleted").waitFor();
      proxy.release();
      await page.getByText("The import of small was stopped. Nothing was stored.").waitFor();
      assert.is(await datasetCount(), before);
    },
  );

  test.deep(
    "an import that is stopped before the page learns that the file has arrived leaves no dataset",
    async () => {
      const { page } = opened;
      const before = await datasetCount();
      await choose({ name: "early.csv", content: "n\n1\n" });
      await preview(page).waitFor();
      await page.evaluate(() =>
        Object.defineProperty(XMLHttpRequestUpload.prototype, "onprogress", { set: () => {} }),
      );
      proxy.holdAnswers();
      await importButton().click();
      await page.getByText("of 4 bytes sent").waitFor();
      await eventually(
        async () => (await datasetCount()) === before + 1,
        "the host has stored the file",
      );
      await page.getByRole("button", { name: "Stop" }).click();
      await page.getByText("The import is being stopped").waitFor();
      proxy.release();
      await page.getByText("The import of early was stopped. Nothing was stored.").waitFor();
      assert.is(await datasetCount(), before);
    },
  );

  test.deep(
    "rows for a dataset that were stored before the import could be stopped are reported",
    async () => {
      const { page } = opened;
      await choose({ name: "grown.csv", content: "n\n1\n" });
      await preview(page).waitFor();
      await importButton().click();
      await imported("grown");
      const stored = () => storedAt(page.url().replace("/upload", ""));
      await page.getByRole("link", { name: "Add rows" }).click();
      await page.setInputFiles(
        "#upload-file",
        payloadOf({ name: "more.csv", content: "n\n2\n3\n" }),
      );
      await page.getByText("The file has the same columns as the dataset.").waitFor();
      await page.evaluate(() =>
        Object.defineProperty(XMLHttpRequestUpload.prototype, "onprogress", { set: () => {} }),
      );
      proxy.holdAnswers();
      await page.getByRole("button", { name: "Add rows" }).click();
      await page.getByText("of 6 bytes sent").waitFor();
      await eventually(
        async () => (await stored())?.["rows"] === 3,
        "the host has stored the rows",
      );
      await page.getByRole("button", { name: "Stop" }).click();
      await page.getByText("The import is being stopped").waitFor();
      proxy.release();
      await page.getByText("grown: 3 rows imported").waitFor();
      assert.is((await stored())?.["rows"], 3);
    },
  );

  test.deep("an import continues while the reader visits another page", async () => {
    const { page } = opened;
    await choose({ name: "away.csv", content: "n\n1\n" });
    await preview(page).waitFor();
    proxy.holdAnswers();
    await importButton().click();
    await page.getByText("The host is reading the file").waitFor();
    await page.getByRole("link", { name: "Dashboards" }).click();
    proxy.release();
    await page.getByText("away: 1 row imported").waitFor();
    await page.getByRole("button", { name: "Make a dashboard" }).click();
    await page.waitForURL(/\/dashboards\/[\da-f-]{36}$/);
  });

  test.deep("appending shows changed columns first, and maps a renamed column", async () => {
    const { page } = opened;
    await choose({ name: "sales.csv", content: "day;city;amount\n31/01/2024;Ghent;1\n" });
    await preview(page).waitFor();
    await importButton().click();
    const { id } = (await imported("sales")) ?? {};
    await page.getByRole("link", { name: "Add rows" }).click();
    await page.getByRole("heading", { name: "Add rows to sales" }).waitFor();
    const february = "day;town;amount;note\n01/02/2024;Mons;2;new\n02/02/2024;Lille;3;\n";
    await page.setInputFiles(
      "#upload-file",
      payloadOf({ name: "february.csv", content: february }),
    );
    await page.getByRole("heading", { name: "Not in the dataset" }).waitFor();
    await page.getByText("town, note").waitFor();
    await page.getByText("These columns will be empty in the new rows.").waitFor();
    assert.equal(await findBarriers(page), []);
    const add = page.getByRole("button", { name: "Add rows" });
    assert.ok(await add.isDisabled(), "new columns need the reader's consent");
    await page.getByLabel("Dataset column for town").selectOption("city");
    await page.getByLabel("Add these columns to the dataset").check();
    await add.click();
    const changed = await imported("sales");
    assert.equal([changed?.["id"], changed?.["rows"]], [id, 3]);
    const { rows } = await people.owner.get("column", {
      where: { securable_id: id },
      order: [["order", "asc"]],
    });
    assert.equal(
      rows.map(({ source_name: name }) => name),
      ["day", "city", "amount", "note"],
    );
    await page.getByRole("tab", { name: "Rows" }).click();
    await page.getByRole("cell", { name: "Lille" }).waitFor();
    await page.getByRole("link", { name: "Add rows" }).click();
    const march = { name: "march.csv", content: "day;city;amount;note\n01/03/2024;Mons;x;\n" };
    await page.setInputFiles("#upload-file", payloadOf(march));
    await page.getByLabel("Replace all rows").check();
    await page
      .getByRole("alert")
      .getByText(/line 2.*amount/)
      .waitFor();
    assert.ok(await page.getByRole("button", { name: "Replace rows" }).isDisabled());
    const corrected = march.content.replace("x", "9");
    await page.setInputFiles("#upload-file", payloadOf({ ...march, content: corrected }));
    await page.getByText("The file has the same columns as the dataset.").waitFor();
    await page.getByLabel("Replace all rows").check();
    await page.getByRole("button", { name: "Replace rows" }).click();
    assert.is((await imported("sales"))?.["rows"], 1);
  });

  test.deep("readers without the right to import are not offered it", async () => {
    const member = await people.add("member");
    const dataset = await people.push();
    await people.owner.update("user", member.id, { feature_overrides: ["!flag_create_datasets"] });
    await people.owner.associate<object>(
      "securable",
      dataset.id,
      { role: "Users", id: member.id },
      { flagRead: true, flagUse: true, flagModify: true },
    );
    const { page } = await openConsolePage(browser, {
      url: people.host.url,
      pair: member.pair,
      path: "/data",
      reports: [...opened.reports],
    });
    await page.getByRole("link", { name: "Connect a source" }).waitFor();
    assert.is(await page.getByRole("link", { name: "Import a file" }).count(), 0);
    await page.goto(`${people.host.url}/data/upload`);
    await page.getByText("You cannot import files").waitFor();
    assert.is(await page.locator("#upload-file").count(), 0);
    await page.goto(`${people.host.url}/data/${dataset.id}`);
    await page.getByRole("link", { name: "Make a chart" }).waitFor();
    assert.is(await page.getByRole("link", { name: "Add rows" }).count(), 0);
    await page.goto(`${people.host.url}/data/${dataset.id}/upload`);
    await page.getByText("You cannot add rows to this dataset").waitFor();
    assert.is(await page.locator("#upload-file").count(), 0);
    assert.equal(await findBarriers(page), []);
    await page.close();
  });

  test.deep("files dropped anywhere on the page of datasets are imported", async () => {
    const { page } = opened;
    await go("/data");
    await page.getByRole("heading", { name: "Data", level: 1 }).waitFor();
    const transfer = await page.evaluateHandle(() => {
      const dropped = new DataTransfer();
      dropped.items.add(new File(["a\n1\n"], "dropped.csv"));
      return dropped;
    });
    await page.dispatchEvent("h1", "dragover", { dataTransfer: transfer });
    await page.getByText("Drop files to import them").waitFor();
    await page.dispatchEvent("h1", "drop", { dataTransfer: transfer });
    await page.getByLabel("Name of column a").waitFor();
    await importButton().click();
    await imported("dropped");
    await go("/data/upload");
    await page.getByText("or drop them here").waitFor();
  });
});
