import * as assert from "uvu/assert";
import type { Page } from "playwright-core";
import { suite } from "../../../support/suite.ts";
import { codeOf } from "../../identity/factors/openFactors.ts";
import { findBarriers } from "./findBarriers.ts";
import { openConsole, type OpenConsole } from "./openConsole.ts";

const password = "a kettle on a hill";

/** Adds a virtual authenticator to a page. It verifies its user, as phones and laptops do. */
async function addAuthenticator(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("WebAuthn.enable");
  await devTools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

suite("core/web/console/pages/account", (test) => {
  let opened: OpenConsole;
  test.before(async () => {
    opened = await openConsole({ host: "localhost" });
    await opened.client.create("user", { email: "ann@example.org", name: "Ann", password });
  });
  test.after(() => opened.close());

  const enter = async (page: Page) => {
    await page.locator("#email").fill("ann@example.org");
    await page.locator("#password").fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
  };
  const picture = async (page: Page, name: string) => {
    const { MANIFOLD_PICTURES: folder } = process.env;
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };

  test.deep(
    "a person adds an authenticator app and a passkey, signs in with each and ends other sessions",
    async () => {
      const page = await opened.openPage("/account", { size: "phone", isSignedIn: false });
      await addAuthenticator(page);
      await enter(page);
      await page.getByRole("heading", { name: "Second factors" }).waitFor();
      await page.getByRole("heading", { name: "Sign-ins" }).waitFor();
      assert.equal(await findBarriers(page), []);
      await picture(page, "account-phone-light");

      await page.getByRole("button", { name: "Add authenticator app" }).click();
      await page.getByRole("img", { name: "QR code of the secret" }).waitFor();
      assert.equal(await findBarriers(page), []);
      await picture(page, "account-app-phone-light");
      const secret = (await page.locator(".secret-text").innerText()).replaceAll(/\s/g, "");
      await page.getByLabel("Code from the app").fill("000000");
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await page.getByText("enter the code that the app shows now").waitFor();
      await page.getByLabel("Code from the app").fill(codeOf(secret, Date.now()));
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
      const codes = await page.locator(".recovery-codes li").allInnerTexts();
      assert.is(codes.length, 10);
      assert.equal(await findBarriers(page), []);
      await picture(page, "account-codes-phone-light");
      await page.getByRole("button", { name: "I have stored them" }).click();

      await enter(page);
      await page.getByLabel("Code", { exact: true }).waitFor();
      assert.equal(await findBarriers(page), []);
      await picture(page, "account-sign-in-phone-light");
      await page.getByLabel("Code", { exact: true }).fill(codes[0] ?? "");
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByText("9 recovery codes are left.").waitFor();

      await page.getByRole("button", { name: "Add passkey" }).click();
      await page.getByText("This device").waitFor();
      const other = await opened.openPage("/account", { theme: "dark", isSignedIn: false });
      await enter(other);
      await other.getByLabel("Code", { exact: true }).fill(codes[1] ?? "");
      await other.getByRole("button", { name: "Sign in", exact: true }).click();
      await other.getByText("8 recovery codes are left.").waitFor();
      await other.getByRole("heading", { name: "Sign-ins" }).waitFor();
      assert.equal(await findBarriers(other), []);
      await picture(other, "account-wide-dark");

      await page.getByRole("button", { name: "Account: Ann" }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      await page.getByRole("button", { name: "Sign in with a passkey" }).click();
      await page.getByRole("heading", { name: "Sessions" }).waitFor();
      await page.getByRole("button", { name: "End all other sessions" }).click();
      await page.getByText("1 session has ended.").waitFor();
      await other.getByRole("button", { name: "New recovery codes" }).click();
      await other.getByText("Your session has ended").waitFor();

      await page.getByRole("button", { name: "Remove Phone" }).click();
      await page.getByRole("button", { name: "Remove", exact: true }).last().click();
      await page.getByText("The second factor was removed.").waitFor();
      assert.equal(opened.reports, []);
    },
  );

  test.deep(
    "an owner sees the effects of requiring a second factor, and can switch the requirement on and off",
    async () => {
      const page = await opened.openPage("/access/signon", { size: "phone" });
      const demanded = async () => {
        const { rows } = await opened.client.get("organization", {});
        return rows[0]?.["require_second_factor"];
      };
      await page.getByText("You have no second factor yourself").waitFor();
      assert.equal(await findBarriers(page), []);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.is(over, 0);
      await picture(page, "second-factor-demand");
      const dialog = page.getByRole("dialog");
      await page.getByRole("button", { name: "Require a second factor" }).click();
      await dialog.getByText("must add a second factor before they can do anything else").waitFor();
      await dialog.getByText("you cannot do anything else until you add one").waitFor();
      assert.equal(await findBarriers(page), []);
      await dialog.getByRole("button", { name: "Cancel" }).click();
      assert.is(await demanded(), false);
      await page.getByRole("button", { name: "Require a second factor" }).click();
      await dialog.getByRole("button", { name: "Require a second factor" }).click();
      await page.getByText("Required", { exact: true }).waitFor();
      assert.is(await demanded(), true);
      await page.getByRole("button", { name: "Make it optional" }).click();
      await dialog.getByRole("button", { name: "Make it optional" }).click();
      await page.getByText("Optional", { exact: true }).waitFor();
      assert.is(await demanded(), false);
      assert.equal(opened.reports, []);
    },
  );

  test.deep("a person who must add a second factor sees only the page for adding it", async () => {
    const { rows } = await opened.client.get("organization", {});
    await opened.client.create("user", { email: "bob@example.org", name: "Bob", password });
    await opened.client.update("organization", String(rows[0]?.["id"]), {
      require_second_factor: true,
    });
    const page = await opened.openPage("/data", { isSignedIn: false });
    await page.locator("#email").fill("bob@example.org");
    await page.locator("#password").fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("Your organization requires a second factor").waitFor();
    assert.is(await page.getByRole("heading", { name: "Data", exact: true }).count(), 0);
    assert.equal(await findBarriers(page), []);
    await picture(page, "account-demanded-wide-light");
  });
});
