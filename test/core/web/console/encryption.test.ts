import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as assert from "uvu/assert";
import type { Browser } from "playwright-core";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { openBrowser } from "../../../support/openBrowser.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, type People } from "../../openPeople.ts";
import { findBarriers } from "./findBarriers.ts";
import { openConsolePage, type OpenConsolePage } from "./openConsolePage.ts";

const states = {
  verified: /encrypted and verified The connection is encrypted, and the certificate/,
  encrypted: /encrypted The certificate is not checked/,
  clear: /not encrypted Anyone on the network can read the rows/,
} as const;

suite("core/web/console: encryption of connections", (test) => {
  let people: People;
  let catalog: TestCatalog;
  let browser: Browser;
  let opened: OpenConsolePage;
  const ids = new Map<string, string>();
  const server = createServer((_, response) => void response.end("a,b\n1,2\n"));
  test.before(async () => {
    server.listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    catalog = await openTestCatalog();
    people = await openPeople({
      databaseUrl: catalog.databaseUrl,
      egressAllow: ["127.0.0.1"],
    });
    const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.csv`;
    for (const encryption of Object.keys(states)) {
      const name = `Files ${encryption}`;
      const account = { provider: "files", name, host, token: "a-token" };
      const made = await people.owner.create<{ id: string; encryption: unknown }>(
        "account",
        account,
      );
      assert.is(made.encryption, "clear", "an address with http");
      ids.set(encryption, made.id);
      await catalog.knex("account").where({ id: made.id }).update({ encryption });
    }
    browser = await openBrowser();
    opened = await openConsolePage(browser, { url: people.host.url, pair: people.owner.pair });
  });
  test.after(async () => {
    await browser?.close();
    await people?.close();
    await catalog?.close();
    server.closeAllConnections();
    server.close();
  });

  for (const [colorScheme, width] of [
    ["light", 1280],
    ["dark", 360],
    ["dark", 1280],
    ["light", 360],
  ] as const) {
    test.deep(
      `the list and the page of a connection describe its encryption (${colorScheme} mode, ${width} px wide)`,
      async () => {
        const { page } = opened;
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        await page.goto(`${people.host.url}/data/connections`);
        for (const word of ["encrypted and verified", "encrypted", "not encrypted"])
          await page
            .locator(".badge", { hasText: new RegExp(`^${word}$`) })
            .first()
            .waitFor();
        assert.equal(await findBarriers(page), []);
        for (const [encryption, words] of Object.entries(states)) {
          await page.goto(`${people.host.url}/data/connections/${ids.get(encryption)}`);
          await page.getByText(words).waitFor();
          const isCut = await page.evaluate(
            () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
          );
          assert.is(isCut, false, `${encryption} is cut`);
        }
        assert.equal(await findBarriers(page), []);
      },
    );
  }

  test.deep(
    "changing a connection's address requires the connection's password again",
    async () => {
      const { page } = opened;
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(`${people.host.url}/data/connections/${ids.get("clear")}`);
      await page.getByRole("button", { name: "Change" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel(/^File, folder/).fill("http://127.0.0.1:9/b.csv");
      for (const name of ["Test connection", "Save connection"]) {
        await dialog.getByRole("button", { name }).click();
        await dialog.getByText("enter token again to change host").waitFor();
      }
    },
  );
});
