import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import * as assert from "uvu/assert";
import { openPeople, type People } from "../core/openPeople.ts";
import { openBrowser } from "../support/openBrowser.ts";
import { suite } from "../support/suite.ts";
import { bundleScript } from "./bundleScript.ts";
import { withCompiled } from "./compileBlock.ts";
import { blocksFor } from "./readBlocks.ts";
import { runTypeScript } from "./runHowTo.ts";

/** Members of answers. The tests read ids from them. */
interface Made {
  readonly id: string;
  readonly type?: string;
  readonly token?: string;
  readonly rows?: readonly {
    readonly id: string;
    readonly columns?: readonly { readonly id: string; readonly source_name: string }[];
  }[];
}

/** The records that the TypeScript of a page created. */
interface Created {
  readonly dataset: string;
  readonly city: string;
  /** The tag that shows the dashboard of the page with its token. */
  readonly tag: string;
}

suite("documentation/howToBrowser", (test) => {
  let people: People;
  let browser: Browser;
  test.before(async () => {
    people = await openPeople();
    browser = await openBrowser();
  });
  test.after(async () => {
    await browser?.close();
    await people?.close();
  });

  async function create(page: string): Promise<Created> {
    const { url } = people.host;
    const answers = await runTypeScript(page, { url, ...people.owner.pair });
    const made = answers.flatMap(({ body }) => (typeof body === "object" ? [body as Made] : []));
    const [dataset] = made.find(({ rows }) => rows?.[0]?.columns)?.rows ?? [];
    const dashboard = made.find(({ type }) => type === "dashboard");
    const embed = made.find(({ type }) => type === "embed");
    const city = dataset?.columns?.find((each) => each.source_name === "city");
    return {
      dataset: dataset?.id ?? "",
      city: city?.id ?? "",
      tag: `<manifold-dashboard host="${url}" dashboard="${dashboard?.id}" auth-key="${embed?.id}"
        auth-token="${embed?.token}"></manifold-dashboard>
        <script type="module" src="${url}/embed.js"></script>`,
    };
  }

  /** Opens a page of another origin than the host. `scripts` are served by their paths. */
  async function withPage(
    body: string,
    scripts: ReadonlyMap<string, string>,
    check: (page: Page) => Promise<void>,
  ): Promise<void> {
    const html = `<!doctype html><meta charset="utf-8"><title>A page</title>${body}`;
    const server = createServer((request, response) => {
      const text = scripts.get(request.url ?? "");
      const type = text === undefined ? "text/html" : "text/javascript";
      response.setHeader("Content-Type", type).end(text ?? html);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    try {
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      await page.locator('[data-item="by-city"] [data-mark]').first().waitFor();
      await check(page);
    } finally {
      await page.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  test.deep(
    "the script on the page about filter groups sets, reads and follows the filters of a dashboard",
    async () => {
      const { dataset, city, tag } = await create("docs/how-to/FILTER_GROUP.md");
      const replaced = { "<dataset>": dataset, "<city>": city };
      const [block] = blocksFor("docs/how-to/FILTER_GROUP.md", "howToBrowser");
      await withCompiled(block!, { replaced, isPage: true }, async (file) => {
        const buttons = ["long", "ghent", "all", "read"].map(
          (id) => `<button id="${id}">${id}</button>`,
        );
        const body = `${buttons.join("")}<p id="chosen"></p><p id="rows"></p>${tag}
          <script type="module" src="/page.js"></script>`;
        await withPage(body, await bundleScript(file), async (page) => {
          /** Waits until `count` bars are shown. Returns the lengths of the bars, as the page reads them. */
          const lengthsOf = async (count: number): Promise<unknown> => {
            await page.waitForFunction(
              (due) =>
                document
                  .querySelector("manifold-dashboard")
                  ?.shadowRoot?.querySelectorAll('[data-item="by-city"] rect[data-mark]').length ===
                due,
              count,
            );
            await page.locator("#rows").evaluate((element) => (element.textContent = ""));
            await page.locator("#read").click();
            const rows = (await page.locator("#rows:not(:empty)").textContent()) ?? "";
            return (JSON.parse(rows) as unknown[][]).map((row) => row[1]);
          };
          assert.equal(await lengthsOf(2), [5.5, 3]);
          await page.locator("#ghent").click();
          await page.locator("#chosen", { hasText: "Only Ghent" }).waitFor();
          assert.equal(await lengthsOf(1), [3]);
          await page.locator("#all").click();
          assert.equal(await lengthsOf(2), [5.5, 3]);
          await page.locator("#long").click();
          assert.equal(await lengthsOf(1), [5.5]);
        });
      });
    },
  );

  test.deep(
    "the style sheet on the page about themes colors a dashboard in light and in dark mode",
    async () => {
      const { tag } = await create("docs/how-to/THEMES_AND_LANGUAGES.md");
      const [block] = blocksFor("docs/how-to/THEMES_AND_LANGUAGES.md", "howToBrowser");
      const body = `<style>${block?.text}</style>${tag.replace("host=", 'theme="auto" host=')}`;
      await withPage(body, new Map(), async (page) => {
        const bar = (color: string) =>
          page.locator(`[data-item="by-city"] rect[data-mark][fill="${color}"]`).first();
        await bar("#b5451b").waitFor();
        await page
          .locator("title", { hasText: "Km per stad" })
          .first()
          .waitFor({ state: "attached" });
        await page.emulateMedia({ colorScheme: "dark" });
        await bar("#f0916a").waitFor();
      });
    },
  );
});
