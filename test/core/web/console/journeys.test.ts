import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { findBarriers } from "./findBarriers.ts";
import { openConsole, type OpenConsole } from "./openConsole.ts";

type Json = Readonly<Record<string, unknown>>;

const hostile = `<img src=x onerror=alert(1)> "Sales" & <script>alert(2)</script>`;
const regions = ["North", hostile, "South"];
/** Forty days of three regions. The amount grows every day. */
const rows = Array.from({ length: 120 }, (_, index) => [
  new Date(Date.UTC(2026, 0, 1 + Math.floor(index / 3))).toISOString().slice(0, 10),
  regions[index % 3],
  Math.floor(index / 3) * 10 + (index % 3),
]);

const paths = ["/", "/explore", "/dashboards", "/alerts", "/alerts?tab=channels"];

suite("core/web/console: whole journeys", (test) => {
  let opened: OpenConsole;
  let datasetId: string;
  let columns: Readonly<Record<string, string>>;
  /** The address of the page that asks for the sum of amounts by region. */
  let byRegion: string;
  let byDay: string;
  const addressOf = (question: Json) =>
    `/explore/${datasetId}?q=${encodeURIComponent(JSON.stringify(question))}`;
  test.before(async () => {
    opened = await openConsole();
    const made = await opened.client.create<{ rows: { id: string; columns: Json[] }[] }>("data", {
      type: "create",
      data: rows,
      options: { header: ["day", "region", "amount"], name: { en: hostile } },
    });
    datasetId = made.rows[0]?.id ?? "";
    columns = Object.fromEntries(
      (made.rows[0]?.columns ?? []).map(({ source_name: name, id }) => [String(name), String(id)]),
    );
    const measures = [{ id: columns["amount"], aggregation: "sum" }];
    byRegion = addressOf({ rows: [{ id: columns["region"] }], measures });
    byDay = addressOf({ rows: [{ id: columns["day"], level: 5 }], measures });
  });
  test.after(() => opened?.close());
  test.afterEach(() => opened?.closePages());

  const cellsOf = (page: Page) =>
    page.locator("console-table .body [role=gridcell]").allTextContents();
  const trimmed = async (page: Page) => (await cellsOf(page)).map((text) => text.trim());
  /** Returns the answer of the API to the owner's own key pair. */
  const sumsByRegion = async () => {
    const column = (name: string) => ({ dataset_id: datasetId, column_id: columns[name] });
    const amount = { ...column("amount"), aggregation: { type: "sum" } };
    const answer = await opened.client.get<{ data: [string, number][] }>("data", {
      queries: [
        {
          dimensions: [column("region")],
          measures: [amount],
          order: [{ ...amount, order: "desc" }],
          options: { cells: "plain" },
        },
      ],
    });
    return answer.data.map(([region, sum]) => [region, sum] as const);
  };

  test.deep(
    "after signing in with a password, a person sees the page that they requested",
    async () => {
      await opened.client.create("user", {
        email: "ada@example.org",
        name: "Ada",
        password: "a long enough password",
      });
      const page = await opened.openPage("/dashboards", { isSignedIn: false });
      await page.getByLabel("E-mail", { exact: true }).last().fill("ada@example.org");
      await page.getByLabel("Password").fill("a wrong password");
      await page.keyboard.press("Enter");
      await page.locator(".failure").waitFor();
      await page.getByLabel("Password").fill("a long enough password");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Dashboards", exact: true }).waitFor();
      assert.is(new URL(page.url()).pathname, "/dashboards");
      await page.getByRole("button", { name: /^Account/ }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "Sign in to Manifold" }).waitFor();
    },
  );

  test.deep(
    "a sign-in link opens the Home page once, and then explains that it was already used",
    async () => {
      const link = await opened.signInLink();
      const page = await opened.openPage(new URL(link).pathname + new URL(link).hash, {
        isSignedIn: false,
      });
      await page.getByRole("heading", { name: /^Welcome/ }).waitFor();
      assert.is(new URL(page.url()).hash, "");
      const again = await opened.openPage(new URL(link).pathname + new URL(link).hash, {
        isSignedIn: false,
      });
      await again.getByText("This sign-in link has expired").waitFor();
    },
  );

  test.deep(
    "a query that a person builds by clicking shows the sums that the API returns, even after a reload",
    async () => {
      const page = await opened.openPage(`/explore/${datasetId}`);
      await page.getByRole("button", { name: "region", exact: true }).click();
      await page.getByRole("button", { name: "amount", exact: true }).click();
      await page.getByText("3 rows", { exact: true }).waitFor();
      const expected = (await sumsByRegion()).flatMap(([region, sum]) => [
        region,
        sum.toLocaleString("en-US"),
      ]);
      assert.equal(await trimmed(page), expected);
      assert.ok((await page.locator("console-picture svg rect").count()) >= 3);
      await page.reload();
      await page.getByText("3 rows", { exact: true }).waitFor();
      assert.equal(await trimmed(page), expected);
    },
  );

  test.deep(
    "a filter on suggested values filters the rows, appears in the plan and can be undone",
    async () => {
      const page = await opened.openPage(byRegion);
      await page.getByText("3 rows", { exact: true }).waitFor();
      await page.getByRole("button", { name: "region", exact: true }).click({ button: "right" });
      await page.getByRole("menuitem", { name: "Filters" }).click();
      await page.getByRole("checkbox", { name: hostile }).check();
      await page.getByRole("button", { name: "Apply filter" }).click();
      await page.getByText("1 row", { exact: true }).waitFor();
      assert.is((await trimmed(page))[0], hostile);
      await page.getByLabel("View").selectOption("plan");
      await page.getByText("your question").waitFor();
      await page.getByLabel("View").selectOption("both");
      await page.getByRole("button", { name: "JSON · curl · TS" }).click();
      const shown = JSON.parse((await page.locator("pre.request").textContent()) ?? "") as Json;
      const response = await fetch(`${opened.url}/0.1.0/data`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ ...shown, ...opened.pair }),
      });
      const { data } = (await response.json()) as { readonly data: readonly unknown[] };
      assert.is(data.length, 1);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("3 rows", { exact: true }).waitFor();
    },
  );

  test.deep(
    "using only the keyboard, a person moves a saved chart on a new dashboard and restores an older version",
    async () => {
      const page = await opened.openPage(byRegion);
      await page.getByRole("button", { name: "Save", exact: true }).click();
      const field = page.getByLabel("Dashboard name");
      // The form suggests a name that describes the chart.
      assert.match(await field.inputValue(), / by region$/i);
      await field.fill("Regions");
      await page.getByRole("button", { name: "Save chart" }).click();
      await page.getByText("Saved to Regions").waitFor();
      await page.goto(`${opened.url}/dashboards`);
      await page.getByRole("link", { name: "Regions" }).click();
      await page.locator("console-live-dashboard svg rect").first().waitFor();
      const stored = async () => {
        const found = await opened.client.get<{ rows: { contents: { views: Json[] } }[] }>(
          "securable",
          { where: { type: "dashboard" }, attributes: ["contents"] },
        );
        const [item] = (found.rows[0]?.contents.views[0]?.["items"] ?? []) as { position: Json }[];
        return item?.position;
      };
      assert.equal(await stored(), { row: 0, col: 0, sizeX: 24, sizeY: 20 });
      await page.getByRole("button", { name: "Edit" }).click();
      await page.locator(".board-item").focus();
      for (const key of ["ArrowRight", "ArrowRight", "ArrowDown", "Shift+ArrowLeft"])
        await page.keyboard.press(key);
      await page.keyboard.press("Control+z");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText("Saved", { exact: true }).waitFor();
      assert.equal(await stored(), { row: 1, col: 2, sizeX: 24, sizeY: 20 });
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Versions" }).click();
      await page.getByRole("button", { name: "Restore" }).last().click();
      await page.getByText("The version was restored").waitFor();
      assert.equal(await stored(), { row: 0, col: 0, sizeX: 24, sizeY: 20 });
    },
  );

  test.deep(
    "an alert that is created from a chart shows its backtest and appears in the list",
    async () => {
      const page = await opened.openPage(byDay);
      await page.getByText("40 rows", { exact: true }).waitFor();
      await page.getByRole("link", { name: "Alert", exact: true }).click();
      await page.getByLabel("Threshold").last().fill("1000");
      // Days 34 to 39 have sums of 1023 to 1173. A new alert sends a message when its state changes: once, in the next
      // slot.
      await page.getByText(/It would have sent a message at 1 of \d+ runs/).waitFor();
      assert.is(await page.locator(".over .fired").count(), 1);
      await page.getByRole("button", { name: "Create alert" }).click();
      await page.getByRole("heading", { name: "Total amount is more than 1,000" }).waitFor();
      await page.goto(`${opened.url}/alerts`);
      await page.getByRole("link", { name: "Total amount is more than 1,000" }).waitFor();
    },
  );

  test.deep(
    "a query can be built with only the keyboard, from the palette to the chart",
    async () => {
      const page = await opened.openPage("/");
      await page.getByRole("heading", { name: /^Welcome/ }).waitFor();
      await page.keyboard.press("Control+k");
      await page.keyboard.type("Sales");
      await page.locator("[role=option][aria-selected=true]", { hasText: "Dataset" }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByLabel("Search columns").waitFor();
      await page.keyboard.press("Control+k");
      await page.keyboard.type("region");
      await page.keyboard.press("Enter");
      await page.getByText("3 rows", { exact: true }).waitFor();
      assert.equal((await trimmed(page)).filter((text) => text === "40").length, 3);
    },
  );

  test.deep(
    "when a session expires, the same address shows the sign-in form and then the page again",
    async () => {
      const page = await opened.openPage(byRegion);
      await page.getByText("3 rows", { exact: true }).waitFor();
      await page.context().clearCookies();
      await page.getByLabel("Chart", { exact: true }).selectOption("column-chart");
      await page.getByText("Your session has ended").waitFor();
      await page.getByRole("tab", { name: "Key pair" }).click();
      await page.getByLabel("Key", { exact: true }).fill(opened.pair.key);
      await page.getByLabel("Token").fill(opened.pair.token);
      await page.keyboard.press("Enter");
      await page.getByText("3 rows", { exact: true }).waitFor();
      assert.is(await page.getByLabel("Chart", { exact: true }).inputValue(), "column-chart");
    },
  );

  test.deep(
    "a session survives a restart of the host, during which calls say that the host cannot be reached",
    async () => {
      const page = await opened.openPage(byRegion);
      await page.getByText("3 rows", { exact: true }).waitFor();
      await opened.restart();
      await page.getByLabel("Chart", { exact: true }).selectOption("donut-chart");
      const settled = page.getByText("3 rows", { exact: true });
      const refused = page.getByText("The host cannot be reached");
      await settled.or(refused).first().waitFor();
      if (await refused.isVisible()) await page.getByRole("button", { name: "Try again" }).click();
      await settled.waitFor();
    },
  );

  test.deep(
    "every page of the console is accessible in light and dark mode and fits a phone screen",
    async () => {
      const all = [
        ...paths,
        byRegion,
        `${byRegion}&view=plan`,
        byDay.replace(`/explore/${datasetId}?`, `/alerts/new?dataset=${datasetId}&`),
      ];
      const boards = await opened.client.get("securable", { where: { type: "dashboard" } });
      for (const { id } of boards.rows)
        all.push(`/dashboards/${String(id)}`, `/dashboards/${String(id)}?edit=1`);
      for (const [size, theme] of [
        ["wide", "light"],
        ["phone", "dark"],
      ] as const) {
        const page = await opened.openPage("/", { size, theme });
        for (const path of all) {
          await page.goto(opened.url + path);
          await page.locator("main h1, main h2").first().waitFor();
          await page.waitForLoadState("networkidle");
          assert.equal(await findBarriers(page), [], `${path}, ${theme}`);
          const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.is(over, 0, `${path} at ${size}`);
        }
      }
    },
  );

  test.deep(
    "without a model, the console offers no way to ask questions, but shows an answer that an address contains",
    async () => {
      const measures = [
        {
          dataset_id: datasetId,
          column_id: columns["amount"],
          aggregation: { type: "sum" },
        },
      ];
      const page = await opened.openPage(byRegion);
      await page.getByText("3 rows", { exact: true }).waitFor();
      assert.is(await page.getByRole("link", { name: "Ask", exact: true }).count(), 0);
      await page.goto(`${opened.url}/ask`);
      await page.getByText("No model is set up").waitFor();
      await page.goto(`${opened.url}/data/${datasetId}`);
      await page.getByRole("link", { name: "Make a chart" }).waitFor();
      assert.is(await page.getByRole("link", { name: "Describe" }).count(), 0);
      const answer = { query: { measures }, title: { en: hostile } };
      await page.goto(`${opened.url}/ask?answer=${encodeURIComponent(JSON.stringify(answer))}`);
      await page.getByRole("heading", { name: hostile }).waitFor();
      await page.locator("console-table .body [role=gridcell]").first().waitFor();
      const total = (await sumsByRegion()).reduce((sum, [, each]) => sum + each, 0);
      assert.equal(await trimmed(page), [total.toLocaleString("en-US")]);
      await page.goto(`${opened.url}/ask?answer=%7B`);
      await page.getByText("No model is set up").waitFor();
    },
  );

  test.deep(
    "another origin's page can neither read nor change data with the session of the console",
    async () => {
      const page = await opened.openPage("/");
      const other = await page.context().newPage();
      await other.goto("about:blank");
      const read = { action: "get", version: "0.1.0", find: {} };
      const make = {
        action: "create",
        version: "0.1.0",
        properties: { type: "dashboard", name: { en: "Forged" } },
      };
      const outcomes = await other.evaluate(
        async ({ url, bodies }) => {
          const answers: string[] = [];
          for (const body of bodies)
            for (const init of [
              { headers: { "Content-Type": "application/json", "X-Manifold-Console": "1" } },
              { mode: "no-cors" as const, headers: { "Content-Type": "text/plain" } },
            ])
              answers.push(
                await fetch(url, { method: "POST", credentials: "include", body, ...init }).then(
                  async (answer) => `${answer.type} ${await answer.text()}`,
                  () => "refused",
                ),
              );
          return answers;
        },
        {
          url: `${opened.url}/0.1.0/securable`,
          bodies: [read, make].map((body) => JSON.stringify(body)),
        },
      );
      assert.is(outcomes.length, 4);
      for (const outcome of outcomes) assert.ok(["refused", "opaque "].includes(outcome), outcome);
      const forged = await opened.client.get<{ count: number }>("securable", {
        where: { name: { like: "%Forged%" } },
      });
      assert.is(forged.count, 0);
    },
  );

  test.deep(
    "no page of these journeys violates the security policy, reports an error or opens a dialog",
    () => {
      assert.equal(opened.reports, []);
    },
  );
});
