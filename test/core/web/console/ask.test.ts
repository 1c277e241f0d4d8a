import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import {
  describes,
  openModelStandIn,
  type ModelStandIn,
  type Reply,
} from "../../../support/modelStandIn.ts";
import { suite } from "../../../support/suite.ts";
import { findBarriers } from "./findBarriers.ts";
import { openConsole, type OpenConsole } from "./openConsole.ts";

type Json = Readonly<Record<string, unknown>>;
const hostile = `<img src=x onerror=alert(1)> "North" & <script>alert(2)</script>`;
const rows = [
  ["2026-01-01", hostile, 1],
  ["2026-01-02", hostile, 2],
  ["2026-02-01", "South", 30],
];

suite("core/web/console: questions in natural language", (test) => {
  let opened: OpenConsole;
  let model: ModelStandIn;
  let trips: { readonly id: string; readonly columns: Readonly<Record<string, string>> };
  let other: typeof trips;
  const push = async (name: string): Promise<typeof trips> => {
    const made = await opened.client.create<{ rows: { id: string; columns: Json[] }[] }>("data", {
      type: "create",
      data: rows,
      options: { header: ["day", "region", "km"], name: { en: name } },
    });
    const [dataset] = made.rows;
    return {
      id: dataset?.id ?? "",
      columns: Object.fromEntries(
        (dataset?.columns ?? []).map((column) => [
          String(column["source_name"]),
          String(column["id"]),
        ]),
      ),
    };
  };
  test.before(async () => {
    model = await openModelStandIn();
    opened = await openConsole({
      aiUrl: model.url,
      aiModel: "stand-in",
      aiSends: "samples",
      aiUserCallsPerMinute: 10_000,
      aiCallsPerMinute: 10_000,
      egressAllow: ["127.0.0.1"],
    });
    trips = await push("Trips");
    other = await push("Payroll");
  });
  test.after(async () => {
    await opened?.close();
    await model?.close();
  });

  const of = (name: string) => ({ dataset_id: trips.id, column_id: trips.columns[name] });
  const sum = () => ({ ...of("km"), aggregation: { type: "sum" } });
  const byRegion = () => ({ dimensions: [of("region")], measures: [sum()] });
  const answer = (query: unknown, chart = "bar-chart"): Reply => ({
    calls: [{ name: "answer", arguments: { title: "Km by region <b>", chart, query } }],
  });
  /** Lets the model answer first with a query and then with text. */
  const play = (query: unknown, text: string) =>
    model.play(({ tools }) =>
      tools.some(({ name }) => name === "write")
        ? { calls: [{ name: "write", arguments: { text, operations: [] } }] }
        : answer(query),
    );
  const ask = async (page: Page, question: string) => {
    await page.getByLabel("Your question").fill(question);
    await page.keyboard.press("Enter");
  };
  const until = async (isSo: () => boolean, what: string) => {
    const deadline = Date.now() + 60_000;
    while (!isSo()) {
      assert.ok(Date.now() < deadline, what);
      await pause(20);
    }
  };
  const cellsOf = async (page: Page) => {
    await page.locator("console-table .body [role=gridcell]").first().waitFor();
    const texts = await page.locator("console-table .body [role=gridcell]").allTextContents();
    return texts.map((text) => text.trim());
  };
  const sums = [hostile, "3", "South", "30"];

  test.deep(
    "a question returns a chart, whose query can be edited and saved to a dashboard",
    async () => {
      play(byRegion(), "South has 30, north 4000.");
      const page = await opened.openPage(`/explore/${trips.id}`);
      await page.locator(".work-head").getByRole("link", { name: "Ask", exact: true }).click();
      await page
        .locator("#ask-dataset option:checked", { hasText: "Trips" })
        .waitFor({ state: "attached" });
      await ask(page, "How far by region?");
      await page.getByText("South has 30, north [?].").waitFor();
      await page.getByText(/^One number is not supported/).waitFor();
      assert.equal((await cellsOf(page)).toSorted(), sums.toSorted());
      assert.ok((await page.locator("console-picture svg rect").count()) >= 2);
      assert.not(
        model.requests[0]?.text.includes(other.id),
        "only the dataset of the page is sent",
      );

      const link = page.getByRole("link", { name: "Open in Explore" });
      const address = new URL((await link.getAttribute("href")) ?? "", opened.url);
      assert.is(address.pathname, `/explore/${trips.id}`);

      await page.getByRole("button", { name: "Show the query" }).click();
      const written = page.locator("textarea.query-text");
      assert.equal(JSON.parse(await written.inputValue())["measures"], [sum()]);
      await written.fill("{");
      await page.getByRole("button", { name: "Run this query" }).click();
      await page.getByText("The query must be a JSON object.").waitFor();
      const where = [{ or: [{ expression: "? = ?", parameters: [of("region"), "South"] }] }];
      await written.fill(JSON.stringify({ ...byRegion(), where }));
      await page.getByRole("button", { name: "Run this query" }).click();
      await page.getByText(hostile, { exact: true }).first().waitFor({ state: "detached" });
      assert.equal(await cellsOf(page), ["South", "30"]);
      assert.is(await link.count(), 0, "the query cannot be opened in Explore");

      await page.getByRole("button", { name: "Save to a dashboard" }).click();
      await page.getByLabel("Dashboard name").fill("Kept");
      await page.getByRole("button", { name: "Save chart" }).click();
      await page.getByText("Saved to Kept").waitFor();
      await page.goto(`${opened.url}/dashboards`);
      await page.getByRole("link", { name: "Kept" }).click();
      await page.locator("console-live-dashboard svg rect").first().waitFor();
      const shown = (await page.locator("console-live-dashboard svg text").allTextContents()).join(
        " ",
      );
      assert.ok(
        shown.includes("South") && shown.includes("30") && !shown.includes("script>"),
        shown,
      );
    },
  );

  test.deep(
    "a question about a dashboard uses the dashboard's datasets, and its answer can be saved there",
    async () => {
      const boards = await opened.client.get("securable", { where: { type: "dashboard" } });
      const id = String(boards.rows[0]?.["id"]);
      const page = await opened.openPage(`/dashboards/${id}`);
      await page.locator(".dashboard-bar").getByRole("link", { name: "Ask", exact: true }).click();
      await page.getByText("Data of Kept").waitFor({ state: "attached" });
      play({ measures: [sum()] }, "33 in all.");
      await ask(page, "How far in all?");
      await page.getByText("33 in all.").waitFor();
      assert.ok(model.requests[0]?.text.includes(trips.id));
      assert.not(model.requests[0]?.text.includes(other.id));
      await page.getByRole("button", { name: "Save to a dashboard" }).click();
      assert.is(await page.getByLabel("Dashboard", { exact: true }).inputValue(), id);
      await page.getByRole("button", { name: "Save chart" }).click();
      await page.getByText("Saved to Kept").waitFor();
      const after = await opened.client.get("securable", { where: { id } });
      const contents = after.rows[0]?.["contents"] as
        | { readonly views: readonly Json[] }
        | undefined;
      const items = contents?.views[0]?.["items"] as readonly unknown[] | undefined;
      assert.is(items?.length, 2);
    },
  );

  test.deep(
    "the Ask page shows choices, refusals and failures of the model, and can stop a question",
    async () => {
      const page = await opened.openPage("/ask");
      model.play((_request, index) =>
        index === 0
          ? {
              calls: [
                {
                  name: "ask_back",
                  arguments: { question: "Which region?", choices: ["South", hostile] },
                },
              ],
            }
          : { calls: [{ name: "cannot", arguments: { reason: "There is no such column." } }] },
      );
      await ask(page, "How far?");
      await page.getByText("Which region?").waitFor();
      await page.getByRole("button", { name: "South" }).click();
      await page.getByText("There is no such column.").waitFor();
      assert.match(model.requests[1]?.text ?? "", /How far\?/, "the conversation continues");
      model.play(() => ({ status: 401 }));
      await ask(page, "And now?");
      await page.getByText("rejects the host's key").waitFor();
      model.play(() => ({ isSilent: true }));
      const before = model.left.count;
      await ask(page, "Are you there?");
      await until(() => model.requests.length > 0, "the model is asked");
      await page.getByRole("button", { name: "Stop" }).click();
      await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
      assert.is(await page.getByLabel("Your question").inputValue(), "Are you there?");
      await until(() => model.left.count > before, "the call of the model ends");
    },
  );

  test.deep(
    "the chart appears while the model is still writing, and stays when the reader stops the model",
    async () => {
      const page = await opened.openPage(`/ask?dataset=${trips.id}`);
      const hold = Promise.withResolvers<void>();
      /** After the server has sent most of the text, it holds back the rest. */
      const written = "North has 4000 of it, and South has 30.";
      const playHeld = (held: Promise<void>) => {
        let sentCount = 0;
        const pace = async () => {
          sentCount += 1;
          if (sentCount > 10) await held;
        };
        model.play(({ tools }) =>
          tools.some(({ name }) => name === "write")
            ? { calls: [{ name: "write", arguments: { text: written, operations: [] } }], pace }
            : answer(byRegion()),
        );
      };
      playHeld(hold.promise);
      await ask(page, "How far by region?");
      await page.locator("console-picture svg rect").first().waitFor();
      await page.getByText("The model is explaining the answer").waitFor();
      const shots = process.env["SHOTS"];
      if (shots !== undefined) {
        await page.screenshot({ path: `${shots}/ask-writing-wide.png`, fullPage: true });
        await page.setViewportSize({ width: 360, height: 780 });
        await page.screenshot({ path: `${shots}/ask-writing-phone.png`, fullPage: true });
        await page.setViewportSize({ width: 1280, height: 800 });
      }
      assert.is(await page.getByText("North has").count(), 0, "no unsupported number is shown");
      await page.getByRole("button", { name: "Show the query" }).click();
      hold.resolve();
      await page.getByText("North has [?] of it, and South has 30.").waitFor();
      assert.is(await page.getByText("4000").count(), 0);
      assert.ok(await page.locator("textarea.query-text").isVisible(), "the card is unchanged");
      assert.is(await page.getByRole("button", { name: "Stop" }).count(), 0);

      const before = model.left.count;
      playHeld(new Promise(() => undefined));
      await ask(page, "And again?");
      await page.getByText("The model is explaining the answer").waitFor();
      await page.getByRole("button", { name: "Stop" }).click();
      await page.getByText("Stopped. This answer is not saved in the conversation.").waitFor();
      assert.is(await page.locator("console-answer").count(), 2, "the chart that arrived is kept");
      assert.is(await page.getByLabel("Your question").inputValue(), "And again?");
      await until(() => model.left.count > before, "the call of the model ends");

      play({ measures: [sum()] }, "33 in all.");
      await ask(page, "In all?");
      await page.getByText("33 in all.").waitFor();
      assert.match(model.requests[0]?.text ?? "", /How far by region\?/);
      assert.not.match(
        model.requests[0]?.text ?? "",
        /And again\?/,
        "a stopped turn is not stored",
      );
    },
  );

  test.deep(
    "suggested descriptions are accepted one by one, and only accepted descriptions are stored",
    async () => {
      await opened.client.update("column", trips.columns["km"] ?? "", {
        description: { en: "Kilometres", nl: "Kilometers" },
      });
      model.play(describes);
      const page = await opened.openPage(`/data/${trips.id}`);
      await page.getByRole("link", { name: "Describe" }).click();
      await page.getByRole("button", { name: "Suggest descriptions" }).click();
      await page.getByRole("checkbox", { name: "Accept the description of km (en)" }).check();
      assert.ok(await page.getByRole("cell", { name: "Kilometres" }).isVisible());
      await page.getByRole("button", { name: "Store 1 description" }).click();
      await page.getByText("1 description stored").waitFor();
      const found = await opened.client.get("column", { where: { securable_id: trips.id } });
      const described = Object.fromEntries(
        found.rows.map((row) => [String(row["id"]), row["description"]]),
      );
      const { km, region, day } = trips.columns;
      assert.equal(described[String(km)], {
        en: `${String(km).slice(0, 8)} en`,
        nl: "Kilometers",
      });
      for (const id of [region, day]) assert.not((described[String(id)] as Json | null)?.["en"]);
    },
  );

  test.deep(
    "the pages for questions are accessible in light and dark mode, and fit a phone screen",
    async () => {
      for (const [size, theme] of [
        ["wide", "light"],
        ["phone", "dark"],
        ["phone", "light"],
        ["wide", "dark"],
      ] as const) {
        play(byRegion(), "South has 30, north 4000.");
        const page = await opened.openPage(`/ask?dataset=${trips.id}`, { size, theme });
        await ask(
          page,
          "How far by region, and a long question that a phone breaks into several lines?",
        );
        await page.getByText("South has 30").waitFor();
        await cellsOf(page);
        await page.getByRole("button", { name: "Show the query" }).click();
        const check = async (name: string) => {
          const shots = process.env["SHOTS"];
          if (shots !== undefined)
            await page.screenshot({
              path: `${shots}/${name}-${size}-${theme}.png`,
              fullPage: true,
            });
          assert.equal(await findBarriers(page), [], `${name}, ${theme}`);
          const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.is(over, 0, `${name} at ${size}`);
        };
        await check("ask");
        model.play(describes);
        await page.goto(`${opened.url}/ask/describe/${other.id}`);
        await page.getByRole("button", { name: "Suggest descriptions" }).click();
        await page.getByRole("button", { name: "Accept all" }).click();
        await check("describe");
      }
      assert.equal(opened.reports, []);
    },
  );
});
