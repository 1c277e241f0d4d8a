import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import * as assert from "uvu/assert";
import type { ManifoldDashboard } from "../../core/web/embed/index.ts";
import {
  fieldOf,
  itemOf,
  openDashboardHost,
  type DashboardHost,
} from "../core/web/embed/openDashboardHost.ts";
import { openBrowser } from "../support/openBrowser.ts";
import { suite } from "../support/suite.ts";
import { bundleScript } from "./bundleScript.ts";
import { withCompiled } from "./compileBlock.ts";
import { blocksFor } from "./readBlocks.ts";

/** Runs before each page. Turns violations of its content security policy into console errors. */
const report = `document.addEventListener("securitypolicyviolation", (event) =>
  console.error("policy: " + event.violatedDirective + " " + event.blockedURI + " " + event.sample))`;

interface ShownPage {
  readonly html: string;
  readonly scripts?: ReadonlyMap<string, string>;
  /** Returns the response to a POST to `/token`. */
  readonly token?: () => Promise<object>;
}

suite("documentation/embedding", (test) => {
  const blocks = blocksFor("docs/EMBEDDING.md", "embedding");
  const isItem = ({ text }: { readonly text: string }) => text.includes("createItemView(");
  const [html, menu, editor] = blocks.filter(({ language }) => language === "html");
  const [script, keeper, listener] = blocks.filter(
    (each) => each.language === "ts" && !isItem(each),
  );
  const [item] = blocks.filter(isItem);

  let host: DashboardHost;
  let browser: Browser;
  test.before(async () => {
    host = await openDashboardHost();
    browser = await openBrowser();
  });
  test.after(async () => {
    await browser?.close();
    await host?.close();
  });

  /** Placeholders that readers replace in the page, with the values of the test host. */
  const replaced = () => ({
    "https://analytics.example.org": host.people.host.url,
    "<id>": host.dashboardId,
    "<key>": host.viewer.pair.key,
    "<token>": host.viewer.pair.token,
  });

  /**
   * Opens a page on another origin than the host, with the content security policy that docs/EMBEDDING.md recommends.
   */
  async function withPage(
    { html: body, scripts = new Map(), token }: ShownPage,
    check: (page: Page, said: readonly string[]) => Promise<void>,
  ): Promise<void> {
    const { url } = host.people.host;
    const policy = [
      "default-src 'none'",
      `script-src 'self' ${url}`,
      "style-src 'self'",
      `connect-src 'self' ${url}`,
      "require-trusted-types-for 'script'",
    ].join("; ");
    const server = createServer((request, response) => {
      void (async () => {
        const path = request.url ?? "/";
        const text = scripts.get(path);
        if (text !== undefined) response.setHeader("Content-Type", "text/javascript").end(text);
        else if (path === "/token" && request.method === "POST" && token)
          response.setHeader("Content-Type", "application/json").end(JSON.stringify(await token()));
        else if (path === "/")
          response
            .setHeader("Content-Type", "text/html")
            .setHeader("Content-Security-Policy", policy)
            .end(`<!doctype html><meta charset="utf-8"><title>A page</title><body>${body}</body>`);
        else response.writeHead(path === "/favicon.ico" ? 204 : 404).end();
      })();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const said: string[] = [];
    page.on("console", (message) => said.push(message.text()));
    page.on("pageerror", (failure) => said.push(String(failure)));
    await page.addInitScript(report);
    try {
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      await check(page, said);
    } finally {
      await page.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  /** Waits until the dashboard shows bars. Returns the rows of the item that draws them. */
  async function rowsShown(page: Page): Promise<unknown> {
    await page.locator('[data-item="by region"] [data-mark]').first().waitFor();
    return page.evaluate(async () => {
      const dashboard = document.querySelector<ManifoldDashboard>("manifold-dashboard")!;
      return (await dashboard.getData("by region")).rows;
    });
  }

  test.deep(
    "docs/EMBEDDING.md shows how to embed with an HTML tag, with a script and with a program that draws an item",
    () => {
      assert.ok(html && menu && editor && script && keeper && listener && item);
      assert.is(blocks.length, 7);
    },
  );

  test.deep(
    "the HTML tag in docs/EMBEDDING.md shows a dashboard on a page of another origin",
    async () => {
      const text = Object.entries(replaced()).reduce(
        (shown, [from, to]) => shown.replaceAll(from, to),
        html!.text,
      );
      assert.not.match(text, /[<"](?:id|key|token)>|…/);
      await withPage({ html: text }, async (page, said) => {
        const rows = await rowsShown(page);
        assert.is((rows as readonly unknown[]).length, 4);
        const seen = await page
          .locator("manifold-dashboard")
          .evaluate((element: ManifoldDashboard) => [element.locale, element.theme]);
        assert.equal(seen, ["nl-BE", "auto"]);
        assert.equal(said, []);
      });
    },
  );

  test.deep(
    "the HTML of menus in docs/EMBEDDING.md shows menus and the page's own buttons",
    async () => {
      const text = Object.entries({ ...replaced(), "<item id>": "by region" }).reduce(
        (shown, [from, to]) => shown.replaceAll(from, to),
        menu!.text,
      );
      await withPage({ html: text }, async (page, said) => {
        await rowsShown(page);
        for (const name of ["Share", "Discuss", "Options: Trips", "Options: by region"])
          await page.getByRole("button", { name, exact: true }).waitFor();
        assert.equal(said, []);
      });
    },
  );

  test.deep(
    "the HTML of editing in docs/EMBEDDING.md lets a designer edit a dashboard",
    async () => {
      const { pair } = await host.mint({
        role: "designer",
        access: {
          dashboards: [{ id: host.dashboardId, rights: "modify" }],
          datasets: [{ id: host.dataset.id, rights: "use" }],
        },
      });
      const text = Object.entries({
        ...replaced(),
        "<key>": pair.key,
        "<token>": pair.token,
      }).reduce((shown, [from, to]) => shown.replaceAll(from, to), editor!.text);
      await withPage({ html: text }, async (page, said) => {
        await page.getByRole("button", { name: "Add chart" }).waitFor();
        assert.equal(said, []);
      });
    },
  );

  test.deep(
    "the script in docs/EMBEDDING.md compiles, gets a token from its server and receives the reader's selections",
    () =>
      withCompiled(script!, { replaced: replaced(), isPage: true }, async (file) => {
        let askedCount = 0;
        const token = async () => {
          askedCount += 1;
          const { owner } = host.people;
          return owner.create("authorization", {
            type: "embed",
            username: "reader-1",
            access: {
              dashboards: [{ id: host.dashboardId, rights: "read" }],
              datasets: [{ id: host.dataset.id, rights: "use" }],
            },
          });
        };
        const scripts = await bundleScript(file);
        const body = '<script type="module" src="/page.js"></script>';
        await withPage({ html: body, scripts, token }, async (page, said) => {
          assert.is(((await rowsShown(page)) as readonly unknown[]).length, 4);
          assert.is(askedCount, 1);
          const [message] = await Promise.all([
            page.waitForEvent("console"),
            page.locator('[data-item="by region"] [data-mark]').first().click(),
          ]);
          const [filters] = await Promise.all(message.args().map((each) => each.jsonValue()));
          assert.is((filters as readonly unknown[]).length, 1);
          assert.is(said.length, 1, said.join("\n"));
        });
      }),
  );

  test.deep(
    "the script in docs/EMBEDDING.md that keeps the state restores it after a reload and when the reader goes back",
    () =>
      withCompiled(keeper!, { replaced: replaced(), isPage: true }, async (file) => {
        const scripts = await bundleScript(file);
        const body = '<script type="module" src="/page.js"></script>';
        await withPage({ html: body, scripts }, async (page, said) => {
          await rowsShown(page);
          const chips = page.locator(".mf-chip");
          await page.locator('[data-item="carrier"] label').first().click();
          await chips.first().waitFor();
          const shown = await chips.allTextContents();
          await page.reload();
          await chips.first().waitFor();
          assert.equal(await chips.allTextContents(), shown);
          await page.goBack();
          await chips.first().waitFor({ state: "detached" });
          assert.equal(said, []);
        });
      }),
  );

  test.deep(
    "the script in docs/EMBEDDING.md that listens to events of marks gets the mark that the reader chose",
    () =>
      withCompiled(listener!, { replaced: replaced(), isPage: true }, async (file) => {
        const region = fieldOf(host.dataset, "region", { type: "hierarchy" });
        const km = fieldOf(host.dataset, "km", { type: "numeric", aggregationFunc: "sum" });
        const slots = { "y-axis": [region], measure: [km] };
        const events = [{ name: "open", label: { en: "Open" } }];
        const id = await host.create([
          itemOf("by region", "bar-chart", slots, [0, 0, 48, 20], {
            interactivity: { customEvents: { events } },
          }),
        ]);
        const { pair } = await host.mint();
        const scripts = await bundleScript(file);
        const body = `<manifold-dashboard host="${host.people.host.url}" dashboard="${id}"
          auth-key="${pair.key}" auth-token="${pair.token}"></manifold-dashboard>
          <script type="module" src="/page.js"></script>`;
        await withPage({ html: body, scripts }, async (page, said) => {
          const mark = page.locator('[data-item="by region"] [data-mark]').first();
          await mark.waitFor();
          const [message] = await Promise.all([page.waitForEvent("console"), mark.click()]);
          const [name, category] = await Promise.all(
            message.args().map((each) => each.jsonValue()),
          );
          assert.is(name, "open");
          assert.type(category, "string");
          assert.is(said.length, 1, said.join("\n"));
        });
      }),
  );

  test.deep("the program in docs/EMBEDDING.md draws an item as a picture of its rows", () =>
    withCompiled(item!, { replaced: replaced(), isPage: true }, async (file) => {
      const scripts = await bundleScript(file);
      const body = '<script type="module" src="/page.js"></script>';
      await withPage({ html: body, scripts }, async (page, said) => {
        const bars = page.locator("section svg [data-mark]");
        await bars.first().waitFor();
        assert.is(await bars.count(), 2);
        await Promise.all([page.waitForEvent("console"), bars.first().click()]);
        assert.is(said.length, 1, said.join("\n"));
      });
    }),
  );
});
