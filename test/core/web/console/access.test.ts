import { readFileSync } from "node:fs";
import * as assert from "uvu/assert";
import type { Browser } from "playwright-core";
import {
  clientId,
  clientSecret,
  openProvider,
  type TestProvider,
} from "../../../support/openProvider.ts";
import { openBrowser } from "../../../support/openBrowser.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, sumOf, type Dataset, type People } from "../../openPeople.ts";
import { findBarriers } from "./findBarriers.ts";
import { openConsolePage, type OpenConsolePage } from "./openConsolePage.ts";

type Json = Readonly<Record<string, unknown>>;

const hostile = `<img src=x onerror="document.title='owned'">{{1}}`;

suite("core/web/console: people and access", (test) => {
  let people: People;
  let provider: TestProvider;
  let browser: Browser;
  let opened: OpenConsolePage;
  let dataset: Dataset;

  test.before(async () => {
    people = await openPeople();
    provider = await openProvider(() => []);
    dataset = await people.push();
    await people.owner.update("securable", dataset.id, { name: { en: "Trips" } });
    browser = await openBrowser();
    opened = await openConsolePage(browser, { url: people.host.url, pair: people.owner.pair });
  });
  test.after(async () => {
    await browser?.close();
    await provider?.close();
    await people?.close();
  });

  const go = (path: string) => opened.page.goto(`${people.host.url}${path}`);
  const idOf = () => opened.page.url().split("/").at(-1) ?? "";
  const dialogOf = () => opened.page.getByRole("dialog").last();
  const press = (name: string | RegExp) =>
    opened.page.getByRole("button", { name, exact: true }).last().click();
  const one = async (resource: string, where: Json): Promise<Json> =>
    (await people.owner.get(resource, { where })).rows[0] ?? {};

  test.deep(
    "an owner invites a person with a role, and the person chooses a password with the link",
    async () => {
      const { page } = opened;
      await go("/access/people?suborganization=north");
      await press("Invite person");
      const dialog = dialogOf();
      await dialog.getByLabel("E-mail address").fill("no address");
      await dialog.getByRole("button", { name: "Invite", exact: true }).click();
      await dialog.getByRole("alert").waitFor();
      await dialog.getByLabel("E-mail address").fill("eva@example.org");
      await dialog.getByLabel("Name").fill(`Eva ${hostile}`);
      await dialog.getByLabel("Role").selectOption("Editor");
      assert.is(await dialog.getByLabel("Suborganization").inputValue(), "north");
      assert.equal(await findBarriers(page), []);
      await dialog.getByRole("button", { name: "Invite", exact: true }).click();
      await dialogOf().getByText("shown only now").waitFor();
      assert.equal(await findBarriers(page), []);
      const link = await dialogOf().locator("pre").innerText();
      await dialogOf().getByRole("button", { name: "Done" }).click();
      await page.getByRole("heading", { name: "Eva <img" }).waitFor();
      assert.match(await page.locator("body").innerText(), /Editor[^]*Invited/);
      assert.equal(await findBarriers(page), []);
      await page.reload();
      await page.getByRole("heading", { name: "Eva <img" }).waitFor();
      assert.not((await page.content()).includes(link.split("=").at(-1) ?? ""), "shown once");
      const fresh = { url: people.host.url, pair: people.owner.pair };
      const theirs = await openConsolePage(
        browser,
        { ...fresh, path: `/${new URL(link).hash}` },
        { isSignedIn: false },
      );
      await theirs.page.getByText("Choose the password with which you will sign in").waitFor();
      assert.not(theirs.page.url().includes("password"), "the secret leaves the address");
      assert.equal(await findBarriers(theirs.page), []);
      await theirs.page.getByLabel("New password").fill("password123");
      await theirs.page.getByRole("button", { name: "Save password" }).click();
      await theirs.page.getByRole("alert").waitFor();
      await theirs.page.getByLabel("New password").fill("seven purple teapots");
      await theirs.page.getByRole("button", { name: "Save password" }).click();
      await theirs.page.getByRole("navigation", { name: "Pages" }).waitFor();
      await theirs.page.goto(link);
      await theirs.page.reload();
      await theirs.page.getByText("already used or has expired").waitFor();
      assert.equal(theirs.reports, []);
      await theirs.page.context().close();
      assert.not.match(await page.title(), "owned");
    },
  );

  test.deep(
    "an owner changes the role, suborganization, groups and parameters of a person",
    async () => {
      const { page } = opened;
      const group = await people.owner.create<{ id: string }>("group", {
        name: `Sales ${hostile}`,
      });
      const tom = await people.add("Tom");
      await go(`/access/people/${tom.id}`);
      await press("Change");
      await dialogOf().getByLabel("Role").selectOption("Owner");
      await dialogOf().getByLabel("Suborganization").fill("south");
      await press("Save");
      await page.getByRole("link", { name: "south" }).waitFor();
      await press("Change");
      await dialogOf().getByLabel("Role").selectOption("Member");
      await dialogOf().getByLabel("Suborganization").fill("");
      await press("Save");
      await page.getByText("sees what is shared").waitFor();
      assert.is((await one("user", { id: tom.id }))["suborganization"], null);
      await press("Add to group");
      await dialogOf().getByRole("searchbox", { name: "Search groups" }).fill("Sales");
      await dialogOf().getByRole("button", { name: "Sales <img" }).click();
      await page.getByRole("link", { name: "Sales <img" }).waitFor();
      await press("Change parameters");
      await dialogOf().getByRole("textbox", { name: "Parameter" }).fill("customers");
      await dialogOf().getByLabel("Values").fill("1\n2");
      await dialogOf().getByLabel("Numbers").check();
      assert.equal(await findBarriers(page), []);
      await press("Save");
      await page.getByText("1, 2", { exact: true }).waitFor();
      const { parameter_overrides: stored } = await one("user", { id: tom.id });
      assert.equal(stored, { customers: [1, 2] });
      await press(/^Remove from/);
      await page.getByText("Only in Public").waitFor();
      const members = await people.owner.get("user", {
        include: [{ model: "Group", where: { id: group.id }, jointype: "inner" }],
      });
      assert.equal(
        members.rows.map(({ id }) => id),
        [people.owner.id],
      );
    },
  );

  test.deep(
    "before a person is deleted, the console shows everything that would be deleted or transferred",
    async () => {
      const { page } = opened;
      const ben = await people.add("Ben", {}, { flagEditor: true });
      const own = await people.push(ben);
      await ben.create("alert", {
        name: { en: "Kilometres" },
        query: {
          measures: [
            { dataset_id: own.id, column_id: own.columns["km"], aggregation: { type: "sum" } },
          ],
        },
        frequency: "day",
      });
      await go(`/access/people/${ben.id}`);
      await press("Revoke API tokens");
      await page.getByText("This revokes 1 API token").waitFor();
      await press("Cancel");
      await press("Delete person");
      const dialog = page.getByRole("dialog").first();
      await dialog.getByText("Alerts (1): deleted").waitFor();
      const text = await dialog.innerText();
      assert.match(text, "1 session ends");
      assert.match(text, "1 API token is revoked");
      assert.match(text, /Datasets and dashboards \(1\): transferred to the successor/);
      assert.equal(await findBarriers(page), []);
      const remove = dialog.getByRole("button", { name: "Delete person" });
      assert.ok(await remove.isDisabled());
      await dialog.getByRole("button", { name: "Choose a successor" }).click();
      await dialogOf().getByRole("searchbox", { name: "Search people" }).fill("owner@");
      await dialogOf().getByRole("button", { name: "Owner" }).click();
      await remove.click();
      await page.getByText(/Ben\u2069 was deleted/).waitFor();
      assert.equal(await one("user", { id: ben.id }), {});
      assert.is((await one("securable", { id: own.id }))["owner_id"], people.owner.id);
      const refused = await people.call("data", { action: "get", find: sumOf(own), ...ben.pair });
      assert.is(refused.status, 401);
    },
  );

  test.deep(
    "members of a group see only the shared rows of a dataset, and none after the group is deleted",
    async () => {
      const { page } = opened;
      const ada = await people.add("Ada");
      await go("/access/groups");
      await press("Create group");
      await dialogOf().getByLabel("Name").fill("North");
      await dialogOf().getByRole("button", { name: "Create group" }).click();
      await page.getByRole("heading", { name: "North" }).waitFor();
      await press("Share a dataset or dashboard");
      await dialogOf().getByRole("button", { name: "Trips" }).click();
      await dialogOf().getByRole("radio", { name: "Rows where" }).check();
      await dialogOf().getByLabel("Column").selectOption({ label: "region" });
      await dialogOf().getByRole("checkbox", { name: /north/ }).check();
      await dialogOf().getByText("see 3 of 6 rows").waitFor();
      assert.equal(await findBarriers(page), []);
      await dialogOf().getByRole("button", { name: "Share", exact: true }).click();
      await page.getByText(/only where \u2068region\u2069 is \u2068north/).waitFor();
      await press("Add person");
      await dialogOf().getByRole("searchbox", { name: "Search people" }).fill("Ada");
      await dialogOf().getByRole("button", { name: "Ada" }).click();
      await page.getByRole("link", { name: "Ada" }).waitFor();
      assert.equal(await findBarriers(page), []);
      const answer = await ada.get<{ data: unknown[][] }>("data", sumOf(dataset));
      assert.equal(answer.data, [[6]]);
      await press("Delete group");
      await page.getByText("This group shares 1 dataset or dashboard with 2 people.").waitFor();
      await dialogOf().getByRole("button", { name: "Delete group" }).click();
      await page.getByText("was deleted").waitFor();
      const gone = await people.call("data", { action: "get", find: sumOf(dataset), ...ada.pair });
      assert.is(gone.status, 404);
    },
  );

  const groupsNamed = (keyphrase: string) =>
    people.owner.get("group", { search: { keyphrase, match_types: ["name"] } });

  test.deep("a form saves once, even if its button is pressed repeatedly", async () => {
    const { page } = opened;
    await go("/access/groups");
    await press("Create group");
    await dialogOf().getByLabel("Name").fill("Pressed twice");
    await dialogOf().getByRole("button", { name: "Create group" }).dblclick();
    await page.getByRole("heading", { name: "Pressed twice" }).waitFor();
    assert.is((await groupsNamed("Pressed twice")).count, 1);
  });

  test.deep("pressing Enter in a field saves the form", async () => {
    const { page } = opened;
    await go("/access/groups");
    await press("Create group");
    await dialogOf().getByLabel("Name").fill("Entered");
    await dialogOf().getByLabel("Name").press("Enter");
    await page.getByRole("heading", { name: "Entered" }).waitFor();
    assert.is((await groupsNamed("Entered")).count, 1);
  });

  test.deep("a suborganization exists as long as it contains people", async () => {
    const { page } = opened;
    await go("/access/suborganizations");
    await press("Create suborganization");
    await dialogOf().getByLabel("Name").fill("West");
    await press("Add its first person");
    await dialogOf().getByLabel("E-mail address").fill("west@example.org");
    await dialogOf()
      .getByRole("checkbox", { name: /Send a link/ })
      .uncheck();
    await dialogOf().getByRole("button", { name: "Invite", exact: true }).click();
    await page.getByRole("link", { name: "West" }).waitFor();
    const id = idOf();
    await go("/access/suborganizations?search=wes");
    await press(/^Move people out of/);
    await page.getByText("1 person leaves").waitFor();
    await dialogOf().getByLabel("Move to suborganization").fill("East");
    await dialogOf().getByRole("button", { name: "Move people" }).click();
    await page.getByText("1 person moved").waitFor();
    await page.getByText("No suborganizations match").waitFor();
    assert.is((await one("user", { id }))["suborganization"], "East");
  });

  test.deep(
    "an integration can be shared with groups and people, renamed and deleted",
    async () => {
      const { page } = opened;
      const group = await people.owner.create<{ id: string }>("group", { name: "Buyers" });
      await go("/access/integrations");
      await press("Create integration");
      await dialogOf().getByLabel("Name").fill("Portal");
      await dialogOf().getByRole("button", { name: "Create integration" }).click();
      await page.getByRole("heading", { name: "Portal" }).waitFor();
      const id = idOf();
      await press("Share a dataset or dashboard");
      await dialogOf().getByRole("button", { name: "Trips" }).click();
      await dialogOf().getByRole("button", { name: "Share", exact: true }).click();
      await page.getByRole("gridcell", { name: "every row" }).waitFor();
      await press("Add group");
      await dialogOf().getByRole("button", { name: "Buyers" }).click();
      await page.getByRole("link", { name: "Buyers" }).waitFor();
      assert.equal(await findBarriers(page), []);
      const include = [
        { model: "Group", attributes: ["id"] },
        { model: "Securable", attributes: ["id"] },
      ];
      const { rows } = await people.owner.get<{
        rows: { groups: { id: string }[]; securables: { id: string }[] }[];
      }>("integration", { where: { id }, include });
      const [stored] = rows;
      assert.equal(
        stored?.groups.map((each) => each.id),
        [group.id],
      );
      assert.equal(
        stored?.securables.map((each) => each.id),
        [dataset.id],
      );
      await press("Rename");
      await dialogOf().getByLabel("Name").fill("Shop portal");
      await press("Save");
      await page.getByRole("heading", { name: "Shop portal" }).waitFor();
      await press("Delete integration");
      await page.getByText("and 1 group. They lose access").waitFor();
      await dialogOf().getByRole("button", { name: "Delete integration" }).click();
      await page.getByText("was deleted").waitFor();
      assert.equal(await one("integration", { id }), {});
    },
  );

  test.deep(
    "a sign-on provider can be configured, tested and switched on, with a SCIM token that is shown once",
    async () => {
      const { page } = opened;
      const { host, owner } = people;
      const group = await owner.create<{ id: string }>("group", { name: "Analysts" });
      await go("/access/signon/new");
      await page.getByLabel("Name", { exact: true }).fill("Corp");
      await page.getByLabel("Issuer").fill("https://login.example.com/?x=1");
      await page.getByLabel("Client ID").fill(clientId);
      await page.getByLabel("Client secret").fill(clientSecret);
      await press("Create");
      await page.getByText("must be the https URL of the provider").waitFor();
      await page.getByLabel("Issuer").fill(provider.issuer);
      await page.getByLabel("Claim for the role").fill("roles");
      await press("Add value: Role");
      await page.getByLabel("Claim value").fill("boss");
      await page.getByRole("combobox", { name: "Role" }).selectOption("Owner");
      await page.getByLabel("Claim for the groups").fill("groups");
      await press("Add value: Group");
      await page.getByLabel("Claim value").last().fill("analysts");
      await press("Choose a group");
      await dialogOf().getByRole("button", { name: "Analysts" }).click();
      await press("Add parameter");
      await page.getByRole("textbox", { name: "Parameter" }).fill("region");
      await page.getByRole("textbox", { name: "Claim", exact: true }).fill("regions");
      await page.getByLabel("Always a list, even with one value").check();
      assert.equal(await findBarriers(page), []);
      await press("Create");
      await page.getByRole("heading", { name: /Corp\s+Inactive/ }).waitFor();
      const id = idOf();
      const config = (await one("ssoconfig", { id }))["config"] as Json;
      assert.equal(config["claims"], {
        role: { claim: "roles", values: { boss: "owner" } },
        groups: { claim: "groups", values: { analysts: group.id } },
        parameters: { region: { claim: "regions", list: true } },
      });
      await press("Test the provider");
      await page.getByText("People can sign in through this provider").waitFor();
      await page.getByText(`${provider.issuer}/auth`, { exact: false }).first().waitFor();
      await page.getByText(`${host.url}/auth/sso/${id}/callback`).waitFor();
      await press("Switch on");
      await page.getByRole("heading", { name: /Corp\s+Active/ }).waitFor();
      await press("Create token");
      const secret = await dialogOf().locator("pre").innerText();
      assert.ok(secret.length >= 43);
      await press("Done");
      await page.getByText("Create new token").waitFor();
      assert.equal(await findBarriers(page), []);
      assert.not((await page.content()).includes(secret));
      assert.not((await page.content()).includes(clientSecret));
      const scim = (token: string) =>
        fetch(`${host.url}/scim/v2/${id}/Users`, { headers: { Authorization: `Bearer ${token}` } });
      assert.is((await scim(secret)).status, 200);
      await page.getByLabel("Session lifetime in hours").fill("8");
      await press("Save");
      await page.getByText("Saved").waitFor();
      assert.is((await scim(secret)).status, 200, "saving the form keeps the secrets");
      await press("Remove the token");
      await dialogOf().getByRole("button", { name: "Remove the token" }).click();
      await page.getByRole("button", { name: "Create token" }).waitFor();
      assert.is((await scim(secret)).status, 401);
      await press("Delete provider");
      await dialogOf().getByRole("button", { name: "Delete provider" }).click();
      await page.getByText("was deleted").waitFor();
      assert.equal(await one("ssoconfig", { id }), {});
    },
  );

  test.deep(
    "the audit page applies the filters in its address, links to records and exports the matching events",
    async () => {
      const { page } = opened;
      const eve = await people.add(`Eve ${hostile}`, { email: "eve@example.org" });
      await people.owner.update("user", eve.id, { city: "Ghent" });
      await go("/access/audit");
      await page.getByRole("grid", { name: "Audit" }).waitFor();
      await page.getByLabel("Action", { exact: true }).selectOption("update");
      await page.getByLabel("Resource", { exact: true }).selectOption("user");
      await page.getByLabel("Record", { exact: true }).fill(eve.id);
      await page.getByText("1 change", { exact: true }).waitFor();
      await page.waitForURL(({ searchParams }) => searchParams.get("record") === eve.id);
      await page.reload();
      await page.getByText("1 change", { exact: true }).waitFor();
      const saving = page.waitForEvent("download");
      await press("Export CSV");
      const csv = readFileSync(await (await saving).path(), "utf8").split("\r\n");
      assert.is(csv.length, 3);
      assert.match(csv[1] ?? "", `,update,user,${eve.id},city,`);
      await page.getByRole("gridcell", { name: /changed city of .Eve/ }).waitFor();
      await page.getByRole("gridcell").first().click();
      await dialogOf().getByText("From address").waitFor();
      assert.not((await dialogOf().innerText()).includes(eve.id), "a name instead of an id");
      assert.match(page.url(), "event=");
      assert.equal(await findBarriers(page), []);
      await page.reload();
      await dialogOf().getByText("From address").waitFor();
      await dialogOf().getByRole("link", { name: "Open the record" }).click();
      await page.getByRole("heading", { name: "Eve <img" }).waitFor();
      await page.getByRole("link", { name: "Changes by this person" }).click();
      await page.getByText("1 change", { exact: true }).waitFor();
      await press("Clear filters");
      await page.waitForURL(({ search }) => search === "");
      await page.getByText(/\d+ changes/).waitFor();

      const dataset = await people.push();
      const shared = { role: "Securables", id: dataset.id };
      await people.owner.associate<object>("user", eve.id, shared, { flagRead: true });
      await go(`/access/audit?action=associate&record=${dataset.id}`);
      await page.getByRole("gridcell", { name: /shared.*with .Eve/ }).waitFor();
      await page.getByText("1 change", { exact: true }).waitFor();
    },
  );

  test.deep(
    "lists of hundreds of records are searched and paged by the host, without duplicates",
    async () => {
      const { page } = opened;
      for (let from = 0; from < 320; from += 40)
        await Promise.all(
          Array.from({ length: 40 }, (_, index) => {
            const name = `Crowd ${String(from + index).padStart(3, "0")}`;
            return people.owner.create("user", { email: `crowd${from + index}@example.org`, name });
          }),
        );
      await go("/access/people?search=Crowd");
      await page.getByText("320 people").waitFor();
      const table = page.getByRole("grid", { name: "People" });
      await table.focus();
      for (const rowCount of [101, 201, 301, 321]) {
        await page.locator(`console-table[aria-rowcount="${rowCount}"]`).waitFor();
        await page.keyboard.press("End");
      }
      await table.getByRole("link", { name: "Crowd 319" }).waitFor();
      await page.getByRole("searchbox").fill("crowd317@");
      await page.getByText("1 person", { exact: true }).waitFor();
      await go("/access/audit?resource=user&action=create");
      await page.getByRole("grid", { name: "Audit" }).focus();
      const events = await people.owner.get("auditevent", {
        where: { resource: "user", action: "create" },
        limit: 1,
      });
      // The file contains every event once, and the header.
      for (let shown = 200; shown < events.count; shown += 200) {
        await page.locator(`console-table[aria-rowcount="${shown + 1}"]`).waitFor();
        await page.keyboard.press("End");
      }
      await page.locator(`console-table[aria-rowcount="${events.count + 1}"]`).waitFor();
    },
  );

  test.deep(
    "using only the keyboard, an owner issues a token with a filter and sees the filtered rows",
    async () => {
      const { page } = opened;
      await go("/access/people");
      await page.getByRole("tab", { name: "People" }).focus();
      for (let step = 0; step < 5; step++) await page.keyboard.press("ArrowRight");
      await page.getByRole("heading", { name: "Embed tokens that you issued" }).waitFor();
      const tabTo = async (name: string) => {
        for (let step = 0; step < 40; step++) {
          await page.keyboard.press("Tab");
          const label = await page.evaluate(() => {
            const { activeElement: at } = document;
            if (!(at instanceof HTMLElement)) return "";
            const labels =
              "labels" in at ? [...((at.labels as NodeListOf<HTMLElement>) ?? [])] : [];
            return `${at.innerText} ${labels.map((each) => each.innerText).join(" ")}`.trim();
          });
          if (label.includes(name)) return;
        }
        throw new Error(`no Tab leads to ${name}`);
      };
      await tabTo("Issue token");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.type("keyboard-reader");
      await tabTo("Trips");
      await page.keyboard.press("Space");
      await page
        .locator("#issue-column option", { hasText: "region is" })
        .waitFor({ state: "attached" });
      await tabTo("Rows where");
      await page.keyboard.type("region");
      await tabTo("Value");
      await page.keyboard.type("south");
      await tabTo("Issue token");
      await page.keyboard.press("Enter");
      await page.getByText("it is shown only once").waitFor();
      await tabTo("See as this token");
      await page.keyboard.press("Enter");
      await page.getByText("3 of the 6 rows that you can see").waitFor();
      const live = await page
        .getByRole("region", { name: "Rows that this token sees" })
        .innerText();
      assert.ok(live.includes("south") && !live.includes("north"), live);
      await go("/access/tokens");
      const listed = page.getByRole("grid", { name: "Embed tokens that you issued" });
      await listed.getByRole("gridcell").first().waitFor();
      // Looking at what a token sees issues a further key pair, which is not listed.
      const { count } = (
        await people.call("authorization", { action: "list", ...people.owner.pair })
      ).body;
      assert.is(await listed.getByRole("row").count(), Number(count) + 1);
      assert.not.match(await page.locator("main").innerText(), /[0-9a-f]{8}-[0-9a-f]{4}-/);
    },
  );

  test.deep(
    "an owner can limit sign-ins to networks, with a warning before a lockout, and remove the limit",
    async () => {
      const { page } = opened;
      const stored = async () =>
        (await people.owner.get("organization")).rows[0]?.["allowed_addresses"];
      const write = async (text: string) => {
        await press("Change addresses");
        await dialogOf().getByLabel("Addresses and networks").fill(text);
        await dialogOf().getByRole("button", { name: "Save" }).click();
      };
      await go("/access/signon");
      await write("10.0.0.0/40");
      await dialogOf()
        .getByRole("alert")
        .filter({ hasText: '"10.0.0.0/40" is not valid' })
        .waitFor();
      await dialogOf().getByLabel("Addresses and networks").fill("198.51.100.0/24");
      await dialogOf().getByRole("button", { name: "Save" }).click();
      const confirm = dialogOf().getByLabel("I have another way in. Save anyway");
      await confirm.waitFor();
      assert.match(await dialogOf().getByRole("alert").innerText(), "127.0.0.1");
      assert.equal(await findBarriers(page), []);
      assert.is(await stored(), null);
      // A confirmation is valid for one address list, so a changed list needs another confirmation.
      await confirm.check();
      await dialogOf().getByLabel("Addresses and networks").fill("198.51.100.0/25");
      await confirm.waitFor({ state: "detached" });
      await dialogOf()
        .getByLabel("Addresses and networks")
        .fill("127.0.0.0/8, 198.51.100.0/24\n::1");
      await dialogOf().getByRole("button", { name: "Save" }).click();
      await page.getByText("3 networks").waitFor();
      assert.equal(await stored(), ["127.0.0.0/8", "198.51.100.0/24", "::1"]);
      assert.match(await page.locator("console-address-limit").innerText(), "198.51.100.0/24");
      await write("");
      await page.getByText("from any address").waitFor();
      assert.is(await stored(), null);
    },
  );

  test.deep(
    "an embed token can be limited to pages and addresses, and an API token to a number of days",
    async () => {
      const { page } = opened;
      await go("/access/tokens");
      await press("Issue token");
      const dialog = dialogOf();
      await dialog.getByLabel("User name").fill("reader-of-a-page");
      await dialog.getByText("Trips").click();
      await dialog.getByLabel("Allowed pages").fill("https://shop.example.com/basket");
      await dialog.getByRole("button", { name: "Issue token" }).click();
      await dialog.getByRole("alert").filter({ hasText: "shop.example.com/basket" }).waitFor();
      await dialog.getByLabel("Allowed pages").fill("https://shop.example.com");
      await dialog.getByLabel("Allowed IP addresses").fill("203.0.113.0/24\n2001:db8::/48");
      assert.equal(await findBarriers(page), []);
      await dialog.getByRole("button", { name: "Issue token" }).click();
      const [key = ""] = (await dialog.locator("pre").innerText()).split("\n");
      await dialog.getByRole("button", { name: "See as this token" }).click();
      await page.getByText("Only pages of https://shop.example.com can use it.").waitFor();
      await page.getByText("only from the addresses 203.0.113.0/24, 2001:db8::/48.").waitFor();
      const body = { action: "explain", id: key, ...people.owner.pair };
      const { body: explained } = await people.call("authorization", body);
      assert.equal(explained["allowed_origins"], ["https://shop.example.com"]);
      assert.equal(explained["allowed_addresses"], ["203.0.113.0/24", "2001:db8::/48"]);

      await go("/access/tokens");
      await press("Create an API token");
      const pair = dialogOf();
      await pair.getByLabel("Purpose").fill("of thirty days");
      await pair.getByLabel("Lifetime in days").fill("-1");
      await pair.getByRole("button", { name: "Create an API token" }).click();
      await pair.getByRole("alert").waitFor();
      await pair.getByLabel("Lifetime in days").fill("30");
      await pair.getByLabel("Allowed IP addresses").fill("203.0.113.9");
      await pair.getByRole("button", { name: "Create an API token" }).click();
      await dialogOf().getByText("shown only once").waitFor();
      const made = await one("authorization", { description: "of thirty days" });
      const lifeMs = Date.parse(String(made["expiry"])) - Date.parse(String(made["created_at"]));
      assert.is(Math.round(lifeMs / 86_400_000), 30);
      assert.equal(made["allowed_addresses"], ["203.0.113.9"]);
    },
  );

  test.deep(
    "every tab of the access page is accessible and fits a width of 360 px, in dark mode",
    async () => {
      const { page } = opened;
      await page.emulateMedia({ colorScheme: "dark" });
      await page.setViewportSize({ width: 360, height: 800 });
      const group = await one("group", { public: true });
      for (const [path, expected] of [
        ["/access/people", "Last sign-in"],
        [`/access/people/${people.owner.id}`, "End access"],
        ["/access/groups", "Suborganization"],
        [`/access/groups/${String(group["id"])}`, "Everyone in the organization"],
        ["/access/suborganizations", "Suborganizations"],
        ["/access/integrations", "Create integration"],
        ["/access/signon", "Add provider"],
        ["/access/signon/new", "Rights from claims"],
        ["/access/tokens", "Your API tokens"],
        ["/access/audit", "Export CSV"],
        [`/access/people/${crypto.randomUUID()}`, "This person does not exist"],
      ] as const) {
        await go(path);
        await page.getByText(expected).first().waitFor();
        assert.equal(await findBarriers(page), [], path);
        const [wide, seen] = await page.evaluate(() => [
          document.documentElement.scrollWidth,
          document.documentElement.clientWidth,
        ]);
        assert.ok((wide ?? 0) <= (seen ?? 0), `${path} scrolls sideways: ${wide}`);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.emulateMedia({ colorScheme: "light" });
    },
  );

  test.deep("members do not see tabs, buttons or forms that only owners can use", async () => {
    const member = await people.add("Member");
    const { page, reports } = await openConsolePage(browser, {
      url: people.host.url,
      pair: member.pair,
    });
    await page.goto(`${people.host.url}/access`);
    await page.getByText("1 group", { exact: true }).waitFor();
    assert.equal(
      await page
        .getByRole("tab")
        .allTextContents()
        .then((all) => all.map((each) => each.trim())),
      ["Groups", "Tokens"],
    );
    assert.is(await page.getByRole("button", { name: "Create group" }).count(), 0);
    for (const path of [
      "/access/people",
      "/access/audit",
      "/access/signon/new",
      "/access/suborganizations",
    ]) {
      await page.goto(people.host.url + path);
      await page.getByText("Only owners of the organization can see this").waitFor();
    }
    await page.goto(`${people.host.url}/access/tokens`);
    await page.getByText("Your API tokens").waitFor();
    assert.is(await page.getByRole("button", { name: "Issue token" }).count(), 0);
    await page.goto(`${people.host.url}/plugins`);
    await page.getByRole("heading", { name: "Plugins", exact: true }).waitFor();
    assert.is(await page.getByRole("button", { name: "Register plugin" }).count(), 0);
    assert.equal(reports, []);
    await page.close();
  });

  test.deep("no tab of the access page violates the security policy or reports an error", () => {
    assert.equal(opened.reports, []);
  });
});
