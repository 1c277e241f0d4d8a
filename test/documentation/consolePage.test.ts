import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Browser } from "playwright-core";
import * as assert from "uvu/assert";
import { root } from "../../docs/.vitepress/pages.ts";
import { openConsolePage } from "../core/web/console/openConsolePage.ts";
import { openPeople, type People } from "../core/openPeople.ts";
import { openBrowser } from "../support/openBrowser.ts";
import { suite } from "../support/suite.ts";
import { bundleScript } from "./bundleScript.ts";
import { withCompiled } from "./compileBlock.ts";
import { blocksFor } from "./readBlocks.ts";

const [block] = blocksFor("docs/CONSOLE.md", "consolePage");

/** Opens the page as the console does, with a client that has the reader's session. */
const opening = `
  import { createApi } from "${join(root, "core/web/console/api/index.ts")}";
  import { define } from "${join(root, "core/web/console/parts/index.ts")}";
  import { addStyleRoot, adoptStyles, tokens } from "${join(root, "core/web/console/styles/index.ts")}";
  import { TripsPage } from "./block.ts";
  define("console-trips", TripsPage);
  addStyleRoot(document);
  adoptStyles(tokens);
  const page = new TripsPage();
  page.context = { api: createApi({ onSignedOut() {} }) };
  document.body.append(page);
`;

suite("documentation/consolePage", (test) => {
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

  test.deep("the example page in docs/CONSOLE.md compiles and shows a host's data", async () => {
    const { id } = await people.push();
    await people.owner.update("securable", id, { name: { en: "Trips <b>" } });
    await withCompiled(block!, { isPage: true }, async (file) => {
      const entry = join(dirname(file), "opening.ts");
      writeFileSync(entry, opening);
      const scripts = await bundleScript(entry);
      const { url } = people.host;
      const { page, reports } = await openConsolePage(browser, { url, ...people.owner });
      await page.route(`${url}/try/*`, (route) => {
        const path = new URL(route.request().url()).pathname.replace("/try", "");
        const script = scripts.get(path);
        const html =
          '<!doctype html><title>Try</title><script type="module" src="page.js"></script>';
        return route.fulfill(
          script === undefined
            ? { contentType: "text/html", body: html }
            : { contentType: "text/javascript", body: script },
        );
      });
      await page.goto(`${url}/try/start`);
      const trip = page.locator("console-trips .page .trip");
      await trip.waitFor({ state: "attached" });
      assert.is(await trip.textContent(), "Trips <b>");
      const padding = await trip.evaluate((element) => getComputedStyle(element).padding);
      assert.match(padding, /^[1-9]\d*px$/);
      assert.equal(reports, []);
    });
  });
});
