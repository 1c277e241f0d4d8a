/**
 * How soon does the console show its first screen, how soon does a query over three million flights show its chart, and
 * how soon are 10,000 datasets listed and searched? The bench uses a real Chromium without a graphics card, a warm
 * host, and the browser cache of a returning user. The figures are wrong when another process runs, because browser and
 * host share two cores. Options: `--rows` (number of flights, 3m), and `--only console:datasets` for one part:
 * `screen`, `question` or `datasets`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import type { Browser, Response } from "playwright-core";
import { columnsOf } from "../../examples/support/columnsOf.ts";
import { beginSession } from "../core/web/console/beginSession.ts";
import { ownerKey, ownerToken, startHostProcess } from "../support/hostProcess.ts";
import { openBrowser } from "../support/openBrowser.ts";
import { atMost, reportBars, type Bar } from "./bars.ts";
import { fillFlights } from "./fillFlights.ts";
import { shownSpread, spreadOf, type Spread } from "./spread.ts";

const print = (line: string) => process.stdout.write(`${line}\n`);
const { values } = parseArgs({
  options: { rows: { type: "string", default: "3m" }, only: { type: "string" } },
  strict: false,
});
const [, digits, unit] = /^(\d+)([km])$/.exec(String(values.rows)) ?? [];
if (!digits || !unit)
  throw new Error(`--rows must be a number such as 300k or 3m, not ${values.rows}`);
const flightCount = Number(digits) * (unit === "k" ? 1_000 : 1_000_000);
const [, part] = String(values.only ?? "").split(":");
const isWanted = (name: string) => part === undefined || part === name;

const rounds = 9;
const datasetCount = 10_000;
const size = { width: 1_440, height: 900 };

interface Moment {
  /** Code that the bench runs in the page when the measured time starts. */
  readonly act: string;
  /** An expression that becomes true in the page when the user sees the result. */
  readonly seen: string;
}

/** Runs in the page. Returns the milliseconds from an action to the next frame that shows its result. */
async function until({ act, seen }: Moment): Promise<number> {
  const isSeen = Function(`return ${seen}`) as () => boolean;
  const begunAt = performance.now();
  (Function(act) as () => void)();
  while (!isSeen()) {
    if (performance.now() - begunAt > 20_000) throw new Error(`this never became true: ${seen}`);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  return performance.now() - begunAt;
}

/** Runs in the page. Returns the milliseconds from the start of the navigation until an element is visible. */
async function sinceNavigation(seen: string): Promise<number> {
  const isSeen = Function(`return ${seen}`) as () => boolean;
  while (!isSeen()) await new Promise((resolve) => requestAnimationFrame(resolve));
  return performance.now();
}

const click = (selector: string) => `document.querySelector(${JSON.stringify(selector)}).click()`;
/** Runs in the page. Enters a string into the search box as a keyboard does. */
function typeIn(text: string): void {
  const box = document.querySelector<HTMLInputElement>("main input[type=search]")!;
  box.value = text;
  box.dispatchEvent(new Event("input", { bubbles: true }));
}

const drawn = ["svg path", "svg rect", "canvas"].map((each) => `console-picture ${each}`).join();
const has = (selector: string) => `document.querySelector(${JSON.stringify(selector)}) !== null`;
const dataDir = mkdtempSync(join(tmpdir(), "manifold-bench-"));
const host = await startHostProcess(dataDir, {});
const bars: Bar[] = [];
let browser: Browser | undefined;
try {
  const { client, url } = host;
  browser = await openBrowser();
  const { datasetId, filledCount } = await fillFlights(client, flightCount);
  const columns = await columnsOf(client, datasetId);
  const question = {
    rows: [{ id: columns["date"], level: 3 }],
    measures: [{ id: columns["delay"], aggregation: "average" }],
  };
  const questionUrl = `/explore/${datasetId}?q=${encodeURIComponent(JSON.stringify(question))}`;
  // Bypasses the content security policy of the host's pages, which would block these measurements.
  const context = await browser.newContext({ viewport: size, locale: "en-US", bypassCSP: true });
  const page = await context.newPage();
  await page.goto(`${url}/explore`);
  await beginSession(page, { key: ownerKey, token: ownerToken });
  print(`${filledCount} flights; milliseconds`);
  print(`  ${"".padEnd(52)}    median       min       max`);
  const row = (name: string, spread: Spread) => {
    print(`  ${name.padEnd(52)} ${shownSpread(spread)}`);
    return spread;
  };
  /** Repeats a measurement. The first round warms up the host and the browser. */
  const repeated = async (run: (round: number) => Promise<number>): Promise<Spread> => {
    const measured: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const milliseconds = await run(round);
      if (round > 0) measured.push(milliseconds);
    }
    return spreadOf(measured);
  };
  const hold = (name: string, spread: Spread, most: number) =>
    bars.push(atMost(name, row(name, spread).median, most, "ms"));
  const load = async (path: string, seen: string) => {
    await page.goto(url + path);
    return page.evaluate(sinceNavigation, seen);
  };

  if (isWanted("screen")) {
    const scripts: Promise<number>[] = [];
    const weigh = (response: Response) => {
      if (response.url().endsWith(".js"))
        scripts.push(response.body().then((bytes) => gzipSync(bytes).length));
    };
    page.on("response", weigh);
    await load("/", has("main h1"));
    await page.waitForLoadState("networkidle");
    page.off("response", weigh);
    const bytes = (await Promise.all(scripts)).reduce((sum, each) => sum + each, 0);
    bars.push(atMost(`${scripts.length} scripts of Home`, bytes / 1_000, 150, "kB gzip"));
    const first = {
      "first screen: Home": ["/", has("main h1")],
      "first screen: a question of Explore": [questionUrl, has(drawn)],
    } as const;
    for (const [name, [path, seen]] of Object.entries(first))
      hold(name, await repeated(() => load(path, seen)), 600);
    await load("/", has("main h1"));
    for (const [name, path, seen] of [
      ["navigation: Explore", "/explore", has("console-explore console-table .body [role=row]")],
      [
        "navigation: Dashboards",
        "/dashboards",
        has("console-dashboards :is(.state, console-table .body [role=row])"),
      ],
      ["navigation: Data", "/data", has("console-data console-table .body [role=row]")],
      ["navigation: Home", "/", `${has("console-home h1")} && !${has("main .skeleton")}`],
    ] as const) {
      const away = path === "/" ? "/dashboards" : "/";
      hold(
        name,
        await repeated(async () => {
          await page.evaluate(until, {
            act: click(`a[href="${away}"]`),
            seen: `location.pathname === "${away}" && !document.querySelector("main .skeleton")`,
          });
          await page.waitForLoadState("networkidle");
          return page.evaluate(until, {
            act: click(`a[href="${path}"]`),
            seen: `location.pathname === "${path}" && ${seen}`,
          });
        }),
        150,
      );
    }
  }

  if (isWanted("question")) {
    for (const name of ["origin", "destination", "date", "delay"]) {
      const button = `[...document.querySelectorAll("button.column")].find((each) => each.textContent.trim().endsWith("${name}"))`;
      hold(
        `question: a click on ${name}`,
        await repeated(async (round) => {
          // Each round has another filter, so that no answer comes from the host's cache.
          const filters = [{ id: columns["distance"], test: "? >= ?", value: round }];
          const empty = encodeURIComponent(JSON.stringify({ filters }));
          await load(`/explore/${datasetId}?q=${empty}`, `${button} !== undefined`);
          return page.evaluate(until, { act: `${button}.click()`, seen: has(drawn) });
        }),
        250,
      );
    }
  }

  if (isWanted("datasets")) {
    const startedAt = performance.now();
    for (let index = 0; index < datasetCount; index += 20)
      await Promise.all(
        Array.from({ length: 20 }, (_, offset) =>
          client.create("securable", {
            type: "dataset",
            name: {
              en: `Sales of ${index + offset} in ${["north", "south", "east", "west"][offset % 4]}`,
            },
          }),
        ),
      );
    print(`  10,000 datasets created in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
    const listed = `document.querySelectorAll("console-table .body [role=row]").length > 5`;
    for (const path of ["/explore", "/data"]) {
      hold(
        `list 10,000 datasets: ${path}`,
        await repeated(async () => {
          await load("/dashboards", has("main h1"));
          await page.waitForLoadState("networkidle");
          return page.evaluate(until, { act: click(`nav a[href="${path}"]`), seen: listed });
        }),
        200,
      );
      hold(
        `search 10,000 datasets: ${path}`,
        await repeated(async (round) => {
          const text = `of ${1_000 + round * 777} in`;
          // The measured time starts at the last of three keystrokes, and therefore includes the delay of the search
          // box.
          for (const length of [3, 5]) {
            await page.evaluate(typeIn, text.slice(0, length));
            await new Promise((resolve) => setTimeout(resolve, 60));
          }
          return page.evaluate(until, {
            act: `(${typeIn.toString()})(${JSON.stringify(text)})`,
            seen: `(() => { const cells = [...document.querySelectorAll("console-table .body [role=row]")]; return cells.length === 1 && cells[0].textContent.includes(${JSON.stringify(text)}); })()`,
          });
        }),
        200,
      );
    }
  }
  reportBars(bars);
} finally {
  await browser?.close();
  await host.end("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
}
