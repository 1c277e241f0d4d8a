import * as assert from "uvu/assert";
import type { Page } from "playwright-core";
import { suite } from "../../../support/suite.ts";
import { findBarriers } from "./findBarriers.ts";
import { openConsole, type OpenConsole } from "./openConsole.ts";

suite("core/web/console: command palette and colours", (test) => {
  let opened: OpenConsole;

  test.before(async () => {
    opened = await openConsole();
    await opened.client.call("data", "create", {
      properties: {
        type: "create",
        data: [
          ["AA", 3],
          ["UA", 5],
        ],
        options: { header: ["carrier", "delay"], name: { en: "Flights" } },
      },
    });
    const item = { id: "1", type: "text" as const, options: { title: { en: "Worst airports" } } };
    await opened.client.create("securable", {
      type: "dashboard",
      name: { en: "Delays" },
      contents: { version: "0.1.99", views: [{ screenModus: "desktop", items: [item] }] },
    });
  });
  test.after(() => opened?.close());

  const open = async (page: Page) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: /^Find/ }).waitFor();
  };
  const entries = (page: Page) => page.getByRole("option");
  const choose = async (page: Page, text: string, entry: string) => {
    await open(page);
    await page.keyboard.type(text);
    await entries(page).filter({ hasText: entry }).first().click();
  };

  test.deep("every page offers actions, and records come before pages", async () => {
    const page = await opened.openPage("/");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await open(page);
    await entries(page).filter({ hasText: "Delays" }).first().waitFor();
    assert.equal(await findBarriers(page), []);
    const all = await entries(page).allInnerTexts();
    const at = (text: string) => all.findIndex((each) => each.startsWith(text));
    for (const action of ["New dashboard", "Import a file", "New alert", "Connect", "Invite"])
      assert.ok(at(action) >= 0 && at(action) < at("Delays"), action);
    assert.ok(at("Delays") < at("Explore"));
    await page.keyboard.type("dash");
    await entries(page).filter({ hasText: "New dashboard" }).click();
    await page.getByRole("dialog", { name: "New dashboard" }).waitFor();
    assert.is(new URL(page.url()).search, "");
    await page.close();
  });

  test.deep(
    "a column opens Explore with its values, and the title of a chart its dashboard",
    async () => {
      const page = await opened.openPage("/");
      await page.getByRole("heading", { level: 1 }).waitFor();
      await choose(page, "column delay of Flig", "Column of Flights");
      await page.getByText("Average delay").first().waitFor();
      await choose(page, "carrier", "Column of Flights");
      await page.getByText("2 rows", { exact: true }).waitFor();
      await choose(page, "worst air", "Chart in Delays");
      await page.waitForURL(/\/dashboards\/[\da-f-]{36}$/);
      await page.close();
    },
  );

  test.deep("“Invite people” opens the invitation, once", async () => {
    const page = await opened.openPage("/");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await choose(page, "invite", "Invite people");
    const dialog = page.getByRole("dialog", { name: "Invite a person" });
    await dialog.getByLabel("E-mail address").waitFor();
    assert.is(new URL(page.url()).search, "");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("button", { name: "Invite" }).first().waitFor();
    assert.is(await page.getByRole("dialog").count(), 0);
    await page.close();
  });

  test.deep("colours are light, dark or those of the system, and stay after a reload", async () => {
    const page = await opened.openPage("/", { theme: "dark" });
    const theme = () => page.evaluate(() => document.documentElement.dataset["theme"]);
    const pick = async (name: string) => {
      await page.getByRole("button", { name: "Colours" }).click();
      await page.getByRole("menuitemradio", { name }).click();
    };
    await page.getByRole("heading", { level: 1 }).waitFor();
    assert.is(await theme(), "dark");
    await page.getByRole("button", { name: "Colours" }).click();
    assert.equal(await findBarriers(page, ".menu"), []);
    await page.getByRole("menuitemradio", { name: "Light colours" }).click();
    assert.is(await theme(), "light");
    await page.reload();
    await page.getByRole("heading", { level: 1 }).waitFor();
    assert.is(await theme(), "light");
    await pick("Same as the system");
    assert.is(await theme(), "dark");
    await page.emulateMedia({ colorScheme: "light" });
    await page.waitForFunction(() => document.documentElement.dataset["theme"] === "light");
    await page.close();
  });

  test.deep("no page reports an error or violates the policy", () => {
    assert.equal(opened.reports, []);
  });
});
