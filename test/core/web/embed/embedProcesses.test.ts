import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import * as assert from "uvu/assert";
import type { ManifoldDashboard } from "../../../../core/web/embed/index.ts";
import type { Client } from "../../../../core/web/client/index.ts";
import { fillDataFolder } from "../../../support/fillDataFolder.ts";
import { openFaultyPlugin, type FaultyPlugin } from "../../../support/faultyPlugin.ts";
import {
  ownerKey,
  ownerToken,
  startHostProcess,
  type HostProcess,
} from "../../../support/hostProcess.ts";
import { openBrowser } from "../../../support/openBrowser.ts";
import { suite } from "../../../support/suite.ts";
import { fieldOf, itemOf } from "./openDashboardHost.ts";
import { openPages, type Pages } from "../console/openPages.ts";

interface Dataset {
  readonly id: string;
  readonly columns: Readonly<Record<string, string>>;
}

type Embedded = {
  readonly embedded: ManifoldDashboard;
  readonly loads: readonly string[];
  readonly failures: readonly string[];
};

type Json = Readonly<Record<string, unknown>>;

/** Adds a dashboard to the page, and records its events. */
async function begin(attributes: Readonly<Record<string, string>>): Promise<void> {
  const script = `${location.origin}/embed.js`;
  await import(script);
  const made = document.createElement("manifold-dashboard");
  const [loads, failures]: [string[], string[]] = [[], []];
  const idOf = (event: Event) =>
    (event as unknown as CustomEvent<{ itemId?: string }>).detail.itemId ?? "dashboard";
  made.addEventListener("load", (event) => loads.push(idOf(event)));
  made.addEventListener("error", (event) => failures.push(idOf(event)));
  Object.assign(window, { embedded: made, loads, failures });
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  document.querySelector("main")!.replaceChildren(made);
}

const until = (page: Page, itemId: string, among: "loads" | "failures" = "loads") =>
  page.waitForFunction(
    ([id, list]) => (window as unknown as Embedded)[list as "loads"].includes(id!),
    [itemId, among],
  );

const rowsOf = (page: Page, itemId: string) =>
  page.evaluate(
    async (id) => (await (window as unknown as Embedded).embedded.getData(id)).rows,
    itemId,
  );

const size = 10 * 2 ** 20;
const bars = (dataset: Dataset, id: string, col: number) =>
  itemOf(
    id,
    "bar-chart",
    {
      "y-axis": [fieldOf(dataset, "region", { type: "hierarchy" })],
      measure: [fieldOf(dataset, "km", { type: "numeric", aggregationFunc: "sum" })],
    },
    [col, 0, 16, 18],
  );

suite("core/web/embed with hosts and plugins in other processes", (test) => {
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-embed-"));
  let plugin: FaultyPlugin;
  let host: HostProcess;
  let pages: Pages;
  let browser: Browser;
  let pushed: Dataset;
  let live: Dataset;
  test.before(async () => {
    await fillDataFolder(dataDir);
    plugin = await openFaultyPlugin({
      capabilities: {},
      datasets: [
        {
          id: "trips",
          name: { en: "Trips" },
          columns: [
            { id: "region", name: { en: "region" }, type: "hierarchy" },
            { id: "km", name: { en: "km" }, type: "numeric" },
          ],
        },
      ],
      answer: () => [
        ["north", 1],
        ["south", 2],
      ],
    });
    host = await start();
    pushed = await push(host.client, [
      ["north", 1],
      ["south", 2],
    ]);
    live = await connect(host.client);
    pages = await openPages({ connectTo: host.url });
    browser = await openBrowser();
  });
  test.after(async () => {
    await browser?.close();
    await pages?.close();
    await host?.end("SIGTERM");
    await plugin?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const start = (port = "0") =>
    startHostProcess(dataDir, {
      MANIFOLD_PORT: port,
      MANIFOLD_EGRESS_ALLOW: "127.0.0.1",
      MANIFOLD_WORKERS: "1",
      MANIFOLD_CACHE_MB: "0",
    });

  async function push(client: Client, data: readonly (readonly unknown[])[]): Promise<Dataset> {
    const { rows } = await client.create<{ rows: { id: string; columns: Json[] }[] }>("data", {
      type: "create",
      data,
      options: { header: ["region", "km"] },
    });
    return datasetOf(rows[0]!.id, rows[0]!.columns);
  }
  async function connect(client: Client): Promise<Dataset> {
    await client.create("plugin", {
      slug: "trips",
      name: { en: "Trips" },
      base_url: plugin.url,
      protocol_version: "2.0.0",
      authorize: "none",
    });
    const account = await client.create<{ id: string }>("account", {
      provider: "trips",
      name: "t",
    });
    const { data } = await client.create<{ data: { id: string }[] }>("dataprovider", {
      provider: "trips",
      account_id: account.id,
      datasets: ["trips"],
    });
    const id = data[0]!.id;
    return datasetOf(id, (await client.get("column", { where: { securable_id: id } })).rows);
  }
  const datasetOf = (id: string, columns: readonly Json[]): Dataset => ({
    id,
    columns: Object.fromEntries(
      columns.map((column) => [String(column["source_name"]), String(column["id"])]),
    ),
  });
  const dashboardOf = async (items: readonly Json[], name = "Trips") => {
    const views = [{ screenModus: "desktop", options: { columns: 48, rowHeight: 16 }, items }];
    const { id } = await host.client.create<{ id: string }>("securable", {
      type: "dashboard",
      name: { en: name },
      contents: { version: "0.1.99", views },
    });
    return id;
  };
  const attributesOf = (dashboard: string) => ({
    dashboard,
    host: host.url,
    "auth-key": ownerKey,
    "auth-token": ownerToken,
    locale: "en",
    timezone: "UTC",
  });
  const ofPolicy = () => pages.reports.filter((report) => report.startsWith("policy:"));

  test.deep("a page's queries are answered after the host restarts on the same port", async () => {
    const page = await pages.open(browser);
    await page.evaluate(begin, attributesOf(await dashboardOf([bars(pushed, "store", 0)])));
    await until(page, "store");
    const before = await rowsOf(page, "store");
    const port = new URL(host.url).port;
    assert.equal(await host.end("SIGTERM"), { status: 0, signal: null });
    const refreshed = page.evaluate(() => (window as unknown as Embedded).embedded.refresh());
    await page.locator('[data-item="store"] [aria-busy="true"]').waitFor();
    host = await start(port);
    await refreshed;
    assert.equal(await rowsOf(page, "store"), before);
    assert.equal(await page.evaluate(() => (window as unknown as Embedded).failures), []);
    assert.equal(ofPolicy(), []);
    await page.close();
  });

  test.deep(
    "a slow or failing plugin affects no items of other plugins, and its own item recovers",
    async () => {
      const page = await pages.open(browser);
      const held: (() => void)[] = [];
      plugin.behave((response, good) => {
        held.push(() =>
          response.setHeader("Content-Type", "application/json").end(JSON.stringify(good)),
        );
      });
      const dashboard = await dashboardOf([bars(pushed, "store", 0), bars(live, "plugin", 16)]);
      await page.evaluate(begin, attributesOf(dashboard));
      await until(page, "store");
      assert.is(await page.locator('[data-item="plugin"] [aria-busy="true"]').count(), 1);
      plugin.behave(undefined);
      for (const release of held) release();
      await until(page, "plugin");
      const good = await rowsOf(page, "plugin");
      assert.is(good.length, 2);
      plugin.behave((response) => response.writeHead(500).end("broken"));
      await page.evaluate(() => (window as unknown as Embedded).embedded.refresh());
      await until(page, "plugin", "failures");
      assert.is((await rowsOf(page, "store")).length, 2);
      plugin.behave(undefined);
      await page.locator('[data-item="plugin"] .mf-state button').click();
      await page.locator('[data-item="plugin"] [data-mark]').first().waitFor();
      assert.equal(await rowsOf(page, "plugin"), good);
      assert.equal(ofPolicy(), []);
      await page.close();
    },
  );

  test.deep("a stopping host answers a call in progress and then exits normally", async () => {
    const { promise: called, resolve } = Promise.withResolvers<() => void>();
    plugin.behave((response, good) =>
      resolve(() =>
        response.setHeader("Content-Type", "application/json").end(JSON.stringify(good)),
      ),
    );
    const [dataset_id, column_id] = [live.id, live.columns["km"]];
    const answer = host.client.get<{ data: unknown }>("data", {
      measures: [{ dataset_id, column_id, aggregation: { type: "sum" } }],
    });
    const release = await called;
    const port = new URL(host.url).port;
    const ended = host.end("SIGTERM");
    // The host refuses new connections before it answers the running call.
    for (let isRefused = false; !isRefused;)
      isRefused = await fetch(`${host.url}/healthz`).then(
        () => false,
        () => true,
      );
    plugin.behave(undefined);
    release();
    assert.equal((await answer).data, [[3]]);
    assert.equal(await ended, { status: 0, signal: null });
    host = await start(port);
  });

  test.deep(
    "strings of 10 MB are refused, and a string of 1 MB is shown shortened while the page keeps working",
    async () => {
      const text = "x".repeat(size);
      const outcome = async (work: Promise<unknown>) =>
        work.then(
          () => "accepted",
          (failure: Error & { status?: number }) => String(failure.status),
        );
      const outcomes = {
        value: await outcome(push(host.client, [[text, 1]])),
        name: await outcome(dashboardOf([], text)),
        title: await outcome(
          dashboardOf([itemOf("t", "bar-chart", {}, [0, 0, 16, 18], { title: { en: text } })]),
        ),
        css: await outcome(
          host.client.update("securable", await dashboardOf([]), {
            css: `:root { color: ${text} }`,
          }),
        ),
      };
      for (const [what, status] of Object.entries(outcomes)) assert.match(status, /^4\d\d$/, what);
      const dataset = await push(host.client, [
        ["x".repeat(2 ** 20), 1],
        ["north", 2],
      ]);
      const page = await pages.open(browser);
      await page.evaluate(begin, attributesOf(await dashboardOf([bars(dataset, "long", 0)])));
      await until(page, "long");
      const shown = await page.evaluate(
        () =>
          (window as unknown as Embedded).embedded.shadowRoot!.querySelector(".mf-plot")!
            .textContent.length,
      );
      assert.ok(shown < 10_000, `${shown} characters`);
      await page.locator('[data-item="long"] [data-mark]').first().click();
      await page.locator(".mf-chip").waitFor();
      assert.equal(ofPolicy(), []);
      await page.close();
    },
  );
});
