import * as assert from "uvu/assert";
import type { Browser } from "playwright-core";
import { eventually } from "../../../support/eventually.ts";
import { openBrowser } from "../../../support/openBrowser.ts";
import { openSmtpSink, type SmtpSink } from "../../../support/smtpSink.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, type People } from "../../openPeople.ts";
import { findBarriers } from "./findBarriers.ts";
import { openConsolePage } from "./openConsolePage.ts";

suite("core/web/console: forgotten passwords", (test) => {
  let people: People;
  let sink: SmtpSink;
  let browser: Browser;
  test.before(async () => {
    sink = await openSmtpSink();
    people = await openPeople({ smtpUrl: sink.url });
    browser = await openBrowser();
  });
  test.after(async () => {
    await browser?.close();
    await people?.close();
    await sink?.close();
  });

  test.deep(
    "a person who forgot the password gets a link by mail and chooses a new one",
    async () => {
      await people.owner.create("user", {
        email: "ada@example.org",
        name: "Ada",
        password: "seven purple teapots",
      });
      const { page, reports } = await openConsolePage(
        browser,
        { url: people.host.url, pair: people.owner.pair },
        { isSignedIn: false },
      );
      await page.getByRole("button", { name: "Forgot your password?" }).click();
      assert.equal(await findBarriers(page), []);
      await page.getByLabel("E-mail").fill("nobody@example.org");
      await page.getByRole("button", { name: "Send link" }).click();
      await page.getByText("If this address belongs").waitFor();
      const said = await page.getByRole("status").innerText();
      await page.getByRole("button", { name: "Back to the sign-in" }).click();
      await page.getByRole("button", { name: "Forgot your password?" }).click();
      await page.getByLabel("E-mail").fill("ada@example.org");
      await page.getByRole("button", { name: "Send link" }).click();
      await page.getByText("If this address belongs").waitFor();
      assert.is(await page.getByRole("status").innerText(), said, "the same for every address");
      const mail = await eventually(() => sink.mails[0], "the mail");
      assert.equal(mail.to, ["ada@example.org"]);
      const text = mail.source.replaceAll("=\r\n", "").replaceAll("=3D", "=");
      const secret = /#password=([\w-]{43})/.exec(text)?.[1] ?? "";
      await page.goto("about:blank");
      await page.goto(`${people.host.url}/#password=${secret}`);
      await page.getByText(/Choose a new password for .Ada/).waitFor();
      await page.getByLabel("New password").fill("eleven orange kettles");
      await page.getByRole("button", { name: "Save password" }).click();
      await page.getByRole("navigation", { name: "Pages" }).waitFor();
      assert.equal(reports, []);
    },
  );
});
