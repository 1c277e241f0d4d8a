import * as assert from "uvu/assert";
import { definePlugin, serve, type Served } from "../../../../plugins/sdk/index.ts";
import { suite } from "../../../support/suite.ts";
import { findBarriers } from "./findBarriers.ts";
import { openConsole, type OpenConsole } from "./openConsole.ts";

const columns = [{ id: "km", type: "numeric" }] as const;

suite("core/web/console: the secret of a plugin", (test) => {
  let opened: OpenConsole;
  let served: Served;
  test.before(async () => {
    opened = await openConsole({ egressAllow: ["127.0.0.1"] });
    served = await serve(definePlugin({ datasets: [{ id: "trips", columns }], rows: () => [] }));
  });
  test.after(async () => {
    await opened?.close();
    await served?.close();
  });

  test.deep(
    "registering a plugin shows its warnings and then its secret, and the list of plugins shows its protocol version",
    async () => {
      const page = await opened.openPage("/plugins", { size: "phone" });
      const register = async (name: string, address: string) => {
        await page.getByRole("button", { name: "Register plugin" }).first().click();
        const dialog = page.getByRole("dialog", { name: "Register a plugin" });
        await dialog.getByLabel("Name").fill(name);
        await dialog.getByLabel("Address").fill(address);
        assert.is(await dialog.getByLabel("Protocol").inputValue(), "");
        await dialog.getByRole("button", { name: "Register plugin" }).click();
      };
      const closeSecret = () =>
        page
          .getByRole("dialog", { name: "The plugin's secret" })
          .getByRole("button", { name: "Done" })
          .click();
      await register("Away", "http://127.0.0.1:1");
      const warned = page.getByRole("dialog", { name: "Plugin registered" });
      await warned
        .getByText(/the plugin cannot be reached yet: .*refused the connection/)
        .waitFor();
      assert.equal(await findBarriers(page), []);
      await warned.getByRole("button", { name: "Done" }).click();
      await closeSecret();
      await register("Here", served.url);
      await closeSecret();
      await page.getByRole("gridcell", { name: "manifold-1" }).waitFor();
      assert.equal(opened.reports, []);
    },
  );

  test.deep("creating a webhook shows its secret once", async () => {
    const page = await opened.openPage("/alerts?tab=channels");
    await page.getByRole("tab", { name: "Channels" }).click();
    await page.getByRole("button", { name: "New channel" }).first().click();
    await page.locator("#channel-address").fill("http://127.0.0.1:1/hook");
    await page.getByRole("button", { name: "Create channel" }).click();
    const once = page.getByRole("dialog", { name: "The webhook's secret" });
    assert.match(await once.locator("pre").innerText(), /^whsec_/);
    assert.equal(await findBarriers(page), []);
  });

  test.deep(
    "an owner replaces a plugin's secret, sees the new secret once and revokes the old one",
    async () => {
      const { client, url } = opened;
      const made = await client.create<{ id: string; secret: string }>("plugin", {
        slug: "trips",
        name: { en: "Trips" },
        base_url: "https://plugin.example.org",
      });
      const notify = async (secret: string) => {
        const answer = await fetch(`${url}/notify/plugin/${made.id}`, {
          method: "POST",
          headers: { "Content-Type": "application/json", "X-Secret": secret },
          body: JSON.stringify({ event: "data_changed" }),
        });
        return answer.status;
      };
      const page = await opened.openPage("/plugins", { size: "phone", theme: "dark" });
      const show = async () => {
        await page.getByRole("gridcell", { name: "Trips" }).first().click();
        await page.getByRole("button", { name: "New secret" }).last().click();
      };
      await show();
      const dialog = page.getByRole("dialog", { name: "New secret" });
      await dialog.getByLabel("Accept the old secret for").selectOption("7 days");
      assert.equal(await findBarriers(page), []);
      await dialog.getByRole("button", { name: "New secret" }).click();
      const once = page.getByRole("dialog", { name: "The plugin's secret" });
      const secret = await once.locator("pre").innerText();
      assert.match(secret, /^[\w-]{43}$/);
      await once.getByRole("button", { name: "Done" }).click();
      assert.equal([await notify(made.secret), await notify(secret)], [200, 200]);
      await show();
      await dialog.getByText("The old secret is valid until").waitFor();
      assert.not((await page.content()).includes(secret), "the secret is not shown again");
      await dialog.getByRole("button", { name: "Revoke it now" }).click();
      await page.getByText("The old secret no longer works").waitFor();
      assert.equal([await notify(made.secret), await notify(secret)], [401, 200]);
      const { rows } = await client.get("auditevent", {
        where: { resource: "plugin", action: "update", record_id: made.id },
      });
      const members = rows.map((each) => String(each["members"])).toSorted();
      assert.equal(members, ["keep_secret_hours", "new_secret,keep_secret_hours"]);
      assert.not(JSON.stringify(rows).includes(secret));
      assert.equal(opened.reports, []);
    },
  );
});
