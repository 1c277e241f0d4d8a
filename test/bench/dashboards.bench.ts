/**
 * How long does a user on another site wait for a dashboard of 12 items over three million flights, and do brushing and
 * scrolling stay smooth? The bench uses a real Chromium without a graphics card, a warm host and an empty browser
 * cache. The figures are wrong when another process runs, because browser and host share two cores.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { columnsOf } from "../../examples/support/columnsOf.ts";
import { openPages } from "../core/web/console/openPages.ts";
import { startHostProcess } from "../support/hostProcess.ts";
import { openBrowser } from "../support/openBrowser.ts";
import { atLeast, atMost, reportBars } from "./bars.ts";
import { flightsDashboard } from "./dashboards/flightsDashboard.ts";
import { fillFlights } from "./fillFlights.ts";
import { shownSpread, spreadOf } from "./spread.ts";

const print = (line: string) => process.stdout.write(`${line}\n`);
const row = (name: string, figures: string) => print(`  ${name.padEnd(52)} ${figures}`);
const rounds = 7;
const size = { width: 1_440, height: 1_000 };

/** A theme that uses every style that a table supports. */
const tableLook = {
  totals: true,
  pinnedColumns: 1,
  columns: [
    { slotContentId: "column 3", mode: "bar" },
    {
      slotContentId: "column 5",
      mode: "conditionalBackground",
      conditional: [
        { isNegativeInfinityRange: true, color: "#cfe8d8" },
        { val: 100_000, color: "#f6d98a" },
      ],
    },
  ],
};

/** Runs in the page. Returns the milliseconds from navigation until the first item and until all items are drawn. */
async function untilDrawn(itemCount: number): Promise<{ first: number; all: number }> {
  const { loads } = window as unknown as { readonly loads: readonly number[] };
  while (loads.length < itemCount) await new Promise((resolve) => requestAnimationFrame(resolve));
  return { first: loads[0]!, all: loads[itemCount - 1]! };
}

/** Runs in the page. Drags over a chart for 120 frames. Returns the milliseconds of each frame. */
async function brush(itemId: string): Promise<number[]> {
  const root = document.querySelector("manifold-dashboard")!.shadowRoot!;
  const plot = root.querySelector(`[data-item="${itemId}"] .mf-plot`)!;
  const { left, top, width, height } = plot.getBoundingClientRect();
  const send = (type: string, share: number) =>
    plot.dispatchEvent(
      new PointerEvent(type, {
        bubbles: true,
        composed: true,
        pointerId: 1,
        pointerType: "mouse",
        button: 0,
        clientX: left + width * share,
        clientY: top + height / 2,
      }),
    );
  // The browser does not let a script capture its simulated pointer.
  plot.setPointerCapture = () => undefined;
  send("pointerenter", 0.2);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  send("pointerdown", 0.2);
  const frames: number[] = [];
  let before = performance.now();
  for (let frame = 0; frame < 120; frame++) {
    send("pointermove", 0.3 + 0.6 * Math.abs(Math.sin(frame / 20)));
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const now = performance.now();
    frames.push(now - before);
    before = now;
  }
  send("pointerup", 0.5);
  return frames;
}

/** Runs in the page. Scrolls a table of a million cells for 120 frames. Returns the milliseconds of each frame. */
async function scroll(options: Readonly<Record<string, unknown>>): Promise<number[]> {
  const script = `${location.origin}/embed.js`;
  const embed = (await import(script)) as typeof import("../../core/web/embed/index.ts");
  const container = document.createElement("div");
  container.style.setProperty("height", "800px");
  document.querySelector("main")!.replaceChildren(container);
  const names = Array.from({ length: 10 }, (_, index) => `column ${index}`);
  const item = embed.readItem({
    id: "table",
    type: "regular-table",
    options,
    slots: [
      {
        name: "columns",
        content: names.map((name) => ({ type: "numeric", columnId: name, label: { en: name } })),
      },
    ],
  });
  const rows = Array.from({ length: 100_000 }, (_, at) =>
    names.map((_, index) => at * (index + 1)),
  );
  const view = embed.createItemView(container);
  const theme = embed.lightTheme;
  const [, totals = []] = rows;
  const state = {
    kind: "answer",
    rows,
    fields: item.fields,
    ...(options["totals"] === true && { totals }),
  } as const;
  view.show({
    item,
    state,
    theme,
    colors: embed.createColors(theme),
    localeId: "en",
    timezoneId: "UTC",
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const grid = container.querySelector(".mf-grid")!;
  const frames: number[] = [];
  let before = performance.now();
  for (let frame = 0; frame < 120; frame++) {
    grid.scrollTop += frame % 3 === 0 ? 20_000 : 300;
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const now = performance.now();
    frames.push(now - before);
    before = now;
  }
  return frames;
}

const dataDir = mkdtempSync(join(tmpdir(), "manifold-bench-"));
const host = await startHostProcess(dataDir, {});
let browser: Browser | undefined;
try {
  const { client, url } = host;
  const { datasetId, filledCount } = await fillFlights(client, 3_000_000);
  const columns = await columnsOf(client, datasetId);
  const items = flightsDashboard(datasetId, columns);
  const { id: dashboardId } = await client.create<{ id: string }>("securable", {
    type: "dashboard",
    name: { en: "Flights" },
    contents: { version: "0.1.99", views: [{ screenModus: "desktop", items }] },
  });
  const token = await client.create<{ id: string; token: string }>("authorization", {
    type: "embed",
    username: "reader",
    access: {
      dashboards: [{ id: dashboardId, rights: "read" }],
      datasets: [{ id: datasetId, rights: "use" }],
    },
  });
  const start = `
    import "/embed.js";
    window.loads = [];
    const made = document.createElement("manifold-dashboard");
    made.addEventListener("load", () => window.loads.push(performance.now()));
    const attributes = ${JSON.stringify({ dashboard: dashboardId, host: url, "auth-key": token.id, "auth-token": token.token, locale: "en", timezone: "UTC" })};
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    document.querySelector("main").append(made);
  `;
  const pages = await openPages({ connectTo: url, start });
  browser = await openBrowser();
  print(
    `${filledCount} flights, ${items.length} items; milliseconds      median       min       max`,
  );
  const firsts: number[] = [];
  const alls: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const context = await browser.newContext({ viewport: size });
    const page = await pages.openIn(context);
    const { first, all } = await page.evaluate(untilDrawn, items.length);
    // The first round warms up the host.
    if (round > 0) {
      firsts.push(first);
      alls.push(all);
    }
    await context.close();
  }
  row("first chart after navigation", shownSpread(spreadOf(firsts)));
  row("all 12 items after navigation", shownSpread(spreadOf(alls)));
  const page = await pages.openIn(await browser.newContext({ viewport: size }));
  await page.evaluate(untilDrawn, items.length);
  const brushed = await page.evaluate(brush, "by month");
  const perSecond = (1_000 * brushed.length) / brushed.reduce((sum, ms) => sum + ms, 0);
  row("frames while brushing", shownSpread(spreadOf(brushed)));
  const scrolled = await page.evaluate(scroll, {});
  row("frames of a table of 1,000,000 cells", shownSpread(spreadOf(scrolled)));
  const looked = await page.evaluate(scroll, tableLook);
  row("  with totals, colors and a pinned column", shownSpread(spreadOf(looked)));
  reportBars([
    atMost("first chart after navigation", spreadOf(firsts).median, 300, "ms"),
    atMost("all 12 items after navigation", spreadOf(alls).median, 900, "ms"),
    atLeast("frames per second while brushing", perSecond, 50, "fps"),
    atMost("longest frame of a scrolled table", Math.max(...scrolled), 50, "ms"),
    atMost("the same with totals, colors and a pinned column", Math.max(...looked), 50, "ms"),
  ]);
  await pages.close();
} finally {
  await browser?.close();
  await host.end("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
}
