import * as assert from "uvu/assert";
import type { Browser, Page } from "playwright-core";
import { openBrowser } from "../../../support/openBrowser.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, type Dataset, type People, type Person } from "../../openPeople.ts";
import { openConsolePage } from "./openConsolePage.ts";

type Json = Readonly<Record<string, unknown>>;
type Made = Json & { readonly id: string };

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

suite("core/web/console: names instead of ids", (test) => {
  let people: People;
  let browser: Browser;
  let reader: Person;
  let dataset: Dataset;
  let live: Dataset;
  const made: Record<string, string> = {};

  test.before(async () => {
    people = await openPeople();
    const { owner } = people;
    reader = await people.add("Rita");
    dataset = await people.push();
    live = await people.connect();
    await owner.update("securable", dataset.id, { name: { en: "Trips" } });
    const content = [{ datasetId: dataset.id, columnId: dataset.columns["km"], type: "numeric" }];
    const board = await owner.create<Made>("securable", {
      type: "dashboard",
      name: { en: "Kilometres" },
      contents: {
        views: [
          {
            screenModus: "desktop",
            items: [
              {
                id: crypto.randomUUID(),
                type: "evolution-number",
                position: { col: 0, row: 0, sizeX: 24, sizeY: 16 },
                slots: [{ name: "measure", content }],
              },
            ],
          },
        ],
      },
    });
    const group = await owner.create<Made>("group", { name: "Analysts" });
    await owner.associate(
      "group",
      group.id,
      { role: "Users", id: reader.id },
      { flagMember: true },
    );
    const shared: Json = { flagRead: true, flagUse: true };
    const filters = [
      {
        securable_id: dataset.id,
        column_id: dataset.columns["region"],
        expression: "? in ?",
        value: ["north"],
      },
    ];
    await owner.associate("securable", board.id, { role: "Users", id: reader.id }, shared);
    const target = { role: "Groups", id: group.id };
    await owner.associate("securable", dataset.id, target, { ...shared, filters } as Json);
    const integration = await owner.create<Made>("integration", { name: { en: "Portal" } });
    const alert = await owner.create<Made>("alert", {
      name: { en: "Many kilometres" },
      query: {
        measures: [
          {
            dataset_id: dataset.id,
            column_id: dataset.columns["km"],
            aggregation: { type: "sum" },
          },
        ],
      },
      frequency: "day",
    });
    await owner.create("channel", {
      name: { en: "Desk" },
      type: "email",
      config: { recipients: [{ email: "desk@example.org" }] },
    });
    const token = await people.mint({
      username: "reader-1",
      access: { dashboards: [{ id: board.id, rights: "read" }], datasets: [] },
    });
    const account = (await owner.get("account", { limit: 1 })).rows[0];
    Object.assign(made, {
      board: board.id,
      group: group.id,
      integration: integration.id,
      alert: alert.id,
      token: token.pair.key,
      account: String(account?.["id"]),
    });
    browser = await openBrowser();
  });
  test.after(async () => {
    await browser?.close();
    await people?.close();
  });

  /** Returns the ids on a page, with the text around each, and those in the names of its controls. */
  const idsOn = async (page: Page, path: string): Promise<readonly string[]> => {
    await page.goto(people.host.url + path);
    await page.waitForLoadState("networkidle");
    const texts = await page.evaluate(() => {
      const visible = [...document.querySelectorAll<HTMLElement>("body *")].filter((each) =>
        each.checkVisibility(),
      );
      const named = visible.flatMap((each) => [
        each.getAttribute("aria-label") ?? "",
        each.title,
        each instanceof HTMLInputElement && each.type !== "radio" ? each.value : "",
      ]);
      return [...document.body.innerText.split("\n"), ...named];
    });
    return [...new Set(texts.filter((text) => uuid.test(text)))].map((text) => `${path}: ${text}`);
  };

  const pathsOf = () => [
    "/",
    "/explore",
    `/explore/${dataset.id}`,
    "/dashboards",
    `/dashboards/${made["board"]}`,
    "/data",
    `/data/${dataset.id}`,
    `/data/${dataset.id}/rows`,
    `/data/${dataset.id}/links`,
    `/data/${dataset.id}/formulas`,
    `/data/${dataset.id}/hierarchies/${dataset.columns["region"]}`,
    "/alerts",
    "/alerts?tab=channels",
    "/plugins",
    "/account",
    "/access",
    "/access/groups",
    `/access/groups/${made["group"]}`,
    "/access/tokens",
  ];
  const ownerPathsOf = () => [
    `/dashboards/${made["board"]}?edit=1`,
    `/data/${live.id}`,
    `/data/${live.id}/source`,
    "/data/connections",
    `/data/connections/${made["account"]}`,
    `/alerts/${made["alert"]}`,
    `/alerts/${made["alert"]}/edit`,
    `/alerts/new?dataset=${dataset.id}`,
    "/access/people",
    "/access/people?kind=all",
    `/access/people/${reader.id}`,
    "/access/suborganizations",
    "/access/integrations",
    `/access/integrations/${made["integration"]}`,
    "/access/signon",
    "/access/charts",
    `/access/tokens/${made["token"]}`,
    "/access/audit",
    "/access/usage",
  ];

  for (const role of ["owner", "reader"] as const)
    test.deep(`no page shows an id to ${role === "owner" ? "an owner" : "a reader"}`, async () => {
      const { pair } = role === "owner" ? people.owner : reader;
      const { page } = await openConsolePage(browser, { url: people.host.url, pair });
      const found: string[] = [];
      const paths = role === "owner" ? [...pathsOf(), ...ownerPathsOf()] : pathsOf();
      for (const path of paths) found.push(...(await idsOn(page, path)));
      await page.context().close();
      assert.equal(found, []);
    });
});
