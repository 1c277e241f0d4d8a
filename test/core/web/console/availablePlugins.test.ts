import * as assert from "uvu/assert";
import { readRegistry } from "../../../../core/http/assets/readRegistry.ts";
import { suite } from "../../../support/suite.ts";
import { findBarriers } from "./findBarriers.ts";
import { openConsole, type OpenConsole } from "./openConsole.ts";

suite("core/web/console: the list of available plugins", (test) => {
  let opened: OpenConsole;
  const entries = readRegistry();
  test.before(async () => {
    opened = await openConsole();
  });
  test.after(() => opened?.close());

  for (const size of ["wide", "phone"] as const)
    for (const theme of ["light", "dark"] as const)
      test.deep(
        `the list of plugins is accessible and fits the page (${size} screen, ${theme} mode)`,
        async () => {
          const page = await opened.openPage("/plugins", { size, theme });
          const cards = page.locator(".plugin-cards > li");
          await cards.first().waitFor();
          assert.is(await cards.count(), entries.length);
          assert.equal(await findBarriers(page), []);
          const [wide, seen] = await page.evaluate(() => [
            document.documentElement.scrollWidth,
            document.documentElement.clientWidth,
          ]);
          assert.ok((wide ?? 0) <= (seen ?? 0), `${wide} of ${seen} pixels`);
          await page.context().close();
        },
      );

  test.deep(
    "a search shows the plugins that contain all its words, or says that there are none",
    async () => {
      const page = await opened.openPage("/plugins");
      const search = page.getByRole("searchbox", { name: "Search plugins" });
      const cards = page.locator(".plugin-cards > li");
      await cards.first().waitFor();
      await search.fill("example PYTHON");
      await page.getByText("1 plugin", { exact: true }).waitFor();
      assert.match(await cards.innerText(), "examples/python-plugin");
      await search.fill("no such source");
      await page.getByText("No plugin matches").waitFor();
      assert.is(await cards.count(), 0);
      assert.equal(await findBarriers(page), []);
      await search.fill("postgre");
      const proved = entries.find(({ slug }) => slug === "postgresql")?.report.proved.length;
      await page.getByText(`${proved} claims proved`).waitFor();
      await page.getByRole("link", { name: "Connect PostgreSQL" }).click();
      await page.waitForURL(/\/data\/connect\/postgresql$/);
      assert.equal(opened.reports, []);
      await page.context().close();
    },
  );

  test.deep(
    "published plugins link only to https addresses, and their text is never markup",
    async () => {
      const page = await opened.openPage("/explore");
      const hostile = {
        ...entries[0],
        kind: "plugin",
        slug: "hostile",
        name: "<img src=x onerror=alert(1)>",
        homepage: "javascript:alert(1)",
        repository: "https://code.example.org/hostile",
        package: "@acme/hostile",
        deprecated: "Use another plugin.",
      };
      await page.route("**/assets/plugins.json", (route) => route.fulfill({ json: [hostile] }));
      await page.goto(`${opened.url}/plugins`);
      const link = page.locator(".plugin-cards a");
      await link.waitFor();
      assert.is(await link.getAttribute("href"), "https://code.example.org/hostile");
      assert.is(await link.getAttribute("rel"), "noopener noreferrer");
      assert.match(await page.locator(".plugin-cards").innerText(), "npm install @acme/hostile");
      assert.is(await page.locator(".plugin-cards img").count(), 0);
      await page.unroute("**/assets/plugins.json");
      await page.route("**/assets/plugins.json", (route) =>
        route.fulfill({ status: 503, body: "" }),
      );
      await page.goto(`${opened.url}/plugins`);
      await page.getByText("The list of plugins could not be loaded").waitFor();
      assert.equal(opened.reports, []);
      await page.context().close();
    },
  );
});
