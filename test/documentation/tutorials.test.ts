import { execFile } from "node:child_process";
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import * as assert from "uvu/assert";
import { root, textOf } from "../../docs/.vitepress/pages.ts";
import { freePort } from "../../examples/support/freePort.ts";
import type { ManifoldDashboard } from "../../core/web/embed/index.ts";
import { openConsole, type OpenConsole } from "../core/web/console/openConsole.ts";
import { openDashboardHost } from "../core/web/embed/openDashboardHost.ts";
import { openBrowser } from "../support/openBrowser.ts";
import { suite } from "../support/suite.ts";
import { withCompiled } from "./compileBlock.ts";
import { exploredRain, exploreRain } from "./exploreRain.ts";
import { blocksFor } from "./readBlocks.ts";
import { startProgram } from "./startProgram.ts";

const run = promisify(execFile);
const chartPage = "docs/tutorials/FIRST_CHART.md";
const embedPage = "docs/tutorials/EMBED_A_DASHBOARD.md";
const pluginPage = "docs/tutorials/FIRST_PLUGIN.md";
const main = join(root, "core/cli/main.ts");
const withSources = ["--conditions=manifold-source"];
/** Replaces npm and npx in the tutorials. Nothing is installed, and the `manifold` command runs from these sources. */
const prelude = `
npm() { :; }
npx() { shift; "${process.execPath}" --conditions=manifold-source "${main}" "$@"; }
`;

suite("documentation/tutorials", (test) => {
  test("every label that the pages about the console name exists in the console", () => {
    const words = globSync("core/web/console/**/*ords/en.ts", { cwd: root })
      .map((path) => readFileSync(join(root, path), "utf8"))
      .join("\n");
    const introductions = ["You will need", "At the end"];
    const howTo = ["IMPORT_FILES", "EDIT_DASHBOARD"].map((name) => `docs/how-to/${name}.md`);
    for (const page of [chartPage, ...howTo]) {
      const labels = [...textOf(page).matchAll(/\*\*([^*]+)\*\*/g)].map(([, label = ""]) => label);
      assert.ok(labels.length > 10, String(labels.length));
      assert.equal(
        labels.filter((label) => !introductions.includes(label) && !words.includes(`"${label}"`)),
        [],
        page,
      );
    }
  });

  test.deep(
    "following the first tutorial turns a file into a chart that anyone with the link can open",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "manifold-documentation-"));
      let opened: OpenConsole | undefined;
      try {
        const [file] = blocksFor(chartPage, "tutorials");
        await run("bash", ["-euc", file?.text ?? ""], { cwd: folder });
        opened = await openConsole();
        const page = await opened.openPage("/data");
        await page.getByRole("link", { name: "Import a file" }).first().click();
        await page.locator("#upload-file").setInputFiles(join(folder, "trips.csv"));
        await page.getByRole("button", { name: "Import", exact: true }).click();
        await page.waitForURL(/\/data\/[\da-f-]{36}$/);
        await page.locator('a.button[href^="/explore/"]', { hasText: "Make a chart" }).click();
        await page.getByRole("button", { name: "city", exact: true }).click();
        await page.getByRole("button", { name: "km", exact: true }).click();
        await page.getByText("3 rows", { exact: true }).waitFor();
        const cells = await page
          .locator("console-table .body [role=gridcell]")
          .evaluateAll((each) => each.map(({ textContent }) => textContent?.trim() ?? ""));
        const shown = cells.map((text, index) => (index % 2 === 0 ? text : Number(text)));
        for (const [city, km] of [
          ["Lille", 23.5],
          ["Mons", 8],
          ["Ghent", 7.5],
        ])
          assert.is(shown[shown.indexOf(city ?? "") + 1], km);
        await page.getByRole("button", { name: "day", exact: true }).click();
        await page.getByRole("button", { name: "Undo" }).click();
        await page.getByText("3 rows", { exact: true }).waitFor();
        await page.getByRole("button", { name: "Save", exact: true }).click();
        await page.getByLabel("Dashboard name").fill("Trips");
        await page.getByRole("button", { name: "Save chart" }).click();
        await page.getByText("Saved to Trips").waitFor();
        await page.goto(`${opened.url}/dashboards`);
        await page.getByRole("link", { name: "Trips" }).click();
        await page.getByRole("button", { name: "Share", exact: true }).click();
        await page.getByRole("button", { name: "Create link" }).click();
        await page.getByRole("button", { name: "Make public" }).click();
        const link = page.getByRole("dialog").locator("a[href*='/shared/']");
        await link.waitFor();
        const { pathname } = new URL((await link.getAttribute("href")) ?? "");
        const stranger = await opened.openPage(pathname, { isSignedIn: false });
        await stranger.locator("manifold-dashboard svg rect[data-mark]").nth(2).waitFor();
        assert.equal(opened.reports, []);
      } finally {
        await opened?.close();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );

  test.deep("the server in the second tutorial shows visitors only their own rows", async () => {
    const host = await openDashboardHost();
    let browser: Browser | undefined;
    try {
      const { key, token } = host.people.owner.pair;
      const port = String(await freePort());
      const replaced = {
        '"city"': '"region"',
        '"Ghent"': '"north"',
        '"Lille"': '"south"',
        "http://127.0.0.1:4000": host.people.host.url,
        "8080": port,
      };
      const [block] = blocksFor(embedPage, "tutorials");
      browser = await openBrowser();
      const page = await browser.newPage();
      await withCompiled(block!, { replaced }, async (file) => {
        const server = await startProgram(process.execPath, [...withSources, file], "Open http", {
          cwd: dirname(file),
          environment: {
            MANIFOLD_KEY: key,
            MANIFOLD_TOKEN: token,
            DASHBOARD: host.dashboardId,
            DATASET: host.dataset.id,
          },
        });
        try {
          for (const [visitor, region] of [
            ["ann", "north"],
            ["bob", "south"],
          ]) {
            await page.goto(`http://127.0.0.1:${port}/${visitor}`);
            await page.locator('[data-item="by region"] [data-mark]').first().waitFor();
            const seen = await page.evaluate(async () => {
              const dashboard = document.querySelector<ManifoldDashboard>("manifold-dashboard")!;
              return JSON.stringify((await dashboard.getData("by region")).rows);
            });
            assert.match(seen, `"${region}"`);
            assert.is(JSON.parse(seen).length, 1);
          }
          const stranger = await fetch(`http://127.0.0.1:${port}/eve`);
          assert.is(stranger.status, 404);
        } finally {
          await server.end();
        }
      });
    } finally {
      await browser?.close();
      await host.close();
    }
  });

  test.deep(
    "the plugin in the third tutorial passes the conformance kit and can be registered, queried and shown in the explorer",
    async () => {
      const blocks = blocksFor(pluginPage, "tutorials");
      const [setUp, generate, check, serve, dev, query] = blocks.filter(
        ({ language }) => language === "sh",
      );
      const [plugin, connect] = blocks.filter(({ language }) => language === "ts");
      assert.is(query?.text, "node connect.ts");
      assert.match(
        serve?.text ?? "",
        /^MANIFOLD_EGRESS_ALLOW=127\.0\.0\.1:7070 npx manifold serve --data-dir data$/,
      );
      const folder = mkdtempSync(join(tmpdir(), "manifold-documentation-"));
      const own = join(folder, "weather-plugin");
      const host = await openConsole({ egressAllow: ["127.0.0.1"] });
      const bash = async (text = "", cwd = own) =>
        (await run("bash", ["-euc", prelude + text], { cwd })).stdout;
      try {
        await bash(setUp?.text, folder);
        const scope = join(own, "node_modules/@manifold-analytics");
        mkdirSync(scope, { recursive: true });
        symlinkSync(join(root, "plugins"), join(scope, "plugin"));
        assert.match(await bash(generate?.text), / 0 wrong/);
        await withCompiled(plugin!, {}, async (file) =>
          cpSync(file, join(own, "weather/src/plugin.ts")),
        );
        assert.match(await bash(check?.text), / 0 wrong/);
        const { key, token } = host.pair;
        const environment = { MANIFOLD_URL: host.url, MANIFOLD_KEY: key, MANIFOLD_TOKEN: token };
        const [, args = ""] = /^npx manifold (.+)$/m.exec(dev?.text ?? "") ?? [];
        assert.match(args, /^plugin dev weather --port 7070$/);
        const running = await startProgram(
          process.execPath,
          [...withSources, main, ...args.replace("7070", "0").split(" ")],
          '"weather"',
          { cwd: own, environment },
        );
        try {
          const replaced = { "http://127.0.0.1:4000": host.url };
          await withCompiled(connect!, { replaced }, async (file) => {
            const { stdout } = await run(process.execPath, [...withSources, file], {
              env: { ...process.env, NODE_OPTIONS: "", ...environment },
            });
            assert.ok(textOf(pluginPage).includes(`\`${stdout.split("\n")[0]}\``), stdout);
            const [, path = ""] = /^http:\/\/[^/]+(\/explore\/[\da-f-]{36})$/m.exec(stdout) ?? [];
            assert.equal(await exploreRain(await host.openPage(path)), exploredRain);
          });
        } finally {
          await running.end();
        }
      } finally {
        await host.close();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
