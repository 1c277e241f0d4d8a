import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import type { Page } from "playwright-core";
import { createClient } from "../../../../core/web/client/index.ts";
import { suite } from "../../../support/suite.ts";
import { findBarriers } from "./findBarriers.ts";
import { openConsole, type OpenConsole } from "./openConsole.ts";

type Json = Readonly<Record<string, unknown>>;

const hostile = `<img src=x onerror=alert(1)> "Best" & <script>alert(2)</script>`;
const regions = ["East", "North", hostile, "South"];
/** Regions and amounts. The sums per region are 60, 180, 300 and 420. */
const rows = Array.from({ length: 12 }, (_, index) => [
  regions[index % 4],
  5 + (index % 4) * 40 + 15,
]);

interface Contents {
  readonly views: readonly {
    readonly screenModus: string;
    readonly items?: readonly Json[];
    readonly options?: Json;
  }[];
  readonly filterGroups?: readonly Json[];
}

const run = promisify(execFile);

suite("core/web/console/pages/dashboards", (test) => {
  let opened: OpenConsole;
  let datasetId: string;
  let columns: Readonly<Record<string, string>>;
  let itemNumber = 0;

  test.before(async () => {
    opened = await openConsole();
    const made = await opened.client.create<{ rows: { id: string; columns: Json[] }[] }>("data", {
      type: "create",
      data: rows,
      options: { header: ["region", "amount"], name: { en: "Sales" } },
    });
    datasetId = made.rows[0]?.id ?? "";
    columns = Object.fromEntries(
      (made.rows[0]?.columns ?? []).map(({ source_name: name, id }) => [String(name), String(id)]),
    );
  });
  test.after(() => opened?.close());
  test.afterEach(() => opened?.closePages());

  /** Returns a chart of sums by region. */
  const itemAt = (col: number, title: string): Json => {
    const field = (name: string, more: Json) => ({
      datasetId,
      columnId: columns[name],
      label: { en: name },
      ...more,
    });
    return {
      id: `item-${itemNumber++}`,
      type: "bar-chart",
      options: { title: { en: title } },
      position: { col, row: 0, sizeX: 24, sizeY: 18 },
      slots: [
        { name: "y-axis", content: [field("region", { type: "hierarchy" })] },
        {
          name: "measure",
          content: [field("amount", { type: "numeric", aggregationFunc: "sum" })],
        },
      ],
    };
  };
  const make = async (items: readonly Json[], name = "Regions"): Promise<string> => {
    const { id } = await opened.client.create<{ id: string }>("securable", {
      type: "dashboard",
      name: { en: name },
      contents: { version: "0.1.99", views: [{ screenModus: "desktop", items }] },
    });
    return id;
  };
  /**
   * Returns what the console saved. It must pass validation without warnings, except for members that the test itself
   * added.
   */
  const stored = async (id: string, added = /^$/): Promise<Contents> => {
    const { rows: found } = await opened.client.get<{ rows: { contents: Contents }[] }>(
      "securable",
      { where: { id }, attributes: ["contents"] },
    );
    const { contents } = found[0]!;
    const { valid, warnings = [] } = await opened.client.validate<{
      valid: boolean;
      warnings?: string[];
    }>("securable", { type: "dashboard", contents });
    assert.ok(valid);
    assert.equal(
      warnings.filter((each) => !added.test(each)),
      [],
    );
    return contents;
  };
  const saved = async (page: Page) => {
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved", { exact: true }).first().waitFor();
  };
  /** Returns the bars of each item on the page. */
  const barsOf = (page: Page) =>
    page
      .locator("console-live-dashboard .mf-cell")
      .evaluateAll((cells) =>
        cells.map((cell) => cell.querySelectorAll("svg rect[data-mark]").length),
      );

  test.deep(
    "a dashboard filter applies to every chart and to the values that its own control offers",
    async () => {
      const id = await make([itemAt(0, "One"), itemAt(24, "Two")]);
      const page = await opened.openPage(`/dashboards/${id}?edit=1`);
      const dialog = page.getByRole("dialog", { name: "Add filter" });
      await page.getByRole("button", { name: "Add filter", exact: true }).click();
      await dialog.getByLabel("Always on").check();
      await dialog.getByRole("button", { name: "region" }).click();
      await page.getByLabel("Test").selectOption({ label: "is none of" });
      await page.getByRole("checkbox", { name: "East" }).check();
      assert.equal(await findBarriers(page), []);
      await page.getByRole("button", { name: "Apply filter" }).click();
      await page.getByText("region is none of East").waitFor();
      assert.equal(await findBarriers(page), []);
      await page.getByRole("button", { name: "Done", exact: true }).click();
      await page.getByRole("button", { name: "Add filter (1 filter always on)" }).click();
      await dialog.getByRole("button", { name: "region" }).first().click();
      const placed = page.locator("console-board-control");
      await placed.locator(".mf-field").waitFor();
      assert.equal(await findBarriers(page), []);
      await saved(page);
      assert.is((await stored(id)).filterGroups?.length, 1);
      await page.getByRole("button", { name: "Finish editing" }).click();
      const control = page.locator("console-live-dashboard .mf-control");
      await control.getByRole("button", { name: /^region/ }).click();
      await control.getByRole("option").nth(3).waitFor();
      // Only three of the four regions are offered, because the filter of the dashboard also applies to the control.
      const offered = await control.getByRole("option").allInnerTexts();
      assert.is(offered.length, 4);
      assert.not.ok(offered.includes("East"));
      await page.waitForFunction(() => {
        const root = document.querySelector("console-live-dashboard")?.shadowRoot;
        return root?.querySelectorAll("svg rect[data-mark]").length === 6;
      });
      await control.getByRole("option", { name: "South" }).click();
      await page.waitForFunction(() => {
        const root = document.querySelector("console-live-dashboard")?.shadowRoot;
        return root?.querySelectorAll("svg rect[data-mark]").length === 2;
      });
      assert.equal(await findBarriers(page), []);
    },
  );

  test.deep(
    "clicking a bar filters the other charts until the chip of the filter is removed",
    async () => {
      const id = await make([itemAt(0, "One"), itemAt(24, "Two")]);
      const page = await opened.openPage(`/dashboards/${id}`);
      const second = page.locator("console-live-dashboard .mf-cell").nth(1);
      await second.locator("svg rect[data-mark]").nth(3).waitFor();
      const first = page.locator("console-live-dashboard .mf-cell").first();
      await first.locator("svg rect[data-mark]").nth(3).waitFor();
      await first.locator(".mf-plot").focus();
      await page.keyboard.press("Home");
      await page.keyboard.press("Enter");
      await second.locator("svg rect[data-mark]").nth(1).waitFor({ state: "detached" });
      await second.locator("svg rect[data-mark]").first().waitFor();
      assert.equal(await barsOf(page), [4, 1]);
      await page.locator("console-live-dashboard .mf-chip").click();
      await second.locator("svg rect[data-mark]").nth(3).waitFor();
    },
  );

  test.deep(
    "a private link opens the dashboard without a sign-in, and returns 404 once it is revoked",
    async () => {
      const id = await make([itemAt(0, hostile)]);
      const page = await opened.openPage(`/dashboards/${id}`);
      await page.getByRole("button", { name: "Share", exact: true }).click();
      await page.getByText("No private links yet.").waitFor();
      await page.getByRole("button", { name: "Create link" }).click();
      // The reader confirms before the dataset is shared with all users.
      const agree = page.getByRole("dialog", { name: "Add this to the Public group?" });
      await agree.getByText("Sales").waitFor();
      await agree.getByRole("button", { name: "Make public" }).click();
      const link = page.getByRole("dialog").locator("a[href*='/shared/']");
      await link.waitFor();
      assert.equal(await findBarriers(page), []);
      const address = (await link.getAttribute("href")) ?? "";
      const stranger = await opened.openPage(new URL(address).pathname, { isSignedIn: false });
      await stranger.locator("manifold-dashboard svg rect[data-mark]").nth(3).waitFor();
      await stranger.getByRole("heading", { level: 1 }).waitFor();
      assert.equal(await findBarriers(stranger), []);
      await page.getByRole("button", { name: "Revoke link" }).click();
      await page.getByText("No private links yet.").waitFor();
      assert.is((await fetch(address)).status, 404);
      await stranger.reload();
      await stranger.getByRole("heading", { name: "This link shows nothing" }).waitFor();
      assert.equal(await findBarriers(stranger), []);
      assert.is((await opened.client.get("share", {})).count, 0);
    },
  );

  test.deep(
    "the Embed dialog previews the dashboard as the token sees it, and the dialog's code works on another page",
    async () => {
      const id = await make([itemAt(0, "Embedded")]);
      const page = await opened.openPage(`/dashboards/${id}`);
      await page.getByRole("button", { name: "Embed", exact: true }).click();
      await page.getByLabel("Viewer name").fill("Reader");
      await page.getByRole("button", { name: "Create token" }).click();
      await page.locator("dialog manifold-dashboard svg rect[data-mark]").nth(3).waitFor();
      assert.equal(await findBarriers(page), []);
      const lines = (await page.locator("dialog pre").first().textContent()) ?? "";
      const [key, token] = ["auth-key", "auth-token"].map(
        (name) => new RegExp(`${name}="([^"]+)"`).exec(lines)?.[1] ?? "",
      );
      const viewer = createClient({ url: opened.url, key: key!, token: token! });
      const seen = await viewer.get("securable", { where: { type: "dashboard" } });
      assert.equal(
        seen.rows.map((row) => row["id"]),
        [id],
      );
      assert.match(lines, `dashboard="${id}"`);
      assert.match(lines, `${opened.url}/embed.js`);
      const server = (await page.locator("dialog pre").nth(1).textContent()) ?? "";
      const { stdout } = await run(
        process.execPath,
        ["--input-type=module", "-e", `${server}\nconsole.log(JSON.stringify(token));`],
        { env: { MANIFOLD_KEY: opened.pair.key, MANIFOLD_TOKEN: opened.pair.token } },
      );
      const made = JSON.parse(stdout) as { readonly id: string; readonly token: string };
      const other = createClient({ url: opened.url, key: made.id, token: made.token });
      assert.is((await other.get("securable", { where: { type: "dashboard" } })).count, 1);
    },
  );

  test.deep(
    "Explore opened for a dashboard saves its chart to this dashboard and returns to it",
    async () => {
      const id = await make([itemAt(0, "First")]);
      const page = await opened.openPage(`/explore/${datasetId}?dashboard=${id}`);
      await page.locator("console-column-list").getByText("Count of rows").click();
      await page.locator("console-picture svg").first().waitFor();
      await page.getByRole("button", { name: "Save", exact: true }).click();
      assert.is(await page.getByLabel("Dashboard", { exact: true }).inputValue(), id);
      await page.getByRole("button", { name: "Save chart" }).click();
      await page.locator(".board-item").nth(1).waitFor();
      assert.is(new URL(page.url()).pathname, `/dashboards/${id}`);
      assert.is((await stored(id)).views[0]?.items?.length, 2);
    },
  );

  test.deep(
    "a theme that is chosen from previews is applied to the dashboard and stored with the dashboard",
    async () => {
      const id = await make([itemAt(0, "Themed")]);
      const page = await opened.openPage(`/dashboards/${id}?edit=1`);
      await page.getByRole("button", { name: "Theme", exact: true }).click();
      const dark = page.getByRole("button", { name: /dark/i }).filter({ hasText: "Default" });
      await dark.first().locator("svg").first().waitFor();
      assert.equal(await findBarriers(page), []);
      await dark.first().click();
      await saved(page);
      const theme = (await stored(id)).views[0]?.options?.["theme"] as { id: string } | undefined;
      assert.is(theme?.id, "default_dark");
      await page.getByRole("button", { name: "Finish editing" }).click();
      await page.locator("console-live-dashboard svg rect[data-mark]").first().waitFor();
      const { rows: themes } = await opened.client.get<{ rows: { theme: Json }[] }>("theme", {
        where: { id: theme?.id },
        attributes: ["theme"],
      });
      assert.is(themes[0]?.theme["type"], "dark");
      const shade = await page
        .locator("console-live-dashboard .mf-dashboard")
        .evaluate((root) => getComputedStyle(root).backgroundColor);
      assert.not.equal(shade, "rgba(0, 0, 0, 0)");
      await page.reload();
      await page.locator("console-live-dashboard svg rect[data-mark]").first().waitFor();
    },
  );

  test.deep(
    "the list of versions shows changed items and members, and a version can be published or restored",
    async () => {
      const first = itemAt(0, "First");
      const id = await make([first]);
      await opened.client.update<Json>("securable", id, {
        contents: {
          version: "0.1.99",
          views: [
            {
              screenModus: "desktop",
              items: [
                { ...first, position: { col: 0, row: 0, sizeX: 30, sizeY: 18 } },
                itemAt(30, "Second"),
              ],
            },
          ],
        },
      });
      const page = await opened.openPage(`/dashboards/${id}`);
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Versions" }).click();
      const oldest = page.getByRole("dialog").locator("li:has(select)").last();
      await oldest.getByText("1 removed, 1 changed").click();
      const said = await oldest.locator("details li").allInnerTexts();
      assert.equal(
        said.map((text) => text.replaceAll(/\s+/g, " ").trim()),
        ["Removed Second Desktop", "Changed First Desktop · position"],
      );
      assert.equal(await findBarriers(page), []);
      await oldest.getByRole("button", { name: "Name version" }).click();
      await page.getByLabel("Name of the version").fill("Before the second chart");
      await page.keyboard.press("Enter");
      await oldest.getByText("Before the second chart").waitFor();
      await oldest.getByText("by Owner").waitFor();
      await oldest.getByRole("combobox").selectOption({ label: "Production" });
      await page.getByText("Saved", { exact: true }).waitFor();
      const { rows: published } = await opened.client.get<{ rows: Json[] }>("securableversion", {
        where: { securable_id: id, environment: "production" },
        attributes: ["id"],
      });
      assert.is(published.length, 1);
      await oldest.getByRole("button", { name: "Restore" }).click();
      await page.getByText("The version was restored").waitFor();
      assert.equal((await stored(id)).views[0]?.items, [first]);
    },
  );

  test.deep(
    "the console asks before the reader leaves unsaved changes, and restores the changes after a reload",
    async () => {
      const id = await make([itemAt(0, "Kept")], "Kept boards");
      const page = await opened.openPage("/dashboards?search=kept");
      await page.getByRole("link", { name: "Kept boards" }).click();
      await page.getByRole("button", { name: "Edit" }).click();
      await page.locator(".board-item").focus();
      await page.keyboard.press("ArrowRight");
      await page.getByText("Unsaved changes", { exact: true }).waitFor();
      await page.getByRole("link", { name: "Data", exact: true }).click();
      const question = page.getByRole("dialog", { name: "Save your changes?" });
      await question.waitFor();
      assert.equal(await findBarriers(page), []);
      await question.getByRole("button", { name: "Stay" }).click();
      assert.match(page.url(), id);
      await question.waitFor({ state: "detached" });
      await page.evaluate(() => history.back());
      await question.getByRole("button", { name: "Stay" }).click();
      assert.match(page.url(), id);
      await page.reload();
      await page.getByText("Your unsaved changes were restored").waitFor();
      await page.getByRole("link", { name: "Data", exact: true }).click();
      await question.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByRole("heading", { name: "Data", exact: true }).waitFor();
      const [item] = (await stored(id)).views[0]?.items ?? [];
      const position = item?.["position"] as { col: number } | undefined;
      assert.is(position?.col, 1);
    },
  );

  test.deep(
    "changing a layout on one screen creates a layout for that screen, which can be removed again",
    async () => {
      const id = await make([itemAt(0, "Anywhere")]);
      const page = await opened.openPage(`/dashboards/${id}?edit=1`);
      for (const screen of ["tablet", "mobile", "largeScreen", "fixed"]) {
        await page.getByLabel("Screen", { exact: true }).selectOption(screen);
        await page
          .locator(".hint")
          .getByText("of its own")
          .or(page.locator(".hint").getByText("of their own"))
          .first()
          .waitFor();
        await page.locator(".board-item").focus();
        await page.keyboard.press("ArrowDown");
        await page.locator(".hint").waitFor({ state: "detached" });
      }
      await page.getByRole("button", { name: "Use the automatic layout" }).click();
      await saved(page);
      assert.equal(
        (await stored(id)).views.map(({ screenModus }) => screenModus),
        ["desktop", "tablet", "mobile", "largeScreen"],
      );
    },
  );

  test.deep(
    "using only the keyboard, a reader adds a filter to the bar, resizes it, undoes and saves",
    async () => {
      const id = await make([itemAt(0, "Keys")], "Draft");
      const page = await opened.openPage(`/dashboards/${id}`);
      await page.locator("console-live-dashboard svg rect[data-mark]").first().waitFor();
      const run = async (command: string) => {
        await page.keyboard.press("Control+k");
        await page.keyboard.type(command);
        await page.locator("[role=option][aria-selected=true]", { hasText: command }).waitFor();
        await page.keyboard.press("Enter");
      };
      const tabTo = async (name: string) => {
        for (let steps = 0; steps < 60; steps++) {
          const focused = await page.evaluate(() => {
            const { activeElement: active } = document;
            return active?.ariaLabel ?? active?.textContent?.trim().replaceAll(/\s+/g, " ") ?? "";
          });
          if (focused === name) return;
          await page.keyboard.press("Tab");
        }
        throw new Error(`the keyboard never came to ${name}`);
      };
      await run("Edit");
      await page.locator(".board-item").waitFor();
      await run("Add filter");
      const dialog = page.getByRole("dialog", { name: "Add filter" });
      await dialog.getByRole("button", { name: "region" }).waitFor();
      await tabTo("Aa region");
      await page.keyboard.press("Enter");
      await page.locator("console-board-control").waitFor();
      await tabTo("region");
      await page.keyboard.press("Shift+ArrowDown");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Control+z");
      await run("Save");
      await page.getByText("Saved", { exact: true }).first().waitFor();
      const items = (await stored(id)).views[0]?.items ?? [];
      const placeOf = (type: string) => items.find((each) => each["type"] === type)?.["position"];
      assert.equal(placeOf("dropdown-filter"), { col: 1, row: 0, sizeX: 12, sizeY: 7 });
      assert.equal(placeOf("bar-chart"), { col: 0, row: 7, sizeX: 24, sizeY: 18 });
    },
  );

  test.deep(
    "saving a dashboard keeps `datasetLinks` and every other member that the editor does not know",
    async () => {
      const unknown: Json = JSON.parse(
        `{"__proto__":{"isOwner":true},"future":[null,{"<img src=x onerror=alert(1)>":1e300}],"sub_title":"x"}`,
      );
      const item: Json = { ...itemAt(0, "Kept"), ...unknown, content: { html: hostile } };
      const contents = {
        version: "0.1.99",
        ...unknown,
        datasetLinks: { [datasetId]: [unknown] },
        parameters: [{ name: "p", value: unknown }],
        timezone: { type: "fixed", id: "Asia/Tokyo" },
        views: [
          {
            screenModus: "desktop",
            options: { columns: 48, share: unknown },
            items: [item],
            ...unknown,
          },
          { screenModus: "largeScreen", items: [{ id: "far", type: "hologram", ...unknown }] },
        ],
      };
      const { id } = await opened.client.create<{ id: string }>("securable", {
        type: "dashboard",
        name: { en: "Kept", nl: "Bewaard" },
        contents,
      });
      const before = JSON.stringify(await stored(id, /is unknown|is missing/));
      assert.match(before, /datasetLinks.*isOwner/);
      const page = await opened.openPage(`/dashboards/${id}`);
      await page.getByRole("button", { name: "Edit", exact: true }).click();
      await page.locator(".board-item").first().focus();
      await page.keyboard.press("ArrowRight");
      await saved(page);
      const after = await stored(id, /is unknown|is missing/);
      const text = JSON.stringify(after);
      assert.equal(after.views[0]?.items?.[0]?.["position"], {
        ...Object(item["position"]),
        col: 1,
      });
      assert.is(text.replace('"col":1', '"col":0').length, before.length);
      const sorted = (value: string) => [...value].toSorted().join("");
      assert.is(sorted(text.replace('"col":1', '"col":0')), sorted(before));
      assert.equal(JSON.parse(text.replace('"col":1', '"col":0')), JSON.parse(before));
      await page.close();
    },
  );

  test.deep(
    "readers see the totals, pinned column and bars that an editor adds to a table",
    async () => {
      const title = itemAt(0, "Sums");
      const [region, measure] = (title["slots"] as { content: Json[] }[]).map(
        ({ content }) => content[0]!,
      );
      const table = {
        ...title,
        type: "regular-table",
        options: { title: { en: "Sums" }, cells: { kept: 1 } },
        slots: [{ name: "columns", content: [region, measure] }],
      };
      const id = await make([table], "Totals");
      const page = await opened.openPage(`/dashboards/${id}?edit=1`);
      await page.locator(".board-item").first().focus();
      const panel = page.locator(".item-panel");
      await panel.getByLabel("Totals above the rows").check();
      await panel.getByLabel("Keep the first column in view").check();
      await panel.getByLabel("Bars in number cells").check();
      await page.locator(".board-item .mf-totals").waitFor();
      assert.match(
        (await page.locator(".board-item .mf-totals").textContent()) ?? "",
        /Total.*960/,
      );
      await page.locator(".board-item .mf-bar").first().waitFor();
      assert.equal(await findBarriers(page), []);
      await panel.getByLabel("Keep the first column in view").uncheck();
      await saved(page);
      const [item] = (await stored(id, /kept is unknown/)).views[0]?.items ?? [];
      assert.equal(item?.["options"], {
        title: { en: "Sums" },
        cells: { kept: 1, bars: true },
        totals: true,
        pinnedColumns: 0,
      });
      await page.getByRole("button", { name: "Finish editing" }).click();
      await page.locator("console-live-dashboard .mf-totals").waitFor();
      await page.close();
    },
  );

  test.deep(
    "an editor can set rules for cell colours with the keyboard and at 360 px, and readers see the colours",
    async () => {
      const title = itemAt(0, "Rules");
      const [region, measure] = (title["slots"] as { content: Json[] }[]).map(
        ({ content }) => content[0]!,
      );
      const table = {
        ...title,
        type: "regular-table",
        options: { title: { en: "Rules" } },
        slots: [{ name: "columns", content: [region, { ...measure, id: "sum" }] }],
      };
      const id = await make([table], "Rules");
      const page = await opened.openPage(`/dashboards/${id}?edit=1`, { size: "phone" });
      await page.locator(".board-item").first().focus();
      const panel = page.locator(".item-panel");
      const box = panel.getByRole("group", { name: "Cell colours" });
      const looks = box.getByRole("combobox");
      await looks.nth(1).selectOption({ label: "Conditional background" });
      await page.locator('.board-item [data-tone="background"]').first().waitFor();
      const value = box.getByLabel("Value of rule 1");
      await value.focus();
      await page.keyboard.press("Control+a");
      await page.keyboard.type("1e9");
      await page.keyboard.press("Tab");
      await page.locator('.board-item [data-tone="background"]').waitFor({ state: "detached" });
      await box.getByRole("button", { name: /^Add rule/ }).focus();
      await page.keyboard.press("Enter");
      await box.getByLabel("Comparison of rule 2").selectOption({ label: "Below all other rules" });
      await box.getByLabel("Colour of rule 2").fill("#cfe8d8");
      await page.locator('.board-item [data-tone="background"]').first().waitFor();
      await looks.first().selectOption({ label: "Badge by value" });
      await page.locator('.board-item [data-tone="badge"]').first().waitFor();
      assert.equal(await findBarriers(page), []);
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.is(await overflow(), 0);
      await saved(page);
      // On a phone, the editor changes the layout for phones.
      const { views } = await stored(id);
      const [item] = views.find(({ screenModus }) => screenModus === "mobile")?.items ?? [];
      const options = item?.["options"] as Json | undefined;
      assert.equal(options?.["columns"], [
        {
          slotContentId: "sum",
          mode: "conditionalBackground",
          conditional: [
            { val: 1e9, color: "#f6d58a" },
            { val: 1_000_000_001, color: "#cfe8d8", isNegativeInfinityRange: true },
          ],
        },
        { slotContentId: region!["columnId"], mode: "categoryBadge" },
      ]);
      await page.getByRole("button", { name: "Finish editing" }).click();
      await page.locator('console-live-dashboard [data-tone="background"]').first().waitFor();
      await page.close();
    },
  );

  test.deep(
    "no page of dashboards violates the security policy, reports an error or opens a dialog",
    () => {
      assert.equal(opened.reports, []);
    },
  );
});
