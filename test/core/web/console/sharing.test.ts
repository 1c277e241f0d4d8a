import * as assert from "uvu/assert";
import type { Browser, Locator, Page } from "playwright-core";
import { openBrowser } from "../../../support/openBrowser.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, sumOf, type Dataset, type People, type Person } from "../../openPeople.ts";
import { findBarriers } from "./findBarriers.ts";
import { openConsolePage, type OpenConsolePage } from "./openConsolePage.ts";

type Json = Readonly<Record<string, unknown>>;
type Made = Json & { readonly id: string };

suite("core/web/console: sharing dashboards", (test) => {
  let people: People;
  let browser: Browser;
  let opened: OpenConsolePage;
  let dataset: Dataset;
  let board: Made;

  test.before(async () => {
    people = await openPeople();
    dataset = await people.push();
    await people.owner.update("securable", dataset.id, { name: { en: "Trips" } });
    board = await people.owner.create<Made>("securable", {
      type: "dashboard",
      name: { en: "Kilometres" },
      contents: chartOf(dataset),
    });
    browser = await openBrowser();
    opened = await openConsolePage(browser, { url: people.host.url, pair: people.owner.pair });
  });
  test.after(async () => {
    await browser?.close();
    await people?.close();
  });

  const openShare = async (
    page: Page,
    { id }: { readonly id: string } = board,
  ): Promise<Locator> => {
    await page.goto(`${people.host.url}/dashboards/${id}`);
    await page.getByRole("button", { name: "Share", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: /Share/ });
    await dialog.getByRole("heading", { name: "Who has access" }).waitFor();
    return dialog;
  };
  const choosePerson = async (dialog: Locator, name: string) => {
    await dialog.getByRole("searchbox", { name: "Name or e-mail address" }).fill(name);
    await dialog.getByRole("button", { name: new RegExp(`^${name}`) }).click();
  };
  const sumFor = async ({ pair }: Person) => {
    const { body } = await people.call("data", { action: "get", find: sumOf(dataset), ...pair });
    return (body["data"] as unknown[][] | undefined)?.[0]?.[0] ?? body["code"];
  };

  test.deep(
    "a colleague sees a dashboard with her rows after seven clicks in one dialog",
    async () => {
      const ada = await people.add("Ada");
      const { page } = opened;
      await page.goto(`${people.host.url}/dashboards/${board.id}`);
      let clickCount = 0;
      const click = async (target: Locator) => {
        clickCount += 1;
        await target.click();
      };
      await click(page.getByRole("button", { name: "Share", exact: true }));
      const dialog = page.getByRole("dialog", { name: /Share/ });
      await page.keyboard.type("ada@");
      await click(dialog.getByRole("button", { name: /^Ada/ }));
      await dialog.getByText("sees all 6 rows").waitFor();
      await click(dialog.getByRole("radio", { name: "Rows where" }));
      // Opening a list and choosing from it are two clicks.
      clickCount += 2;
      await dialog.getByLabel("Column").selectOption({ label: "region" });
      await click(dialog.getByRole("checkbox", { name: /north/ }));
      await dialog.getByText("sees 3 of 6 rows").waitFor();
      assert.equal(await findBarriers(page), []);
      await click(dialog.getByRole("button", { name: /^Share with/ }));
      await dialog.getByText(/Trips: sees 3 of 6 rows where/).waitFor();
      assert.ok(clickCount <= 7, `it took ${clickCount} clicks`);
      assert.is(await sumFor(ada), 6);
      assert.equal(await findBarriers(page), []);
      const theirs = await openConsolePage(browser, {
        url: people.host.url,
        pair: ada.pair,
        path: `/dashboards/${board.id}`,
      });
      await theirs.page.locator("console-live-dashboard").getByText("6", { exact: true }).waitFor();
    },
  );

  for (const [size, theme] of [
    ["phone", "light"],
    ["phone", "dark"],
    ["wide", "dark"],
  ] as const)
    test.deep(
      `the Share dialog has no barriers and is not wider than the screen (${size} screen, ${theme} mode)`,
      async () => {
        await people.add(`Kim-${size}-${theme}`);
        const { page, reports } = await openConsolePage(
          browser,
          { url: people.host.url, pair: people.owner.pair },
          { size, theme },
        );
        const dialog = await openShare(page);
        const check = async () => {
          assert.equal(await findBarriers(page), []);
          const overflow = await page.evaluate(() => {
            const all = [document.documentElement, ...document.querySelectorAll("dialog[open] *")];
            return all
              .filter(
                ({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth,
              )
              .filter((each) => getComputedStyle(each).overflowX === "visible")
              .filter((each) => getComputedStyle(each).display !== "inline")
              .map(({ outerHTML }) => outerHTML.slice(0, 200));
          });
          assert.equal(overflow, []);
        };
        await dialog.getByRole("button", { name: "Everyone in the organization" }).waitFor();
        await check();
        await dialog.getByRole("button", { name: "Create link" }).waitFor();
        await dialog.getByLabel("Name or e-mail address").fill(`Kim-${size}-${theme}`);
        await dialog.getByRole("button", { name: `Kim-${size}-${theme}` }).click();
        await dialog.getByText("sees all 6 rows", { exact: true }).waitFor();
        await dialog.getByRole("radio", { name: "Rows where" }).click();
        await dialog.getByLabel("Column").selectOption({ label: "region" });
        await dialog.getByRole("checkbox", { name: /north/ }).click();
        await dialog.getByText("sees 3 of 6 rows", { exact: true }).waitFor();
        await check();
        await dialog.getByRole("button", { name: /^Share with/ }).click();
        await dialog
          .getByRole("listitem")
          .filter({ hasText: `Kim-${size}-${theme}` })
          .getByText(/Trips: sees 3 of 6 rows where/)
          .waitFor();
        await check();
        assert.equal(reports, []);
        await page.context().close();
      },
    );

  test.deep("a reader is not offered to share, embed or edit, and never sees a draft", async () => {
    const rita = await people.add("Rita");
    const target = { role: "Users", id: rita.id };
    const shared = { flagRead: true, flagUse: true };
    for (const { id } of [board, dataset])
      await people.owner.associate("securable", id, target, shared);
    const path = `/dashboards/${board.id}`;
    const { page } = await openConsolePage(browser, {
      url: people.host.url,
      pair: rita.pair,
      path,
    });
    const shown = page.locator("console-live-dashboard").getByText("21", { exact: true });
    await shown.waitFor();
    // A draft that a right which has ended left behind.
    const [stored] = (await people.owner.get("securable", { where: { id: board.id } })).rows;
    await page.evaluate(
      ([key, changedAt]) =>
        sessionStorage.setItem(
          String(key),
          JSON.stringify({ changedAt, draft: { name: "Never saved", contents: {} } }),
        ),
      [`dashboard ${board.id} of ${rita.id}`, stored?.["modified_at"]],
    );
    for (const query of ["", "?edit=1"]) {
      await page.goto(`${people.host.url}${path}${query}`);
      await shown.waitFor();
      for (const name of ["Share", "Embed", "Edit", "Save"])
        assert.is(await page.getByRole("button", { name, exact: true }).count(), 0, name);
      assert.not.match(await page.locator("body").innerText(), /Never saved|Unsaved/);
    }
    await page.getByRole("button", { name: "More" }).click();
    assert.equal(await page.getByRole("menuitem").allInnerTexts(), ["Export as PDF"]);
  });

  test.deep(
    "an owner changes what a person sees, looks as the person, and ends the share with its data",
    async () => {
      const ben = await people.add("Ben");
      const target = { role: "Users", id: ben.id };
      await people.owner.associate("securable", board.id, target, {
        flagRead: true,
        flagUse: true,
      });
      const { page } = opened;
      const dialog = await openShare(page);
      await dialog.getByText("Trips: sees no rows").waitFor();
      await dialog.getByRole("button", { name: /Change what .Ben. sees/ }).click();
      await dialog.getByText(/these charts have no data: .Total/).waitFor();
      await dialog.getByRole("radio", { name: "Every row" }).check();
      await dialog.getByLabel("Right").selectOption({ index: 1 });
      await dialog.getByRole("button", { name: "Save changes" }).click();
      await dialog.getByText("Trips: sees all 6 rows").waitFor();
      await dialog.getByText("can change").waitFor();
      assert.is(await sumFor(ben), 21);
      await dialog.getByRole("button", { name: /View as .Ben/ }).click();
      const seen = page.getByRole("dialog", { name: /As .Ben. sees it/ });
      await seen.locator("manifold-dashboard").getByText("21", { exact: true }).waitFor();
      assert.equal(await findBarriers(page), []);
      await seen.getByRole("button", { name: "Close" }).last().click();
      await dialog.getByRole("button", { name: /Remove .Ben/ }).click();
      const asked = page.getByRole("dialog", { name: /Stop sharing with/ });
      assert.equal(await findBarriers(page), []);
      await asked.getByRole("button", { name: "Remove" }).click();
      await dialog.getByRole("button", { name: /Remove .Ben/ }).waitFor({ state: "detached" });
      assert.is(await sumFor(ben), 404);
    },
  );

  test.deep("a group's filter is named where it hides rows from a person", async () => {
    const cleo = await people.add("Cleo");
    const { owner } = people;
    const group = await owner.create<Made>("group", { name: "Southerners" });
    await owner.associate("group", group.id, { role: "Users", id: cleo.id }, { flagMember: true });
    const filter = {
      securable_id: dataset.id,
      column_id: dataset.columns["region"],
      expression: "? in ?",
      value: ["south"],
    };
    const shared: Json = { flagRead: true, flagUse: true, filters: [filter] };
    await owner.associate("securable", dataset.id, { role: "Groups", id: group.id }, shared);
    const { page } = opened;
    const dialog = await openShare(page);
    await dialog.getByRole("searchbox", { name: "Name or e-mail address" }).fill("Cleo");
    await dialog.getByRole("button", { name: /^Cleo/ }).click();
    await dialog.getByText("sees 3 of 6 rows").first().waitFor();
    await dialog.getByText(/Also limited by .Southerners.: .region. is .south/).waitFor();
  });

  test.deep("rows are chosen by numbers, and changed later without loss", async () => {
    const nell = await people.add("Nell");
    const { page } = opened;
    const dialog = await openShare(page);
    await choosePerson(dialog, "Nell");
    await dialog.getByRole("radio", { name: "Rows where" }).click();
    await dialog.getByText("Choose a column, and its values or range.").waitFor();
    await dialog.getByLabel("Column").selectOption({ label: "km" });
    await dialog.getByLabel("Test").selectOption({ label: "is at least" });
    await dialog.getByLabel("Value").fill("4");
    await dialog.getByText("sees 3 of 6 rows", { exact: true }).waitFor();
    assert.equal(await findBarriers(page), []);
    await dialog.getByRole("button", { name: /^Share with/ }).click();
    await dialog.getByText(/Trips: sees 3 of 6 rows where .km. is at least 4/).waitFor();
    assert.is(await sumFor(nell), 15);
    await dialog.getByRole("button", { name: /Change what .Nell. sees/ }).click();
    assert.is(await dialog.getByLabel("Value").inputValue(), "4");
    await dialog.getByLabel("Test").selectOption({ label: "is between" });
    await dialog.getByLabel("At least").fill("2");
    await dialog.getByLabel("At most").fill("5");
    await dialog.getByText("sees 4 of 6 rows", { exact: true }).waitFor();
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await dialog.getByText(/Trips: sees 4 of 6 rows where .km. is between 2 and 5/).waitFor();
    assert.is(await sumFor(nell), 14);
    await page.goto(`${people.host.url}/access/people/${nell.id}`);
    await page.getByText(/4 of 6 rows.*.km. is between 2 and 5/).waitFor();
  });

  test.deep(
    "rows are chosen by dates and by periods up to now, whose days begin at midnight UTC",
    async () => {
      const { owner } = people;
      const daysAgo = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString();
      const pushed = await owner.create<{ rows: { id: string; columns: Json[] }[] }>("data", {
        type: "create",
        data: [
          ["2024-01-31T23:59:59.000Z", 1],
          ["2024-02-01T00:00:00.000Z", 2],
          ["2024-02-29T23:59:59.999Z", 3],
          ["2024-03-01T00:00:00.000Z", 4],
          [daysAgo(3), 5],
        ],
        options: { header: ["when", "km"] },
      });
      const [visits] = pushed.rows;
      const columns = (visits?.columns ?? []).map((each) => String(each["id"]));
      await owner.update("securable", visits!.id, { name: { en: "Visits" } });
      const calendar = await owner.create<Made>("securable", {
        type: "dashboard",
        name: { en: "Calendar" },
        contents: chartOf({ id: visits!.id, columns: { km: columns[1]! } }),
      });
      await people.add("Dora");
      const { page } = opened;
      const dialog = await openShare(page, calendar);
      await choosePerson(dialog, "Dora");
      await dialog.getByRole("radio", { name: "Rows where" }).click();
      await dialog.getByLabel("Column").selectOption({ label: "when" });
      await dialog.getByText("Days begin at midnight UTC, for everyone.").waitFor();
      await dialog.getByLabel("From").fill("02/01/2024");
      await dialog.getByLabel("To", { exact: true }).fill("02/29/2024");
      await dialog.getByLabel("To", { exact: true }).press("Enter");
      await dialog.getByText("sees 2 of 5 rows", { exact: true }).waitFor();
      assert.equal(await findBarriers(page), []);
      await dialog.getByRole("button", { name: /^Share with/ }).click();
      await dialog
        .getByText(/Visits: sees 2 of 5 rows where .when.: Feb 1, 2024 – Feb 29, 2024/)
        .waitFor();
      await dialog.getByRole("button", { name: /Change what .Dora. sees/ }).click();
      await dialog.getByRole("button", { name: "Last 7 days" }).click();
      await dialog.getByText("sees 1 of 5 rows", { exact: true }).waitFor();
      await dialog.getByRole("button", { name: "Save changes" }).click();
      await dialog.getByText(/Visits: sees 1 of 5 rows where .when.: Last 7 days/).waitFor();
    },
  );

  test.deep("filters that the form cannot show are told in words and kept", async () => {
    const kay = await people.add("Kay");
    const filterOn = (column: string, expression: string, value: (string | number)[]) => ({
      securable_id: dataset.id,
      column_id: String(dataset.columns[column]),
      expression,
      value,
    });
    const filters = [filterOn("km", "? in ?", [1, 2, 4]), filterOn("region", "? in ?", ["north"])];
    const target = { role: "Users", id: kay.id };
    const shared: Json = { flagRead: true, flagUse: true };
    await people.owner.associate("securable", dataset.id, target, { ...shared, filters });
    await people.owner.associate("securable", board.id, target, shared);
    const { page } = opened;
    const dialog = await openShare(page);
    await dialog.getByRole("button", { name: /Change what .Kay. sees/ }).click();
    assert.ok(await dialog.getByRole("radio", { name: "Keep the rows as they are" }).isChecked());
    await dialog
      .locator("fieldset")
      .getByText(/sees 2 of 6 rows where .km. is .1. or .2. or .4. and .region. is .north/)
      .waitFor();
    await dialog.getByLabel("Right").selectOption({ index: 1 });
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await dialog
      .getByRole("listitem")
      .filter({ hasText: "Kay" })
      .getByText("can change", { exact: true })
      .waitFor();
    const { rows } = await people.owner.get<{ rows: Json[] }, string>("securable" as string, {
      where: { id: dataset.id },
      include: [{ model: "User", as: "Users", where: { id: kay.id } }],
    });
    const [stored] = rows[0]!["users"] as readonly Json[];
    const { filters: kept } = stored!["userAccessRight"] as Json;
    assert.equal(
      (kept as readonly Json[]).map(({ value }) => value),
      filters.map(({ value }) => value),
    );
  });

  test.deep(
    "a refusal of one dataset shares nothing, and the dialog does not say that it did",
    async () => {
      const { owner } = people;
      const tess = await people.add("Tess");
      const second = await people.push();
      const { views } = chartOf(dataset);
      const [more] = chartOf(second).views[0]!.items;
      const both = await owner.create<Made>("securable", {
        type: "dashboard",
        name: { en: "Both" },
        contents: { views: [{ ...views[0]!, items: [...views[0]!.items, { ...more!, id: "b" }] }] },
      });
      const { page } = opened;
      const dialog = await openShare(page, both);
      await choosePerson(dialog, "Tess");
      await dialog.getByText("sees all 6 rows", { exact: true }).nth(1).waitFor();
      // The second dataset is given away while the dialog is open.
      const uma = await people.add("Uma");
      await owner.associate("securable", second.id, { role: "Owner", id: uma.id });
      await dialog.getByRole("button", { name: /^Share with/ }).click();
      await dialog
        .getByRole("alert")
        .getByText(/Nothing was changed\./)
        .waitFor();
      assert.is(await dialog.getByRole("button", { name: /Change what .Tess. sees/ }).count(), 0);
      assert.is(await page.getByText(/^Shared with/).count(), 0);
      assert.is((await tess.get("securable")).count, 0);
    },
  );

  test.deep("a share whose answer is lost is told as it is, and can be repeated", async () => {
    const vera = await people.add("Vera");
    const { page } = opened;
    const dialog = await openShare(page);
    await choosePerson(dialog, "Vera");
    await dialog.getByText("sees all 6 rows", { exact: true }).waitFor();
    const busy = { status: 503, json: { message: "The host is busy." } };
    let isForwarded = false;
    await page.route("**/0.1.0/user", async (route) => {
      if (route.request().postDataJSON()["action"] !== "associate") return route.continue();
      if (isForwarded) await route.fetch();
      return route.fulfill(busy);
    });
    const share = dialog.getByRole("button", { name: /^Share with/ });
    await share.click();
    const failure = dialog.getByRole("alert");
    await failure.getByText(/The host is busy\..*either all of it, or nothing/).waitFor();
    assert.is((await vera.get("securable")).count, 0);
    const listed = dialog.getByRole("button", { name: /Change what .Vera. sees/ });
    assert.is(await listed.count(), 0);
    isForwarded = true;
    await share.click();
    await listed.waitFor();
    await failure.waitFor();
    assert.is(await page.getByText(/^Shared with .Vera/).count(), 0);
    assert.is((await vera.get("securable")).count, 2);
    await page.unroute("**/0.1.0/user");
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await page.getByText(/^Shared with .Vera/).waitFor();
  });

  test.deep(
    "an owner of a dashboard who does not own the organization views it as the person",
    async () => {
      const edna = await people.add("Edna", {}, { flagEditor: true });
      const gus = await people.add("Gus");
      const own = await people.push(edna);
      const { id } = await edna.create<Made>("securable", {
        type: "dashboard",
        name: { en: "Mine" },
        contents: chartOf(own),
      });
      const target = { role: "Users", id: gus.id };
      const shared = { flagRead: true, flagUse: true };
      await edna.associate("securable", id, target, shared);
      const filter = {
        securable_id: own.id,
        column_id: String(own.columns["region"]),
        expression: "? in ?",
        value: ["south"],
      };
      await edna.associate("securable", own.id, target, { ...shared, filters: [filter] });
      const url = people.host.url;
      const { page } = await openConsolePage(browser, { url, pair: edna.pair });
      const dialog = await openShare(page, { id });
      await dialog.getByRole("button", { name: /View as .Gus/ }).click();
      const seen = page.getByRole("dialog", { name: /As .Gus. sees it/ });
      await seen.locator("manifold-dashboard").getByText("15", { exact: true }).waitFor();
      assert.equal(await findBarriers(page), []);
    },
  );

  test.deep(
    "a person who is not here yet is invited and gets the dashboard in one dialog",
    async () => {
      const { page } = opened;
      const dialog = await openShare(page);
      await dialog
        .getByRole("searchbox", { name: "Name or e-mail address" })
        .fill("fay@example.org");
      await dialog.getByText("Nobody matches").waitFor();
      await dialog.getByRole("button", { name: "Invite a person who is not here yet" }).click();
      const form = page.getByRole("dialog", { name: "Invite a person" });
      assert.is(await form.getByLabel("E-mail address").inputValue(), "fay@example.org");
      await form.getByLabel("Name").fill("Fay");
      await form.getByRole("button", { name: "Invite", exact: true }).click();
      await page
        .getByRole("dialog", { name: /Link for/ })
        .getByRole("button", { name: "Done" })
        .click();
      await dialog.getByRole("button", { name: /^Share with .Fay/ }).click();
      await dialog.getByRole("button", { name: /Change what .Fay. sees/ }).waitFor();
      const [fay] = (await people.owner.get("user", { where: { email: "fay@example.org" } })).rows;
      const { rows } = await people.owner.get("securable", {
        include: [{ model: "User", where: { id: fay?.["id"] }, jointype: "inner" }],
      });
      assert.equal(rows.map(({ id }) => id).toSorted(), [board.id, dataset.id].toSorted());
    },
  );
});

/** Returns contents with one number of the dataset. */
function chartOf({ id, columns }: Dataset) {
  const content = [{ datasetId: id, columnId: columns["km"], type: "numeric" }];
  return {
    views: [
      {
        screenModus: "desktop",
        items: [
          {
            id: "km",
            type: "evolution-number",
            options: { title: { en: "Total" } },
            position: { col: 0, row: 0, sizeX: 24, sizeY: 16 },
            slots: [{ name: "measure", content }],
          },
        ],
      },
    ],
  };
}
