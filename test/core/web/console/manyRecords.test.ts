import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { suite } from "../../../support/suite.ts";
import { openConsole, type OpenConsole } from "./openConsole.ts";

const datasetCount = 10_000;
const columnCount = 1_000;
/** Maximum number of elements on a page, and of API calls per step, however many records there are. */
const most = { elements: 2_500, calls: 12 };

suite("core/web/console with 10,000 datasets and 1,000 columns", (test) => {
  let catalog: TestCatalog;
  let opened: OpenConsole;
  let wideId: string;

  /** Copies the rows of a record in a table under new ids. The table `made` contains pairs of old and new ids. */
  const copy = async (table: string, key: string, more: Readonly<Record<string, string>> = {}) => {
    const { rows } = await catalog.transactions.raw<{ rows: { name: string }[] }>(
      `select column_name as name from information_schema.columns
        where table_name = ? and table_schema = current_schema() and is_generated = 'NEVER'`,
      [table],
    );
    const names = rows.map(({ name }) => name);
    const values = names.map((name) => (name === key ? "m.id" : (more[name] ?? `t."${name}"`)));
    await catalog.transactions.raw(
      `insert into "${table}" (${names.map((name) => `"${name}"`).join()})
       select ${values.join()} from made m join "${table}" t on t."${key}" = m.source`,
    );
  };

  test.before(async () => {
    catalog = await openTestCatalog();
    opened = await openConsole({ databaseUrl: catalog.databaseUrl });
    const { client } = opened;
    const wide = await client.create<{ rows: { id: string }[] }>("data", {
      type: "create",
      data: [Array.from({ length: columnCount }, (_, index) => index)],
      options: {
        header: Array.from({ length: columnCount }, (_, index) => `number ${index + 1}`),
        name: { en: "Wide" },
      },
    });
    wideId = wide.rows[0]?.id ?? "";
    for (const type of ["dataset", "dashboard"]) {
      const { id } = await client.create<{ id: string }>("securable", {
        type,
        name: { en: `First ${type}` },
      });
      await catalog.transactions.raw(
        `create table made as select gen_random_uuid() as id, ?::uuid as source, i from generate_series(1, ?) i`,
        [id, datasetCount],
      );
      await copy("securable", "id", {
        name: `jsonb_build_object('en', 'Sales ' || m.i || ' ${type}')`,
      });
      await copy("securable_user", "securable_id");
      await catalog.transactions.raw("drop table made");
    }
  });
  test.after(async () => {
    await opened?.close();
    await catalog?.close();
  });

  const elements = (page: Page) => page.evaluate(() => document.querySelectorAll("*").length);
  /** Runs a step and returns how many API calls it made. */
  const callsOf = async (page: Page, step: () => Promise<unknown>): Promise<number> => {
    let count = 0;
    const seen = (request: { url(): string }) => {
      if (request.url().includes("/0.1.0/")) count++;
    };
    page.on("request", seen);
    await step();
    await page.waitForLoadState("networkidle");
    page.off("request", seen);
    return count;
  };
  const isBounded = async (page: Page, calls: number, step: string) => {
    assert.ok(calls <= most.calls, `${step}: ${calls} calls`);
    const count = await elements(page);
    assert.ok(count <= most.elements, `${step}: ${count} elements`);
  };

  for (const [path, label, name] of [
    ["/data", "Search datasets", "Sales 7777 dataset"],
    ["/explore", "Search datasets", "Sales 7777 dataset"],
    ["/dashboards", "Search dashboards", "Sales 7777 dashboard"],
  ] as const)
    test.deep(
      `${path} lists, searches and opens one of many records with a limited number of elements and calls`,
      async () => {
        const page = await opened.openPage("/plugins");
        const listing = await callsOf(page, async () => {
          await page.goto(opened.url + path);
          await page
            .getByText(/10,00\d/)
            .first()
            .waitFor();
        });
        await isBounded(page, listing, "list");
        const scrolling = await callsOf(page, () => page.mouse.wheel(0, 4_000));
        await isBounded(page, scrolling, "scroll");
        const searching = await callsOf(page, async () => {
          await page.getByRole("searchbox", { name: label }).fill("7777");
          await page.getByRole("link", { name }).or(page.getByText(name)).first().waitFor();
        });
        await isBounded(page, searching, "search");
        const opening = await callsOf(page, async () => {
          await page.getByText(name).first().click();
          await page.getByRole("heading", { name }).first().waitFor();
        });
        await isBounded(page, opening, "open");
        await page.close();
      },
    );

  test.deep(
    "the 900th column of a dataset can be queried in Explore and changed in Data",
    async () => {
      const page = await opened.openPage(`/explore/${wideId}`);
      await page.getByText("more. Search to find them").waitFor();
      await isBounded(page, 0, "columns");
      const searching = await callsOf(page, async () => {
        await page.getByLabel("Search columns").fill("number 900");
        await page.getByRole("button", { name: "number 900", exact: true }).click();
        await page.getByText("1 row", { exact: true }).waitFor();
      });
      await isBounded(page, searching, "query");
      await page.getByRole("gridcell", { name: "899" }).waitFor();
      const columns = await callsOf(page, async () => {
        await page.goto(`${opened.url}/data/${wideId}`);
        await page.getByRole("searchbox", { name: "Search columns" }).fill("number 900");
        await page.getByText("number 900", { exact: true }).first().click();
        await page.getByRole("dialog").waitFor();
      });
      await isBounded(page, columns, "column");
    },
  );

  test.deep(
    "no page with many records violates the security policy, reports an error or opens a dialog",
    () => {
      assert.equal(opened.reports, []);
    },
  );
});
