import { execFile, spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import type { Page } from "playwright-core";
import { eventually } from "../../../support/eventually.ts";
import { suite } from "../../../support/suite.ts";
import { findBarriers } from "./findBarriers.ts";
import { openConsole, type OpenConsole } from "./openConsole.ts";

type Json = Readonly<Record<string, unknown>>;

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../../..");
const regions = ["East", "it's", "North", "South"];
const sums = [60, 180, 300, 420];
/** Twelve rows of region, product and amount. */
const rows = Array.from({ length: 12 }, (_, index) => [
  regions[index % 4],
  index < 6 ? "Tea" : "Coffee",
  5 + (index % 4) * 40 + 15,
]);

const hasCurl = spawnSync("curl", ["--version"]).error === undefined;

suite("core/web/console/pages/explore", (test) => {
  let opened: OpenConsole;
  let datasetId: string;
  let columns: Readonly<Record<string, string>>;

  const push = async (name: string, header: readonly string[], data: readonly unknown[]) => {
    const made = await opened.client.create<{ rows: { id: string; columns: Json[] }[] }>("data", {
      type: "create",
      data,
      options: { header, name: { en: name } },
    });
    return made.rows[0]!;
  };
  test.before(async () => {
    opened = await openConsole();
    const made = await push("Sales", ["region", "product", "amount"], rows);
    datasetId = made.id;
    columns = Object.fromEntries(
      made.columns.map(({ source_name: name, id }) => [String(name), String(id)]),
    );
  });
  test.after(() => opened?.close());

  const byRegion = () => {
    const question = {
      rows: [{ id: columns["region"] }],
      measures: [{ id: columns["amount"], aggregation: "sum" }],
      filters: [{ id: columns["region"], test: "? not in ?", value: ["nobody's"] }],
    };
    return `/explore/${datasetId}?q=${encodeURIComponent(JSON.stringify(question))}`;
  };
  const questionOf = (page: Page) =>
    JSON.parse(new URL(page.url()).searchParams.get("q") ?? "{}") as Readonly<
      Record<string, readonly Json[]>
    >;
  /** Returns the accessibility violations of a page once its answer is current. Outdated answers are paler. */
  const barriersOf = async (page: Page) => {
    await page.locator('.answer[aria-busy="true"]').waitFor({ state: "detached" });
    return findBarriers(page);
  };
  const column = (page: Page, name: string) =>
    page.locator("console-column-list").getByRole("button", { name, exact: true });
  const shelf = (page: Page, name: string) => page.getByRole("group", { name, exact: true });
  const centerOf = async (locator: ReturnType<Page["locator"]>) => {
    const { x, y, width, height } = (await locator.boundingBox())!;
    return { x: x + Math.min(width, 80) / 2, y: y + height / 2 };
  };

  test.deep(
    "the mouse can drag a column to a shelf and then to another shelf, and Escape cancels the drag",
    async () => {
      const page = await opened.openPage(`/explore/${datasetId}`);
      const drag = async (from: ReturnType<Page["locator"]>, to: string, isDropped = true) => {
        const [begin, end] = [await centerOf(from), await centerOf(shelf(page, to))];
        await page.mouse.move(begin.x, begin.y);
        await page.mouse.down();
        await page.mouse.move(end.x, end.y, { steps: 4 });
        await page.locator(".dragged-column").waitFor();
        if (!isDropped) await page.keyboard.press("Escape");
        await page.mouse.up();
        await page.locator(".dragged-column").waitFor({ state: "detached" });
      };
      await drag(column(page, "region"), "Rows");
      await page.getByText("4 rows", { exact: true }).waitFor();
      await drag(column(page, "product"), "Colour", false);
      await drag(column(page, "product"), "Colour");
      await page.getByText("8 rows", { exact: true }).waitFor();
      assert.equal(questionOf(page)["color"], { id: columns["product"] });
      await page.route("**/0.1.0/data", async (route) => {
        await setTimeout(500);
        await route.continue();
      });
      await drag(shelf(page, "Colour").getByRole("button", { name: "Change product" }), "Rows");
      await page.getByRole("button", { name: "Undo" }).waitFor();
      assert.equal(questionOf(page)["rows"], [
        { id: columns["region"] },
        { id: columns["product"] },
      ]);
      assert.is(questionOf(page)["color"], undefined);
      assert.equal(await barriersOf(page), []);
    },
  );

  test.deep(
    "the reader chooses the order and the number of groups, which the address and a dashboard keep",
    async () => {
      const ports = Array.from({ length: 78 }, (_, index) => [
        `Port ${Math.floor(Math.sqrt(index * 2 + 0.25) + 0.5)}`,
      ]);
      const made = await push("Ports", ["port"], ports);
      const page = await opened.openPage(`/explore/${made.id}`);
      await column(page, "port").click();
      const choose = async (chip: RegExp, name: string) => {
        await shelf(page, "Rows").getByRole("button", { name: chip }).click();
        await page.getByRole("menuitemradio", { name, exact: true }).click();
      };
      await choose(/^How many/, "Top 10");
      await page.getByText(/^port: top 10 of 12/).waitFor();
      await choose(/^Order: Largest first/, "Smallest first");
      await page.getByRole("button", { name: "Order: Smallest first" }).waitFor();
      const firstRow = page.locator("console-table").getByRole("row").nth(1);
      await firstRow.getByText("Port 1", { exact: true }).waitFor();
      assert.equal(await barriersOf(page), []);
      await page.reload();
      await page.getByRole("button", { name: "How many: First 10" }).waitFor();
      await firstRow.getByText("Port 1", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByRole("button", { name: "Save chart" }).click();
      await page.getByText(/^Saved to/).waitFor();
      const { rows: stored } = await opened.client.get<{ rows: { contents: unknown }[] }>(
        "securable",
        {
          where: { type: "dashboard" },
          attributes: ["contents"],
          order: [["created_at", "desc"]],
          limit: 1,
        },
      );
      const written = JSON.stringify(stored[0]?.contents);
      assert.ok(written.includes('"sort":{"by":"measure","direction":"asc"}'), written);
      assert.ok(written.includes('"limit":{"number":10}'), written);
      await shelf(page, "Rows").getByRole("button", { name: "Remove port" }).click();
      await shelf(page, "Rows").getByText("Add a column").waitFor();
      assert.is(questionOf(page)["limit"], undefined);
    },
  );

  test.deep(
    "a question can be saved, found, opened, changed, renamed, shared and deleted",
    async () => {
      const page = await opened.openPage(byRegion());
      const questions = page.locator("button.questions");
      await page.getByText("4 rows", { exact: true }).waitFor();
      await questions.click();
      await page.getByRole("menuitem", { name: "Save this question" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("Sales of regions");
      assert.equal(await barriersOf(page), []);
      await page.getByRole("button", { name: "Save", exact: true }).last().click();
      await page.getByRole("button", { name: "Sales of regions" }).waitFor();
      await column(page, "product").click();
      await page.getByText("8 rows", { exact: true }).waitFor();
      await questions.click();
      await page.getByRole("menuitem", { name: "Save changes to “Sales of regions”" }).click();
      const stored = async () =>
        (await opened.client.get<{ rows: Json[] }>("savedquestion")).rows.map(
          ({ name, shared, question }) => ({ name, shared, question: question as Json }),
        );
      const productId = columns["product"];
      await eventually(async () => {
        const color = (await stored())[0]?.question["color"] as Json | undefined;
        return color?.["id"] === productId;
      }, "the changed question is stored");

      await page.goto(`${opened.url}/explore`);
      const list = page.getByRole("region", { name: "Saved questions" });
      const act = async (name: string, action: string) => {
        await list.getByRole("button", { name: `Actions for ${name}` }).click();
        await page.getByRole("menuitem", { name: action }).click();
      };
      await act("Sales of regions", "Rename");
      await page.getByRole("textbox", { name: "Name" }).fill("Regions");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await list.getByRole("link", { name: "Regions", exact: true }).waitFor();
      await act("Regions", "Share with readers of the dataset");
      await list.getByText("Shared", { exact: true }).waitFor();
      assert.equal(
        (await stored()).map(({ name, shared }) => ({ name, shared })),
        [{ name: "Regions", shared: true }],
      );
      assert.equal(await findBarriers(page), []);
      await list.getByRole("link", { name: "Regions", exact: true }).click();
      await page.getByText("8 rows", { exact: true }).waitFor();

      await page.goto(`${opened.url}/`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: /^Find/ }).fill("Regions");
      await page.getByRole("option", { name: /Regions.*Saved question/ }).click();
      await page.getByText("8 rows", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Regions", exact: true }).waitFor();

      await page.goto(`${opened.url}/explore`);
      await act("Regions", "Delete question");
      await page.getByRole("button", { name: "Delete question" }).click();
      await list.waitFor({ state: "detached" });
      assert.equal(await stored(), []);
    },
  );

  test.deep(
    "where there are more saved questions than a list shows, it says how many",
    async () => {
      const made = await Promise.all(
        Array.from({ length: 203 }, (_, index) =>
          opened.client.create<{ id: string }>("savedquestion", {
            name: `Question ${index}`,
            securable_id: datasetId,
            question: { rows: [], measures: [], filters: [] },
          }),
        ),
      );
      const { count } = await opened.client.get<{ count: number }>("savedquestion");
      const page = await opened.openPage("/explore");
      const list = page.getByRole("region", { name: "Saved questions" });
      await list.getByText(`The first 200 of ${count}. Search to find the others.`).waitFor();
      await page.goto(`${opened.url}/explore/${datasetId}`);
      await page.locator("button.questions").click();
      await page.getByRole("menuitem", { name: `${count - 200} other questions…` }).click();
      await list.waitFor();
      await Promise.all(made.map(({ id }) => opened.client.delete("savedquestion", id)));
    },
  );

  test.deep(
    "on phones and tablets the columns close once one is added, so that the chart is on the first screen",
    async () => {
      for (const size of [
        { width: 360, height: 780 },
        { width: 768, height: 1_024 },
      ]) {
        const page = await opened.openPage(`/explore/${datasetId}`);
        await page.setViewportSize(size);
        await column(page, "region").focus();
        await page.keyboard.press("Enter");
        await page.locator("console-picture svg[role=img]").waitFor();
        assert.is(await column(page, "region").isVisible(), false);
        const toggle = page.getByRole("button", { name: "Columns", exact: true });
        assert.ok(await toggle.evaluate((each) => each === document.activeElement));
        const box = await page.locator("console-picture").boundingBox();
        assert.ok(box && box.y + box.height / 2 < size.height, JSON.stringify(box));
        await toggle.click();
        await column(page, "region").waitFor();
        assert.equal(await findBarriers(page), []);
        await page.close();
      }
    },
  );

  test.deep("a finger can drag a column to a shelf on a phone", async () => {
    const page = await opened.openPage(`/explore/${datasetId}`, { size: "phone", hasTouch: true });
    await column(page, "region").waitFor();
    const [begin, end] = [
      await centerOf(column(page, "region")),
      await centerOf(shelf(page, "Rows")),
    ];
    const devtools = await page.context().newCDPSession(page);
    const touch = (type: string, ...touchPoints: { x: number; y: number }[]) =>
      devtools.send("Input.dispatchTouchEvent", { type, touchPoints } as never);
    await touch("touchStart", begin);
    await touch("touchMove", { x: begin.x + 15, y: begin.y });
    await touch("touchMove", { x: begin.x + 40, y: begin.y });
    await page.locator(".dragged-column").waitFor();
    await touch("touchMove", end);
    await page.locator(".shelf.over").waitFor();
    await touch("touchEnd");
    await page.getByText("4 rows", { exact: true }).waitFor();
    assert.equal(questionOf(page)["rows"], [{ id: columns["region"] }]);
  });

  test.deep(
    "the requests that Explore shows for curl and TypeScript return the page's rows unchanged",
    async () => {
      const page = await opened.openPage(byRegion());
      await page.getByText("4 rows", { exact: true }).waitFor();
      await page.getByRole("button", { name: "JSON · curl · TS" }).click();
      const shown = async (form: string) => {
        await page.getByRole("tab", { name: form }).click();
        const text = (await page.locator("pre.request").textContent()) ?? "";
        assert.match(text, "<key>");
        return text.replace("<key>", opened.pair.key).replace("<token>", opened.pair.token);
      };
      const sorted = (text: string) =>
        (JSON.parse(text) as { data: [unknown, number][] }).data
          .map(([, sum]) => sum)
          .toSorted((one, other) => one - other);
      const command = await shown("curl");
      // Some systems do not have curl.
      if (hasCurl) assert.equal(sorted((await run("sh", ["-c", command])).stdout), sums);
      assert.match(command, opened.url);
      const program = `${await shown("TypeScript")}\nconsole.log(JSON.stringify(answer));`;
      const typescript = await run(
        process.execPath,
        ["--conditions=manifold-source", "--input-type=module-typescript", "--eval", program],
        { cwd: root, env: { ...process.env, NODE_OPTIONS: "" } },
      );
      assert.equal(sorted(typescript.stdout), sums);
      assert.equal(await barriersOf(page), []);
    },
  );

  test.deep("an answer is exported in every format to a file named after its title", async () => {
    const page = await opened.openPage(byRegion());
    await page.getByText("4 rows", { exact: true }).waitFor();
    const begins = { CSV: "region", XLSX: "PK", PARQUET: "PAR1", JSON: "{", PNG: "\u0089PNG" };
    for (const [type, begin] of Object.entries(begins)) {
      await page.getByRole("button", { name: "Export" }).click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("menuitem", { name: type }).click(),
      ]);
      const date = new Date().toISOString().slice(0, 10);
      const name = type === "PNG" ? "Total amount by region" : "Sales";
      assert.is(download.suggestedFilename(), `${name} ${date}.${type.toLowerCase()}`);
      const text = await readFile(await download.path(), "latin1");
      assert.ok(
        text.replace("\u00ef\u00bb\u00bf", "").startsWith(begin),
        `${type}: ${text.slice(0, 40)}`,
      );
    }
  });

  test.deep(
    "the plan of a query shows where each filter comes from and where the filter was applied",
    async () => {
      const page = await opened.openPage(`${byRegion()}&view=plan`);
      const plan = page.locator(".plan");
      await plan.getByText("your question").waitFor();
      const line = plan.locator("li", { hasText: "your question" });
      assert.match(
        (await line.innerText()).replaceAll(/\s+/g, " "),
        /region is none of nobody's From your question\. source/,
      );
      assert.equal(await findBarriers(page), []);
      for (const phase of ["validating", "querying", "in your browser"])
        assert.ok(await plan.getByText(phase, { exact: true }).isVisible(), phase);
    },
  );

  test.deep("the host sorts a table of which the page does not have all rows", async () => {
    const names = Array.from({ length: 12_000 }, (_, index) => [`c${10_000 + index}`]);
    const made = await push("Cities", ["city"], names.slice(0, 6_000));
    await opened.client.create("data", {
      type: "append",
      securable_id: made.id,
      data: names.slice(6_000),
    });
    const question = { rows: [{ id: made.columns[0]?.["id"] }], measures: [] };
    const query = encodeURIComponent(JSON.stringify(question));
    const page = await opened.openPage(`/explore/${made.id}?q=${query}&view=chart`);
    const sort = page.locator("console-picture .mf-grid-head button").first();
    await page.getByText("c10000", { exact: true }).first().waitFor();
    await sort.click();
    if ((await page.locator('[aria-sort="descending"]').count()) === 0) await sort.click();
    await page.getByText("c21999", { exact: true }).first().waitFor();
    assert.equal(opened.reports, []);
  });

  test.deep(
    "a value is shown as its share of the total, and beside the value a year before",
    async () => {
      const days = ["2024-01-10", "2024-02-10", "2025-01-10", "2025-02-10"];
      const made = await push(
        "Months",
        ["day", "amount"],
        days.map((day, index) => [day, (index + 1) * 10]),
      );
      const [day, amount] = made.columns.map(({ id }) => String(id));
      const question = {
        rows: [{ id: day, level: 3 }],
        measures: [
          { id: amount, aggregation: "sum" },
          { id: amount, aggregation: "sum" },
        ],
        filters: [],
      };
      const page = await opened.openPage(
        `/explore/${made.id}?q=${encodeURIComponent(JSON.stringify(question))}`,
      );
      await page.getByText("4 rows", { exact: true }).waitFor();
      const showAs = async (place: number, name: string) => {
        await shelf(page, "Values")
          .getByRole("button", { name: /^Change Total amount/ })
          .nth(place)
          .click();
        await page.getByRole("menuitem", { name: "Show as…" }).click();
        await page.getByRole("menuitemradio", { name, exact: true }).click();
      };
      await showAs(1, "Previous year");
      await shelf(page, "Values").getByText("Total amount: previous year").waitFor();
      assert.equal(await barriersOf(page), []);
      const rowOf = async (text: RegExp) =>
        (
          await page.locator("console-table").getByRole("row").filter({ hasText: text }).innerText()
        ).split(/\s+/);
      await eventually(
        async () => (await rowOf(/Jan\w* 2025/)).slice(-2).join() === "30,10",
        "January 2025 stands beside January 2024",
      );
      await showAs(0, "Share of the total");
      await eventually(
        async () => (await rowOf(/Jan\w* 2025/)).slice(-2)[0] === "30.0%",
        "January 2025 is 30 % of all months",
      );
      assert.equal(
        (questionOf(page)["measures"] ?? []).map(({ calculation }) => calculation),
        [{ type: "share_of_total" }, { type: "past", from: "year" }],
      );
      await page.reload();
      await shelf(page, "Values").getByText("Total amount: share of the total").waitFor();
      await showAs(0, "Value");
      await eventually(
        async () => (await rowOf(/Jan\w* 2025/)).slice(-2).join() === "30,10",
        "the value is back",
      );
      assert.equal(opened.reports, []);
    },
  );

  test.deep(
    "the menu of a mark leads to its rows, to other columns, to filters and to the rest",
    async () => {
      const page = await opened.openPage(byRegion());
      await page.getByText("4 rows", { exact: true }).waitFor();
      const bar = page.locator("console-picture [data-mark]").first();
      const menu = page.getByRole("menu");
      const choose = async (name: string | RegExp) => {
        await bar.click();
        await menu.getByRole("menuitem", { name, exact: true }).click();
      };
      await bar.click();
      assert.equal(await menu.getByRole("menuitem").allInnerTexts(), [
        "See the rows",
        "Break out by…",
        "Only South",
        "Without South",
        "Compare with the rest",
      ]);
      await page.keyboard.press("Escape");

      await choose("See the rows");
      const rowsDialog = page.getByRole("dialog", { name: "Rows of South" });
      await rowsDialog.getByText("3 rows.", { exact: true }).waitFor();
      assert.is(await rowsDialog.locator("tbody tr").count(), 3);
      assert.equal(await findBarriers(page), []);
      await page.keyboard.press("Escape");

      await choose("Compare with the rest");
      const comparison = page.getByRole("dialog", { name: "South and the rest" });
      await comparison.getByRole("cell", { name: "540" }).waitFor();
      assert.equal(await comparison.locator("tbody td").allInnerTexts(), ["420", "540", "-22.2%"]);
      assert.equal(await findBarriers(page), []);
      await page.keyboard.press("Escape");

      await choose("Break out by…");
      await menu.getByRole("menuitem", { name: "product" }).click();
      await page.getByText("2 rows", { exact: true }).waitFor();
      const broken = questionOf(page);
      assert.equal(broken["rows"], [{ id: columns["product"] }]);
      assert.equal(broken["filters"]?.at(-1)?.["value"], ["South"]);
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("4 rows", { exact: true }).waitFor();

      await choose("Without South");
      await page.getByText("3 rows", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("4 rows", { exact: true }).waitFor();

      // By keyboard: the first mark, its menu, and the third entry.
      await page.locator("console-picture .mf-plot").focus();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
      await menu.waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.getByText("1 row", { exact: true }).waitFor();
    },
  );

  test.deep(
    "a column can be added on its shelf, and its values can be brushed to filter by them",
    async () => {
      const page = await opened.openPage(`/explore/${datasetId}`);
      await page.getByRole("button", { name: "Add a column to Rows" }).click();
      await page.getByRole("menuitem", { name: "region", exact: true }).click();
      await page.getByText("4 rows", { exact: true }).waitFor();
      await column(page, "region").hover();
      await page.getByRole("button", { name: "About region" }).click();
      await page.getByText("12 rows, 4 distinct values.").waitFor();
      assert.equal(await barriersOf(page), []);
      await page.getByRole("group", { name: "Most common values" }).getByText("East").click();
      await page.getByText("1 row", { exact: true }).waitFor();
      await column(page, "amount").hover();
      await page.getByRole("button", { name: "About amount" }).click();
      const bars = page.getByRole("group", { name: "Distribution" }).getByRole("button");
      await bars.first().waitFor();
      await bars.first().hover();
      await page.mouse.down();
      await bars.nth(1).hover();
      await page.mouse.up();
      await page.getByRole("button", { name: /^Change amount is between / }).waitFor();
      const [, between] = questionOf(page)["filters"] ?? [];
      assert.is(between?.["test"], "? between ?");
      assert.equal(await barriersOf(page), []);
    },
  );

  test.deep("an answer without rows says how many rows each filter leaves", async () => {
    const question = {
      rows: [{ id: columns["region"] }],
      measures: [{ id: columns["amount"], aggregation: "sum" }],
      filters: [
        { id: columns["product"], test: "? in ?", value: ["Tea"] },
        { id: columns["region"], test: "? in ?", value: ["Atlantis"] },
      ],
    };
    const address = encodeURIComponent(JSON.stringify(question));
    const page = await opened.openPage(`/explore/${datasetId}?q=${address}`);
    const picture = page.locator("console-picture");
    await picture
      .locator("text", { hasText: "“region is one of Atlantis” leaves 0 of 6." })
      .waitFor();
    const text = (await picture.innerText()).replaceAll(/\s+/g, " ");
    assert.match(text, "No data");
    assert.match(text, "You can see 12 rows. “product is one of Tea” leaves 6 of 12.");
  });

  test.deep("a date filter offers relative ranges and a calendar, and can be changed", async () => {
    const day = (ageDays: number) =>
      new Date(Date.now() - ageDays * 86_400_000).toISOString().slice(0, 10);
    const made = await push("Visits", ["day"], [[day(0)], [day(3)], [day(40)], [day(400)]]);
    const page = await opened.openPage(`/explore/${made.id}`);
    await column(page, "day").click();
    await page.getByRole("button", { name: "Change day: month" }).waitFor();
    const filterBy = async () => {
      await column(page, "day").click({ button: "right" });
      await page.getByRole("menuitem", { name: "Filters" }).click();
    };
    const dialog = page.getByRole("dialog", { name: "Filter day" });
    await filterBy();
    assert.equal(await findBarriers(page), []);
    await dialog.getByRole("button", { name: "Last 7 days" }).click();
    await dialog.getByRole("button", { name: "Apply filter" }).click();
    await page.getByRole("button", { name: "Change day: Last 7 days" }).click();
    await dialog.getByRole("button", { name: "Last 7 days", pressed: true }).waitFor();
    const fields = dialog.locator(".mf-custom input");
    await fields.nth(0).fill(day(41));
    await fields.nth(1).fill(day(3));
    await fields.nth(1).press("Tab");
    await dialog.getByRole("button", { name: "Apply filter" }).click();
    await page.getByRole("button", { name: /^Change day: .* – / }).waitFor();
    const { filters } = questionOf(page);
    assert.equal(filters?.[0]?.["value"], [day(41), day(3)]);
    const total = page.locator("console-table .body [role=gridcell]");
    await page.waitForFunction(() => !document.querySelector(".answer[aria-busy=true]"));
    const counts = await total.allTextContents();
    assert.is(
      counts.filter((_, at) => at % 2 === 1).reduce((sum, text) => sum + Number(text), 0),
      2,
    );
  });

  test.deep("a reader can find one of 1,000 columns by name and query it", async () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `measure ${index}`);
    const wide = await push("Wide", names, [
      names.map((_, index) => index),
      names.map((_, index) => 2 * index),
    ]);
    const page = await opened.openPage(`/explore/${wide.id}`);
    await page.getByLabel("Search columns").fill("measure 777");
    await column(page, "measure 777").click();
    await page.getByText("1 row", { exact: true }).waitFor();
    const shown = await page.locator("console-table .body [role=gridcell]").allTextContents();
    assert.equal(
      shown.map((text) => text.trim()),
      ["2,331"],
    );
    assert.equal(await barriersOf(page), []);
  });

  test.deep(
    "no page of Explore violates the security policy, reports an error or opens a dialog",
    () => {
      assert.equal(opened.reports, []);
    },
  );
});
