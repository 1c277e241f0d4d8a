import * as assert from "uvu/assert";
import type { Page } from "playwright-core";
import { ApiFailure, mistakesIn } from "../../../../core/web/console/api/index.ts";
import { suite } from "../../../support/suite.ts";
import { openConsole, type OpenConsole } from "./openConsole.ts";

const long = "x".repeat(1_500);

suite("core/web/console: mistakes in forms", (test) => {
  let opened: OpenConsole;
  const open = async (path: string): Promise<Page> => {
    opened ??= await openConsole();
    return opened.openPage(path);
  };
  test.after(() => opened?.close());

  test("mistakes are read from the list of the host, or else from its message", () => {
    const listed = {
      message: "no",
      validation: { "properties.name": ["must be short"], level: [] },
    };
    assert.equal(mistakesIn(new ApiFailure(400, listed)), { name: "must be short" });
    const told = { message: "properties.updates[0].name is not valid: must be short" };
    assert.equal(mistakesIn(new ApiFailure(400, told)), { "updates[0].name": "must be short" });
    const needed = { message: "properties.host is required: a value" };
    assert.equal(mistakesIn(new ApiFailure(400, needed)), { host: "a value" });
    assert.equal(mistakesIn(new ApiFailure(404, { message: "there is no dataset" })), {});
    assert.equal(mistakesIn(new TypeError("properties.x is not valid: y")), {});
  });

  /** Presses a button, and returns the message at a field. It must be the only one, and name no member of the API. */
  const mistakeAt = async (page: Page, button: string, label: string): Promise<string> => {
    const dialog = page.getByRole("dialog").or(page.locator("console-sign-on-form"));
    await dialog.getByRole("button", { name: button, exact: true }).click();
    const wrong = dialog.getByRole("alert");
    await wrong.waitFor();
    assert.is(await wrong.count(), 1);
    const field = dialog.getByLabel(label, { exact: true });
    assert.is(await field.getAttribute("aria-invalid"), "true");
    const described = (await field.getAttribute("aria-describedby")) ?? "";
    const text = await wrong.innerText();
    assert.ok(described.split(" ").includes((await wrong.getAttribute("id")) ?? "-"), described);
    assert.not.match(text, /properties|is not valid/);
    return text;
  };

  test.deep("a form shows what the host refuses at the field that it is about", async () => {
    const page = await open("/plugins");
    await page.getByRole("button", { name: "Register plugin" }).click();
    await page.getByLabel("Name", { exact: true }).fill("mine");
    await page.getByLabel("Address", { exact: true }).fill("http://10.0.0.1");
    assert.match(await mistakeAt(page, "Register plugin", "Address"), /not a public address/);
    await page.goto(`${opened.url}/access/tokens`);
    await page.getByRole("button", { name: "Issue token" }).click();
    assert.is(await mistakeAt(page, "Issue token", "User name"), "must be a non-empty string");
    await page.getByLabel("User name").fill("ada");
    await page.getByLabel("Lifetime in hours").fill("100000");
    assert.is(
      await mistakeAt(page, "Issue token", "Lifetime in hours"),
      "must be at most one year ahead",
    );
    await page.goto(`${opened.url}/access/signon/new`);
    await page.getByLabel("Name", { exact: true }).fill("Company");
    await page.getByLabel("Issuer").fill("https://id.example.com");
    await page.getByLabel("Client ID").fill("x");
    await page.getByLabel("Scopes").fill("email");
    assert.is(await mistakeAt(page, "Create", "Scopes"), "must contain openid");
    const reader = await opened.client.create<{ readonly id: string }>("user", {
      email: "ada@example.org",
      name: "Ada",
    });
    await page.goto(`${opened.url}/access/people/${reader.id}`);
    await page.getByRole("button", { name: "Set a password" }).click();
    await page.getByLabel("New password").fill("short");
    assert.match(await mistakeAt(page, "Set a password", "New password"), /at least 10 characters/);
    await page.goto(`${opened.url}/access/people/${reader.id}`);
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await page.getByLabel("Suborganization").fill(long);
    assert.is(
      await mistakeAt(page, "Save", "Suborganization"),
      "must have at most 1000 characters",
    );
    assert.equal(opened.reports, []);
  });
});
