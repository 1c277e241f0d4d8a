import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { byKeyboard } from "./byKeyboard.ts";
import { openConsole, type OpenConsole } from "./openConsole.ts";

type Json = Readonly<Record<string, unknown>>;
type Made = Json & { readonly id: string };

const orders = [
  "Order Date,Country,Category,Revenue",
  ...Array.from({ length: 60 }, (_, index) => {
    const day = new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10);
    return `${day},${["France", "Italy"][index % 2]},${["Toys", "Books", "Food"][index % 3]},${index}.5`;
  }),
  "",
].join("\n");

suite("core/web/console: whole journeys with only the keyboard", (test) => {
  let opened: OpenConsole;
  let datasetId: string;
  test.before(async () => {
    opened = await openConsole({ egressAllow: ["127.0.0.1"] });
    const made = await opened.client.create<{ rows: Made[] }>("data", {
      type: "create",
      data: orders
        .trim()
        .split("\n")
        .slice(1)
        .map((line) => line.split(",").map((cell, at) => (at === 3 ? Number(cell) : cell))),
      options: { header: ["Order Date", "Country", "Category", "Revenue"], name: { en: "Sales" } },
    });
    datasetId = made.rows[0]?.id ?? "";
  });
  test.after(() => opened?.close());
  test.afterEach(() => opened?.closePages());

  const contentsOf = async (id: string | undefined) => {
    const [found] = (await opened.client.get<{ rows: Json[] }>("securable", { where: { id } }))
      .rows;
    return found?.["contents"] as { views: { items: { type: string }[] }[] } | undefined;
  };

  test.deep("a file becomes a dataset and its first dashboard, which is kept", async () => {
    const page = await opened.openPage("/");
    const keys = byKeyboard(page);
    await page.getByRole("heading", { name: /^Welcome/ }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("Import a file");
    await page.locator("[role=option][aria-selected=true]", { hasText: "Import a file" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("Choose files").waitFor();
    const chooser = page.waitForEvent("filechooser");
    await keys.enter("Choose files");
    await (
      await chooser
    ).setFiles({
      name: "orders.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(orders),
    });
    await page.locator("button:enabled", { hasText: /^\s*Import\s*$/ }).waitFor();
    await keys.enter("Import");
    await page.waitForURL(/\/data\/[\da-f-]{36}$/);
    await page.locator("header").getByRole("button", { name: "Make a dashboard" }).waitFor();
    await keys.enter("Make a dashboard");
    await page.waitForURL(/\/dashboards\/[\da-f-]{36}$/);
    const id = page.url().split("/").at(-1);
    await page
      .getByRole("img", { name: /^Total revenue by/ })
      .first()
      .waitFor();
    // Undo is offered, and not chosen: the dashboard stays.
    await keys.enter("Edit");
    await page.locator(".board-item").first().waitFor();
    assert.is(await keys.focused(), "Finish editing");
    await keys.tabTo("Name", "Shift+Tab");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Orders of the year");
    await keys.enter("Save");
    await page.getByText("Saved", { exact: true }).first().waitFor();
    const [stored] = (await opened.client.get<{ rows: Json[] }>("securable", { where: { id } }))
      .rows;
    assert.equal(stored?.["name"], { en: "Orders of the year" });
    assert.ok(((await contentsOf(id))?.views[0]?.items.length ?? 0) >= 5);
    assert.equal(opened.reports, []);
  });

  test.deep("a question is built, saved and added to a new dashboard", async () => {
    const page = await opened.openPage("/explore");
    const keys = byKeyboard(page);
    await page.getByRole("link", { name: "Sales" }).waitFor();
    await keys.enter("Sales");
    await page.getByLabel("Search columns").waitFor();
    await keys.enter(/^Aa Country$|^Country$/);
    await page.getByText("2 rows", { exact: true }).waitFor();
    await keys.enter(/^# Revenue$|^Revenue$/);
    await page.getByRole("img", { name: /^Total revenue by country/i }).waitFor();
    await keys.enter("Questions");
    await page.getByRole("menuitem", { name: /^Save/ }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await keys.fill("Name", "Revenue by country");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Revenue by country" }).waitFor();
    await keys.enter("Save");
    await page.getByRole("dialog").waitFor();
    await keys.fill("Dashboard name", "By keyboard");
    await page.keyboard.press("Enter");
    await page.getByText(/^Saved to .*By keyboard/).waitFor();
    const find = { where: { type: "dashboard" } };
    const { rows } = await opened.client.get<{ rows: Made[] }>("securable", find);
    const board = rows.find(({ name }) => (name as Json)["en"] === "By keyboard");
    assert.is((await contentsOf(board?.id))?.views[0]?.items[0]?.type, "bar-chart");
    const saved = await opened.client.get<{ rows: Json[] }>("savedquestion");
    assert.equal(
      saved.rows.map((each) => each["name"]),
      ["Revenue by country"],
    );
    assert.equal(opened.reports, []);
  });

  test.deep("a dashboard is shared with a person, who sees some of its rows", async () => {
    await opened.client.create("user", { email: "ada@example.org", name: "Ada" });
    const content = [{ datasetId, columnId: "*", type: "numeric" }];
    const items = [
      {
        id: crypto.randomUUID(),
        type: "evolution-number",
        position: { col: 0, row: 0, sizeX: 24, sizeY: 16 },
        slots: [{ name: "measure", content }],
      },
    ];
    const { id } = await opened.client.create<Made>("securable", {
      type: "dashboard",
      name: { en: "Orders" },
      contents: { views: [{ screenModus: "desktop", items }] },
    });
    const page = await opened.openPage(`/dashboards/${id}`);
    const keys = byKeyboard(page);
    await page.getByRole("button", { name: "Share", exact: true }).waitFor();
    await keys.enter("Share");
    const dialog = page.getByRole("dialog", { name: /Share/ });
    await dialog.getByRole("heading", { name: "Who has access" }).waitFor();
    await keys.fill(/^Name or e-mail/, "ada@");
    await dialog.getByRole("button", { name: /^Ada/ }).waitFor();
    await keys.enter(/^Ada/);
    await dialog.getByText("sees all 60 rows").waitFor();
    await keys.tabTo("Every row");
    await page.keyboard.press("ArrowDown");
    await dialog.getByLabel("Column").waitFor();
    await keys.choose("Column", "Country");
    await dialog.getByRole("checkbox", { name: /France/ }).waitFor();
    await keys.check(/France/);
    await dialog.getByText("sees 30 of 60 rows").waitFor();
    await keys.enter(/^Share with/);
    await dialog.getByText(/sees 30 of 60 rows where/).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert.is(await keys.focused(), "Share");
    assert.equal(opened.reports, []);
  });

  test.deep("an alert is made, with a channel that is made on the way", async () => {
    const page = await opened.openPage("/alerts");
    const keys = byKeyboard(page);
    await page.getByRole("button", { name: "New alert" }).first().waitFor();
    await keys.enter("New alert");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Sales" }).waitFor();
    await keys.enter("Sales");
    await dialog.getByLabel("Value").waitFor();
    await keys.choose("Value", "Revenue");
    await keys.choose("Aggregation", "Total");
    await keys.enter("Continue");
    await page.getByLabel("Threshold").last().waitFor();
    await keys.fill("Threshold", "25");
    await keys.enter("New channel");
    await dialog.waitFor();
    await keys.choose("Kind", "E-mail");
    await keys.fill("Name", "Team");
    await keys.fill("E-mail addresses", "ada@example.org, bob");
    await keys.enter("Create channel");
    await dialog.getByText("bob is not an e-mail address.").waitFor();
    await keys.fill("E-mail addresses", "ada@example.org\nbob@example.org");
    await keys.enter("Create channel");
    await dialog.waitFor({ state: "detached" });
    assert.is(await keys.focused(), "New channel");
    assert.ok(await page.getByLabel("Team").isChecked());
    await keys.enter("Create alert");
    await page.getByRole("heading", { name: /^Total revenue is more than 25/i }).waitFor();
    const [channel] = (await opened.client.get<{ rows: Json[] }>("channel")).rows;
    assert.equal(channel?.["config"], {
      recipients: [{ email: "ada@example.org" }, { email: "bob@example.org" }],
    });
    assert.equal(opened.reports, []);
  });
});
