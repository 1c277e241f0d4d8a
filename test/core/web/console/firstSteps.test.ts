import * as assert from "uvu/assert";
import type { Page } from "playwright-core";
import { createClient } from "../../../../core/web/client/index.ts";
import { definePlugin, serve } from "../../../../plugins/sdk/index.ts";
import { openHttpSink } from "../../../support/httpSink.ts";
import { suite } from "../../../support/suite.ts";
import { findBarriers } from "./findBarriers.ts";
import { openConsole, type OpenConsole } from "./openConsole.ts";

type Json = Readonly<Record<string, unknown>>;

suite("core/web/console: first steps on a new host", (test) => {
  let opened: OpenConsole;

  test.before(async () => {
    opened = await openConsole({ egressAllow: ["127.0.0.1"] });
  });
  test.after(() => opened?.close());

  const overflow = async (page: Page): Promise<number> =>
    page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  /** Returns the key and the token that a dialog shows once. */
  const shownPair = async (page: Page) => {
    const text = (await page.getByRole("dialog").locator("pre").textContent()) ?? "";
    const [key = "", token = ""] = text.split("\n");
    return { key, token };
  };

  test.deep(
    "a new host offers three ways to add data, and its curl command works with a token created on that page",
    async () => {
      const page = await opened.openPage("/", { size: "phone" });
      for (const name of ["Import a file", "Connect a source", "Push through the API"])
        await page.getByRole("heading", { name }).waitFor();
      assert.equal(await findBarriers(page), []);
      assert.is(await overflow(page), 0);
      await page.getByRole("button", { name: "Create an API token" }).click();
      await page.getByLabel("Purpose").fill("first push");
      assert.equal(await findBarriers(page), []);
      await page.keyboard.press("Enter");
      await page.getByText("they are shown only once").waitFor();
      const { key } = await shownPair(page);
      await page.getByRole("button", { name: "Done" }).click();
      await page
        .locator(".push pre")
        .filter({ hasText: `"key": "${key}"` })
        .waitFor();
      const line = (await page.locator(".push pre").textContent()) ?? "";
      const [, address = ""] = /^curl (\S+)/.exec(line) ?? [];
      const [, body = ""] = /-d '([^']+)'$/.exec(line) ?? [];
      const answer = await fetch(address, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body,
      });
      assert.is(answer.status, 200, await answer.text());
      await page.reload();
      await page
        .getByRole("region", { name: "Datasets" })
        .getByText("1 row", { exact: true })
        .waitFor();
      await page.close();
    },
  );

  test.deep("an API token that is created for a program works until it is revoked", async () => {
    const page = await opened.openPage("/access/tokens");
    await page.getByRole("button", { name: "Create an API token" }).click();
    await page.getByLabel("Purpose").fill("nightly <b>upload</b>");
    await page.getByRole("dialog").getByRole("button", { name: "Create an API token" }).click();
    await page.getByText("they are shown only once").waitFor();
    const pair = await shownPair(page);
    await page.getByRole("button", { name: "Done" }).click();
    const client = createClient({ url: opened.url, ...pair });
    assert.is((await client.get("user", { where: { id: "me" } })).count, 1);
    assert.not((await page.content()).includes(pair.token), "the secret is gone from the page");
    await page.getByRole("button", { name: /Revoke token: .nightly/ }).click();
    await page.getByText("can no longer use this token").waitFor();
    assert.equal(await findBarriers(page), []);
    await page.getByRole("dialog").getByRole("button", { name: "Revoke token" }).click();
    await page.getByText("The token was revoked").waitFor();
    const body = JSON.stringify({ version: "0.1.0", action: "get", ...pair });
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(`${opened.url}/0.1.0/user`, { method: "POST", headers, body });
    assert.is(answer.status, 401);
    await page.close();
  });

  test.deep(
    "a plugin is registered by its address, and a generated secret is shown once",
    async () => {
      const plugin = definePlugin({
        datasets: [
          { id: "cities", name: { en: "Cities" }, columns: [{ id: "city", type: "hierarchy" }] },
        ],
        rows: () => [["Ghent"]],
      });
      const served = await serve(plugin, { secret: "of one's own", onError: () => {} });
      try {
        const page = await opened.openPage("/plugins");
        const dialog = page.getByRole("dialog");
        const register = async (name: string, secret: string) => {
          await page.getByRole("button", { name: "Register plugin" }).first().click();
          await dialog.getByLabel("Name").fill(name);
          await dialog.getByLabel("Address").fill(served.url);
          await dialog.getByLabel("Secret").fill(secret);
          await dialog.getByRole("button", { name: "Register plugin" }).click();
        };
        await register("mine", "x".repeat(100_000));
        await dialog.getByRole("alert").waitFor();
        assert.is((await opened.client.get("plugin", { where: { slug: "mine" } })).count, 0);
        await dialog.getByLabel("Secret").fill("of one's own");
        assert.equal(await findBarriers(page), []);
        await dialog.getByRole("button", { name: "Register plugin" }).click();
        await page.getByRole("gridcell", { name: "mine" }).first().waitFor();
        await page.getByRole("link", { name: "mine" }).click();
        await page.getByRole("dialog", { name: "mine" }).waitFor();
        await page.goBack();
        await dialog.waitFor({ state: "detached" });
        await page.goForward();
        await page.getByRole("dialog", { name: "mine" }).waitFor();
        await page.keyboard.press("Escape");
        await page.waitForURL(`${opened.url}/plugins`);
        const account = await opened.client.create<{ id: string }>("account", {
          provider: "mine",
          name: "Mine",
        });
        const found = await opened.client.get<{ data?: readonly Json[] }>("dataprovider", {
          provider: "mine",
          account_id: account.id,
        } as Json);
        assert.match(JSON.stringify(found), "cities");

        await register("other", "");
        await dialog.getByText("the plugin refuses the host").waitFor();
        await dialog.getByRole("button", { name: "Done" }).click();
        await dialog.getByText("Start your plugin with this secret").waitFor();
        assert.match((await dialog.locator("pre").textContent()) ?? "", /^[\w-]{43}$/);
        assert.equal(await findBarriers(page), []);
        await dialog.getByRole("button", { name: "Done" }).click();
        await register("other", "");
        await dialog.getByRole("alert").waitFor();
        assert.equal(opened.reports, []);
        await page.close();
      } finally {
        await served.close();
      }
    },
  );

  test.deep("a channel is created from an address, at which its test message arrives", async () => {
    const sink = await openHttpSink();
    try {
      const page = await opened.openPage("/alerts?tab=channels");
      await page.getByRole("button", { name: "New channel" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("Hook");
      await dialog.getByLabel("Address").fill(sink.url);
      assert.equal(await findBarriers(page), []);
      await dialog.getByRole("button", { name: "Create channel" }).click();
      await page
        .getByRole("dialog", { name: "The webhook's secret" })
        .getByRole("button", { name: "Done" })
        .click();
      await page.getByRole("button", { name: "Test", exact: false }).first().click();
      await page
        .getByRole("status")
        .getByText(/delivered|sent/i)
        .first()
        .waitFor();
      assert.is(sink.calls.length, 1);
      await page.close();
    } finally {
      await sink.close();
    }
  });

  test.deep(
    "no page of the first steps violates the security policy, reports an error or opens a dialog",
    () => {
      assert.equal(opened.reports, []);
    },
  );
});
