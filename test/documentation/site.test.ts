import { execFile } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import * as assert from "uvu/assert";
import { readRegistry } from "../../core/http/assets/readRegistry.ts";
import { addressOf, groups, landing, pages, root, titleOf } from "../../docs/.vitepress/pages.ts";
import { findPackages } from "../support/findPackages.ts";
import { openBrowser } from "../support/openBrowser.ts";
import { suite } from "../support/suite.ts";
import { serveFolder, type FolderServer } from "./serveFolder.ts";

const run = promisify(execFile);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Matches attributes that link to another place on the site. */
const places = /<(?:a|img|link|script)\b[^>]*?\b(?:href|src)="(\/[^"]*|#[^"]*)"/g;

suite("documentation/site", (test) => {
  const folder = mkdtempSync(join(tmpdir(), "manifold-site-"));
  let server: FolderServer;
  let browser: Browser;
  test.before(async () => {
    const vitepress = join(await findPackages("docs"), ".bin/vitepress");
    await run(vitepress, ["build", "docs", "--outDir", folder], { cwd: root });
    server = await serveFolder(folder);
    browser = await openBrowser();
  });
  test.after(async () => {
    await browser?.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const fileOf = (path: string) =>
    ["", ".html", "index.html"]
      .map((end) => join(folder, decodeURI(path) + end))
      .find((each) => /\.\w+$/.test(each) && existsSync(each));

  test.deep("the settings of the documentation site match the types of VitePress", async () => {
    await run(join(root, "node_modules/.bin/tsc"), ["-p", "docs"], { cwd: root });
  });

  test.deep(
    "the documentation site has every page, and its home page has a first link for each kind of reader",
    () => {
      const missing = pages.filter(
        (page) => !existsSync(join(folder, addressOf(page).replace(/\.md$/, ".html"))),
      );
      assert.equal(missing, []);
      const start = readFileSync(join(folder, "index.html"), "utf8");
      for (const path of ["FIRST_CHART", "EMBED_A_DASHBOARD", "FIRST_PLUGIN", "AT_HOME"])
        assert.match(start, `/docs/tutorials/${path}`);
      for (const path of ["RUNNING", "ARCHITECTURE"]) assert.match(start, `/docs/${path}`);
      assert.not.match(start, /href="[^"]*README/);
    },
  );

  test.deep(
    "every link on the documentation site leads to an existing page and heading, and every picture exists",
    () => {
      const html = globSync("**/*.html", { cwd: folder });
      assert.ok(html.length > pages.length);
      const ids = new Map<string, ReadonlySet<string>>();
      const idsOf = (file: string) => {
        const found =
          ids.get(file) ??
          new Set(
            Array.from(readFileSync(file, "utf8").matchAll(/\bid="([^"]*)"/g), ([, id]) => id!),
          );
        ids.set(file, found);
        return found;
      };
      const dead: string[] = [];
      let count = 0;
      for (const page of html) {
        const own = join(folder, page);
        for (const [, place = ""] of readFileSync(own, "utf8").matchAll(places)) {
          count += 1;
          const [path = "", heading] = place.split("#");
          const file = path === "" ? own : fileOf(path);
          const isThere =
            file !== undefined && (!heading || idsOf(file).has(decodeURIComponent(heading)));
          if (!isThere) dead.push(`${page}: ${place}`);
        }
      }
      assert.ok(count > 10_000, String(count));
      assert.equal([...new Set(dead)], []);
    },
  );

  /**
   * Opens a page after loading the site's fonts. The Chromium of the tests has no fonts, and it fails to load a web
   * font that a style sheet uses before the font has been loaded.
   */
  const openPage = async (colorScheme: "light" | "dark", width: number): Promise<Page> => {
    const page = await browser.newPage({ viewport: { width, height: 860 }, colorScheme });
    await page.goto(`${server.url}/hashmap.json`);
    const fonts = readdirSync(join(folder, "assets")).filter((name) => name.endsWith(".woff2"));
    assert.is(fonts.length, 3);
    for (const name of fonts)
      await page.evaluate(`new FontFace("f", "url(/assets/${name})").load().then(() => 0)`);
    return page;
  };
  const open = async (page: Page, path: string) => {
    await page.goto(server.url + path, { waitUntil: "networkidle" });
    await page.evaluate("document.fonts.ready.then(() => 0)");
  };

  for (const scheme of ["light", "dark"] as const)
    for (const width of [1440, 800, 360])
      test.deep(
        `the documentation site is readable and accessible at ${width} pixels in ${scheme} mode`,
        async () => {
          const page = await openPage(scheme, width);
          try {
            const failures: string[] = [];
            page.on("pageerror", ({ message }) => failures.push(message));
            for (const path of [
              "/",
              "/docs/RUNNING",
              "/docs/reference/charts",
              "/docs/registry/",
            ]) {
              await open(page, path);
              const seen: {
                readonly isDark: boolean;
                readonly fonts: readonly string[];
                readonly width: number;
                readonly lineHeight: number;
              } = JSON.parse(
                await page.evaluate(`JSON.stringify({
                isDark: document.documentElement.classList.contains("dark"),
                fonts: [...document.fonts].map(({ family, status }) => family.replaceAll('"', "") + " " + status),
                width: Math.max(
                  document.documentElement.scrollWidth,
                  ...[...document.querySelectorAll(".VPNav a, .VPNav button")].map((each) => each.getBoundingClientRect().right),
                ),
                lineHeight: document.querySelector("#VPContent p").getBoundingClientRect().height,
              })`),
              );
              assert.is(seen.isDark, scheme === "dark");
              assert.equal(
                [...new Set(seen.fonts)].toSorted(),
                ["IBM Plex Mono loaded", "IBM Plex Sans loaded"],
                path,
              );
              assert.ok(seen.width <= width, `${path} is ${seen.width} pixels wide`);
              assert.ok(seen.lineHeight > 15, path);
              await page.evaluate(axe);
              const barriers: readonly string[] = JSON.parse(
                await page.evaluate(
                  `axe.run("#VPContent").then(({ violations }) => JSON.stringify(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html))))`,
                ),
              );
              assert.equal(barriers, [], path);
            }
            assert.equal(failures, []);
          } finally {
            await page.close();
          }
        },
      );

  test.deep(
    "a page links to the previous and the next page of its role, but not to pages of another role",
    () => {
      for (const { title, paths } of groups) {
        const listed = paths.filter((path) => path !== landing);
        for (const [index, path] of listed.entries()) {
          const html = readFileSync(
            join(folder, addressOf(path).replace(/\.md$/, ".html")),
            "utf8",
          );
          const [, footer = ""] = /<nav class="prev-next"(.*?)<\/nav>/s.exec(html) ?? [];
          const linked = Array.from(footer.matchAll(/href="\/([^"]*)"/g), ([, href]) => href);
          const expected = [listed[index - 1], listed[index + 1]]
            .filter((each) => each !== undefined)
            .map((each) => addressOf(each).replace(/(index)?\.md$/, ""));
          assert.equal(
            linked.map((href) => href?.replace(/\.html$/, "")),
            expected,
            `${title}: ${path}`,
          );
        }
      }
    },
  );

  test.deep("the search and the side bar of the documentation site open a page", async () => {
    const page = await openPage("light", 1280);
    try {
      await open(page, "/docs/HOW_TO");
      await page.locator(".VPSidebarItem.level-0 > .item", { hasText: "Reference" }).click();
      await page.locator(".VPSidebar a", { hasText: "a query means" }).click();
      await page.waitForURL(/\/docs\/QUERIES(\.html)?$/);
      await page.locator("button.DocSearch-Button").click();
      await page.locator("#localsearch-input").fill("several hosts upgrades");
      await page.locator(".results a", { hasText: "Several hosts, and upgrades" }).first().click();
      await page.waitForURL(/\/docs\/RUNNING(\.html)?#several-hosts-and-upgrades$/);
    } finally {
      await page.close();
    }
  });

  /** Strings for which people search, and the page with the answer. A how-to page with a matching name also counts. */
  const searches: Readonly<Record<string, RegExp>> = {
    "row filter": /docs\/(QUERIES\.html#row-filters|how-to\/\w*ROW)/,
    "webhook signature": /docs\/EVENTS/,
    "embed token": /docs\/(TOKENS|how-to\/\w*TOKEN)/,
    "connect postgres": /docs\/connectors\/postgres/,
    mysql: /docs\/connectors\/mysql/,
    "rest api": /docs\/connectors\/rest/,
    "upload csv": /docs\/(tutorials\/FIRST_CHART|how-to\/(UPLOAD|IMPORT)_FILES)/,
    "folder of csv files": /docs\/tutorials\/AT_HOME/,
    backup: /docs\/RUNNING/,
    uninstall: /docs\/AT_HOME/,
    "plugin python": /plugins\/python|docs\/tutorials\/PYTHON/,
    "first plugin": /docs\/tutorials\/FIRST_PLUGIN/,
    "publish a plugin": /docs\/PUBLISH_A_PLUGIN/,
    "write a connector": /docs\/PLUGINS/,
    "export pdf": /docs\/EXPORTS/,
    "dashboard by mail": /docs\/EXPORTS/,
    "custom chart": /docs\/CUSTOM_CHARTS/,
    "bar chart options": /docs\/reference\/charts/,
    "second factor": /docs\/SIGN_ON/,
    "forgot password": /docs\/SIGN_ON/,
    kubernetes: /deploy\//,
    prometheus: /docs\/OPERATIONS/,
    quota: /docs\/LIMITS/,
    "clickhouse store": /docs\/RUNNING/,
    "release to production": /docs\/TRANSFER/,
    react: /examples\/embed|docs\/tutorials\//,
    ...(pages.some((path) => /Express\b/.test(titleOf(path))) && {
      express: /docs\/tutorials\/\w*EXPRESS/,
    }),
  };

  test.deep(
    "the first three results of the search contain the page that people look for",
    async () => {
      const page = await openPage("light", 1280);
      try {
        await open(page, "/docs/HOW_TO");
        await page.locator("button.DocSearch-Button").click();
        const wrong: string[] = [];
        for (const [words, expected] of Object.entries(searches)) {
          // An empty result between two searches tells their results apart.
          await page.locator("#localsearch-input").fill("xqzvw");
          await page.locator(".no-results").waitFor();
          await page.locator("#localsearch-input").fill(words);
          await page.locator(".results a").first().waitFor();
          const found: readonly string[] = JSON.parse(
            await page.evaluate(
              `JSON.stringify([...document.querySelectorAll(".results a")].slice(0, 3).map((each) => each.getAttribute("href")))`,
            ),
          );
          if (!found.some((href) => expected.test(href)))
            wrong.push(`${words}: ${found.join(", ")}`);
        }
        assert.equal(wrong, []);
      } finally {
        await page.close();
      }
    },
  );

  test.deep("the gallery of plugins lists all plugins, and its search finds a plugin", async () => {
    const page = await openPage("light", 1280);
    try {
      await open(page, "/docs/registry/");
      const cards = page.locator(".plugin-gallery li");
      assert.is(await cards.count(), readRegistry().length);
      await page.getByRole("searchbox", { name: "Search plugins" }).fill("mariadb");
      await page.getByText("1 plugin", { exact: true }).waitFor();
      await cards.locator("summary").click();
      await cards.getByText("filters.operators.=.numeric").waitFor();
      await cards.getByRole("link", { name: "MySQL and MariaDB" }).click();
      await page.waitForURL(/\/docs\/connectors\/mysql(\.html)?$/);
    } finally {
      await page.close();
    }
  });
});
