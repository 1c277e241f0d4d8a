import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { createClient } from "../../../../core/web/client/index.ts";
import { openHost } from "../../../../core/host.ts";
import { openTestCatalog } from "../../../support/catalog.ts";
import { openBrowser } from "../../../support/openBrowser.ts";
import { clientId, clientSecret, openProvider } from "../../../support/openProvider.ts";
import { testSecret } from "../../../support/openTestHost.ts";
import { suite } from "../../../support/suite.ts";
import { findBarriers } from "./findBarriers.ts";

suite("core/web/console: sign-in through a provider", (test) => {
  test.deep(
    "a person signs in with a company account and returns to the requested page, or sees why the sign-in failed",
    async () => {
      const dataDir = mkdtempSync(join(tmpdir(), "manifold-sign-on-"));
      const catalog = await openTestCatalog();
      const settings = {
        dataDir,
        databaseUrl: catalog.databaseUrl,
        secret: testSecret,
        logLevel: "silent",
        workers: 1,
        egressAllow: ["127.0.0.1"],
      } as const;
      const redirects: string[] = [];
      const provider = await openProvider(() => redirects);
      provider.persons.set("ada", { email: "ada@corp.example", name: "Ada Byron" });
      const first = await openHost({ ...settings, port: 0 });
      const client = createClient({ url: first.url, ...first.madeCredentials! });
      const { id } = await client.create<{ id: string }>("ssoconfig", {
        name: { en: "Example <b>Corp</b>" },
        type: "openid",
        active: true,
        config: { issuer: provider.issuer, client_id: clientId, client_secret: clientSecret },
      });
      redirects.push(`${first.url}/auth/sso/${id}/callback`);
      await first.close();
      const { port } = new URL(first.url);
      const host = await openHost({ ...settings, port: Number(port), signOn: [id] });
      const browser = await openBrowser();
      try {
        const context = await browser.newContext({ viewport: { width: 360, height: 780 } });
        const page = await context.newPage();
        const reports: string[] = [];
        page.on("pageerror", (failure) => reports.push(String(failure)));
        page.on("console", (message) => {
          if (message.type() === "error" && /policy|trusted/i.test(message.text()))
            reports.push(message.text());
        });
        await page.goto(`${host.url}/data?search=a`);
        const way = page.getByRole("link", { name: "Sign in with Example <b>Corp</b>" });
        await way.waitFor();
        const shown = await page.getByRole("tab", { selected: true }).textContent();
        assert.is(shown?.trim(), "E-mail", "nobody has a password, but there is a provider");
        assert.equal(await findBarriers(page), []);
        await way.click();
        await page.getByRole("link", { name: "nobody" }).click();
        await page.getByText("could not be signed in").waitFor();
        assert.is(new URL(page.url()).hash, "");
        await page.goto(`${host.url}/data?search=a`);
        await way.click();
        await page.getByRole("link", { name: "ada" }).click();
        await page.getByRole("heading", { name: "Data", exact: true }).waitFor();
        assert.is(page.url(), `${host.url}/data?search=a`);
        const user = await client.get("user", { where: { email: "ada@corp.example" } });
        assert.is(user.rows[0]?.["name"], "Ada Byron");
        assert.equal(reports, []);
      } finally {
        await browser.close();
        await host.close();
        await provider.close();
        await catalog.close();
        rmSync(dataDir, { recursive: true, force: true });
      }
    },
  );
});
