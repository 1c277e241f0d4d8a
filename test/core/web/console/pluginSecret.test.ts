import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { findBarriers } from "./findBarriers.ts";
import { openConsole, type OpenConsole } from "./openConsole.ts";

suite("core/web/console: the secret of a plugin", (test) => {
  let opened: OpenConsole;
  test.before(async () => {
    opened = await openConsole();
  });
  test.after(() => opened?.close());

  test.deep(
    "an owner replaces a plugin's secret, sees a generated secret once, and revokes the old one; the audit records it",
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
      await dialog.getByRole("button", { name: "End it now" }).click();
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
