import * as assert from "uvu/assert";
import type { Browser, Response } from "playwright-core";
import { openBrowser } from "../../../support/openBrowser.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, type Dataset, type People, type Person } from "../../openPeople.ts";
import { openConsolePage, type OpenConsolePage } from "./openConsolePage.ts";

interface Made {
  readonly id: string;
}

/** Strings that occur only in records and rows that are hidden from the member. */
const unseen = [
  "payroll-unseen",
  "plugin-unseen",
  "group-unseen",
  "board-unseen",
  "colleague-unseen",
  "part-unseen",
  "provider-unseen",
  "integration-unseen",
  "alert-unseen",
  "channel-unseen",
  "label-unseen",
  "level-unseen",
  "south",
];

suite("core/web/console as a member who sees one dataset under a filter", (test) => {
  let people: People;
  let browser: Browser;
  let opened: OpenConsolePage;
  let seen: Dataset;
  let hidden: Dataset;
  let member: Person;
  let boardId: string;
  let groupId: string;
  let colleague: Person;
  let alertId: string;
  const answers: { readonly address: string; readonly text: string }[] = [];
  const reading: Promise<unknown>[] = [];

  const record = async (response: Response): Promise<void> => {
    const address = response.url();
    if (!/\/(0\.1\.0|auth)\//.test(address)) return;
    const sent = response.request().postData() ?? "";
    // Error messages repeat the member's own input.
    if (unseen.some((word) => sent.includes(word))) return;
    const text = await response.text().catch((failure: unknown) => {
      // The page was left before its response was read, so it shows nothing from that response.
      if (String(failure).includes("navigated away from")) return undefined;
      throw failure;
    });
    if (text !== undefined) answers.push({ address: `${address} ${sent.slice(0, 200)}`, text });
  };

  test.before(async () => {
    people = await openPeople();
    const { owner } = people;
    seen = await people.push();
    hidden = await people.push();
    await owner.update("securable", seen.id, { name: { en: "Trips" } });
    await owner.update("securable", hidden.id, { name: { en: "payroll-unseen" } });
    member = await people.add("member");
    colleague = await people.add("colleague-unseen", { suborganization: "part-unseen" });
    const filter = {
      securable_id: seen.id,
      column_id: seen.columns["region"],
      expression: "? = ?",
      value: "north",
    };
    const rights = { flagRead: true, flagUse: true, filters: [filter] };
    await owner.associate<object>("securable", seen.id, { role: "Users", id: member.id }, rights);
    await owner.create("ssoconfig", {
      name: "provider-unseen",
      type: "openid",
      config: { issuer: "https://login.example.com", client_id: "x" },
    });
    await owner.create("integration", { name: "integration-unseen" });
    const group = await owner.create<Made>("group", { name: "group-unseen" });
    groupId = group.id;
    await owner.create("plugin", {
      slug: "plugin-unseen",
      name: { en: "plugin-unseen" },
      base_url: people.host.url,
      authorize: "none",
    });
    const board = await owner.create<Made>("securable", {
      type: "dashboard",
      name: { en: "board-unseen" },
    });
    boardId = board.id;
    const unseenColumn = { dataset_id: hidden.id, column_id: hidden.columns["km"] };
    const sum = { ...unseenColumn, aggregation: { type: "sum" } };
    const alert = await owner.create<Made>("alert", {
      name: { en: "alert-unseen" },
      frequency: "daily",
      query: { measures: [sum], having: [{ expression: "? > ?", parameters: [sum, 1] }] },
    });
    alertId = alert.id;
    await owner.create("channel", {
      name: { en: "channel-unseen" },
      type: "webhook",
      config: { url: "https://hooks.example.com/x" },
    });
    await owner.update("hierarchy", String(seen.columns["region"]), {
      updates: [
        { id: "north", name: { en: "Nord" } },
        { id: "south", name: { en: "label-unseen" } },
      ],
    });
    const level = await owner.create<Made>("hierarchylevel", { name: { en: "level-unseen" } });
    await owner.associate("column", String(hidden.columns["region"]), {
      role: "HierarchyLevels",
      id: level.id,
    });
    browser = await openBrowser();
    opened = await openConsolePage(browser, { url: people.host.url, pair: member.pair });
    // The responses of a page cannot be read after the page is left.
    await opened.page.waitForLoadState("networkidle");
    opened.page.on("response", (response) => reading.push(record(response)));
  });
  test.after(async () => {
    await browser?.close();
    await people?.close();
  });

  const visit = async (path: string): Promise<string> => {
    const { page } = opened;
    await page.goto(`${people.host.url}${path}`, { waitUntil: "networkidle" });
    await page.locator(".skeleton").first().waitFor({ state: "detached" });
    return page.locator("body").innerText();
  };

  test.deep(
    "no page and no response contains names or rows hidden from a restricted member",
    async () => {
      const shown: string[] = [];
      for (const path of [
        "/",
        "/data",
        "/data/connections",
        "/data/connect",
        "/data/upload",
        `/data/${seen.id}/upload`,
        `/data/${hidden.id}/upload`,
        `/data/${seen.id}`,
        `/data/${seen.id}/hierarchies`,
        `/data/${seen.id}/hierarchies/${seen.columns["region"]}`,
        `/data/${seen.id}/hierarchies/${seen.columns["region"]}?values=labelled`,
        `/data/${seen.id}/formulas`,
        `/data/${seen.id}/links`,
        `/data/${seen.id}/rows`,
        `/data/${seen.id}/source`,
        `/data/${hidden.id}`,
        `/data/${hidden.id}/hierarchies/${hidden.columns["region"]}`,
        `/data/${hidden.id}/rows`,
        `/data/${hidden.id}/source`,
        `/explore/${seen.id}`,
        `/explore/${hidden.id}`,
        "/dashboards",
        `/dashboards/${boardId}`,
        "/alerts",
        "/alerts?tab=channels",
        `/alerts/${alertId}`,
        `/alerts/${alertId}/edit`,
        `/alerts/new?dataset=${hidden.id}`,
        "/account",
        "/plugins",
        "/access/people",
        `/access/people/${colleague.id}`,
        "/access/people?kind=all&suborganization=part",
        "/access/groups",
        `/access/groups/${groupId}`,
        "/access/suborganizations",
        "/access/signon",
        `/access/audit?record=${colleague.id}`,
        "/access/integrations",
        "/access/tokens",
        "/access/audit",
      ])
        shown.push(`${path}\n${await visit(path)}`);
      await Promise.all(reading);
      assert.ok(answers.length > 40, `${answers.length} responses were read`);
      assert.ok(
        shown.some((text) => text.includes("Trips") && text.includes("north")),
        "the member sees their own rows",
      );
      for (const word of unseen) {
        const leak = answers.find(({ text }) => text.includes(word));
        assert.is(leak?.address, undefined, `${word} is in a response`);
        assert.is(
          shown.find((text) => text.includes(word)),
          undefined,
          `${word} is on a page`,
        );
      }
    },
  );

  test.deep(
    "column profiles, labelled values, filter suggestions and the palette show only what the member may see",
    async () => {
      const { page } = opened;
      await visit(`/data/${seen.id}`);
      await page.getByRole("gridcell", { name: "region" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("Most frequent values").waitFor();
      const text = await dialog.innerText();
      assert.ok(text.includes("north") && !text.includes("south"), text);
      await page.keyboard.press("Escape");
      await visit(`/data/${seen.id}/hierarchies/${seen.columns["region"]}`);
      const values = await page.getByRole("grid", { name: "Values" }).innerText();
      assert.ok(values.includes("Nord") && !values.includes("south"), values);
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.type("unseen");
      await page.waitForLoadState("networkidle");
      const found = await page.getByRole("dialog").innerText();
      assert.not.match(found, "payroll-unseen");
      assert.not.match(found, "board-unseen");
      await page.keyboard.press("Escape");
      const question = { rows: [{ id: seen.columns["region"] }] };
      await visit(`/explore/${seen.id}?q=${encodeURIComponent(JSON.stringify(question))}`);
      const region = page.getByRole("button", { name: "region", exact: true });
      await region.first().click({ button: "right" });
      await page.getByRole("menuitem", { name: "Filters" }).click();
      await dialog.getByRole("group", { name: "Values" }).waitFor();
      await dialog.getByRole("checkbox", { name: /north/ }).waitFor();
      const suggested = await dialog.innerText();
      assert.not(suggested.includes("south"), suggested);
    },
  );
});
