import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { findBarriers } from "./findBarriers.ts";
import { type OpenConsole, openConsole } from "./openConsole.ts";

suite("core/web/console: ways to sign in", (test) => {
  let opened: OpenConsole;
  test.before(async () => {
    opened = await openConsole();
  });
  test.after(() => opened?.close());

  test.deep(
    "the sign-in page offers the key pair first, and offers e-mail first once a user has a password",
    async () => {
      const page = await opened.openPage("/", { isSignedIn: false });
      const tabs = async () =>
        (await page.getByRole("tab").allTextContents()).map((label) => label.trim());
      await page.setViewportSize({ width: 360, height: 780 });
      await page.locator("#key:focus").waitFor();
      assert.equal(await tabs(), ["Key pair", "E-mail"]);
      await page.getByText("run “manifold open” on the host's machine").waitFor();
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        assert.equal(await findBarriers(page), []);
      }
      const { rows } = await opened.client.get<{ rows: { id: string }[] }>("user");
      await opened.client.update("user", rows[0]!.id, { password: "a kettle on a hill" });
      await page.reload();
      await page.locator("#email:focus").waitFor();
      assert.equal(await tabs(), ["E-mail", "Key pair"]);
      assert.equal(opened.reports, []);
    },
  );
});
