import { createHmac, randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import * as assert from "uvu/assert";
import { type ClientError, createClient } from "../../core/web/client/index.ts";
import type { ManifoldDashboard } from "../../core/web/embed/index.ts";
import { buildPackages, type BuiltPackages } from "../support/buildPackages.ts";
import { eventually } from "../support/eventually.ts";
import { layer } from "../support/layer.ts";
import { openBrowser } from "../support/openBrowser.ts";
import { suite } from "../support/suite.ts";
import { openTenantHost } from "../core/operating/transfer/openTenantHost.ts";
import { openApp, type OpenApp } from "./openApp.ts";
import { commandsOf, type TwoCustomersApp } from "./twoCustomersApps.ts";

const main = join(import.meta.dirname, "../../core/cli/main.ts");
/** Runs the commands of the host's package from these sources. */
const npx = `npx() { shift; "${process.execPath}" --conditions=manifold-source "${main}" "$@"; }`;

/** Runs before each page. Turns violations of its content security policy into console errors. */
const report = `document.addEventListener("securitypolicyviolation", (event) =>
  console.error("policy: " + event.violatedDirective + " " + event.blockedURI + " " + event.sample))`;

const ann = { email: "ann@acme.example", tenant: "acme", cities: ["Antwerpen", "Gent", "Leuven"] };
const bob = { email: "bob@boreal.example", tenant: "boreal", cities: ["Lille", "Lyon"] };
type User = typeof ann;

interface Issued {
  readonly id: string;
  readonly token: string;
}

/** Tests an example app whose users belong to two customers. The apps differ only in their framework. */
export function twoCustomersSuite(example: TwoCustomersApp): void {
  const { push, verify, release } = commandsOf(example);
  suite(example.example, (test) => {
    let built: BuiltPackages;
    let app: OpenApp;
    let browser: Browser;
    test.before(async () => {
      // Building takes half a minute, and only tests of the deep layer use the app.
      if (layer === "quick") return;
      built = await buildPackages();
      app = await openApp(example, built);
      browser = await openBrowser();
    });
    test.after(async () => {
      await browser?.close();
      await app?.close();
      built?.remove();
    });

    const post = (path: string, headers: Readonly<Record<string, string>> = {}, body?: string) =>
      fetch(app.url + path, {
        method: "POST",
        redirect: "manual",
        headers: { Origin: app.url, ...headers },
        ...(body !== undefined && { body }),
      });
    const passwordOf = ({ email }: User) => app.passwords.get(email) ?? "";
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    /** Signs a user in without a browser, and returns the cookie. */
    const signIn = async (user: User) => {
      const given = new URLSearchParams({ email: user.email, password: passwordOf(user) });
      const answer = await post("/session", form, given.toString());
      assert.is(answer.status, 303);
      return (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    };
    const issueTo = async (user: User): Promise<Issued> =>
      (await post("/token", { Cookie: await signIn(user) })).json();

    /** Sends a call to the host as the page of the app does. */
    const callHost = async ({ id, token }: Issued, resource: string, members: object) => {
      const answer = await fetch(`${app.hostUrl}/0.1.0/${resource}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", Origin: app.url },
        body: JSON.stringify({ version: "0.1.0", key: id, token, ...members }),
      });
      const body: {
        readonly data?: readonly (readonly [{ readonly id: string } | null])[];
        readonly rows?: readonly unknown[];
      } = await answer.json();
      return { status: answer.status, body };
    };
    const query = (issued: Issued, find: object) =>
      callHost(issued, "data", { action: "get", find });
    const columnsOf = async () => {
      const { rows } = await app.client.get("column", {
        where: { securable_id: app.settings.get("DATASET") },
      });
      return (name: string) => ({
        dataset_id: app.settings.get("DATASET"),
        column_id: rows.find(({ source_name }) => source_name === name)?.id,
      });
    };

    /** Opens a new browser session in which a user signs in by the form. */
    const withPage = async (
      user: User,
      check: (page: Page, reports: readonly string[]) => Promise<void>,
    ) => {
      const context = await browser.newContext({ viewport: { width: 1_000, height: 700 } });
      const page = await context.newPage();
      const reports: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error") reports.push(message.text());
      });
      page.on("pageerror", (failure) => reports.push(String(failure)));
      await page.addInitScript(report);
      try {
        await page.goto(app.url);
        await page.getByLabel("E-mail address").fill(user.email);
        await page.getByLabel("Password").fill(passwordOf(user));
        await page.getByRole("button", { name: "Sign in" }).click();
        await page.locator('[data-item="parcels-per-city"] [data-mark]').first().waitFor();
        await check(page, reports);
      } finally {
        await context.close();
      }
    };
    /** Returns the cities that a page shows. */
    const citiesOn = (page: Page) =>
      page.evaluate(async () => {
        const dashboard = document.querySelector<ManifoldDashboard>("manifold-dashboard")!;
        const { rows } = await dashboard.getData("parcels-per-city");
        return rows
          .map(([cell]) =>
            typeof cell === "object" && cell !== null && "id" in cell ? String(cell.id) : "",
          )
          .toSorted();
      });

    test.deep("the app type-checks in strict mode with the types of the packages", async () => {
      await app.run(`"${join(import.meta.dirname, "../../node_modules/.bin/tsc")}" -p .`);
    });

    test.deep("each user sees only the rows of their own customer, in its language", async () => {
      for (const [user, title] of [
        [ann, "Pakketten per stad"],
        [bob, "Colis par ville"],
      ] as const)
        await withPage(user, async (page, reports) => {
          assert.equal(await citiesOn(page), user.cities);
          await page.getByText(title).first().waitFor({ state: "attached" });
          assert.equal(reports, []);
        });
    });

    test.deep("the theme of the customer colors the dashboard", async () => {
      const grounds: string[] = [];
      for (const user of [ann, bob])
        await withPage(user, async (page) => {
          const root = page.locator(".mf-dashboard");
          grounds.push(await root.evaluate((each) => getComputedStyle(each).backgroundColor));
        });
      assert.is(new Set(grounds).size, 2, String(grounds));
    });

    test.deep("no query with a customer's token returns a row of the other customer", async () => {
      const column = await columnsOf();
      const [tenant, city] = [column("tenant"), column("city")];
      const hostile = [
        {},
        { where: [{ expression: "? = ?", parameters: [tenant, bob.tenant] }] },
        { where: [{ expression: "? in ?", parameters: [tenant, [ann.tenant, bob.tenant]] }] },
        { where: [{ expression: "? != ?", parameters: [tenant, ann.tenant] }] },
        { where: [{ expression: "? is null", parameters: [tenant] }] },
        {
          where: [
            {
              expression: "? = ?",
              parameters: [
                tenant,
                { parameter: "metadata.tenant", type: "hierarchy", value: bob.tenant },
              ],
            },
          ],
        },
        {
          where: [
            {
              or: [
                { expression: "? = ?", parameters: [city, "Lille"] },
                { expression: "? is not null", parameters: [city] },
              ],
            },
          ],
        },
        { options: { rollup_data: false } },
      ];
      const issued = await issueTo(ann);
      const seen = new Set<string | undefined>();
      for (const more of hostile) {
        const { status, body } = await query(issued, { dimensions: [tenant], ...more });
        if (status === 200) for (const [cell] of body.data ?? []) seen.add(cell?.id);
        else assert.is(status, 400, JSON.stringify([more, body]));
      }
      assert.equal([...seen], [ann.tenant]);
    });

    test.deep("a token without the parameter reads no rows", async () => {
      const column = await columnsOf();
      const issued = await app.client.create("authorization", {
        type: "embed",
        username: "nobody",
        access: { datasets: [{ id: app.settings.get("DATASET") ?? "", rights: "use" }] },
      });
      const { status } = await query(issued, { dimensions: [column("tenant")] });
      assert.is(status, 403);
    });

    test.deep("a page cannot change the token that the app issued", async () => {
      const issued = await issueTo(ann);
      const { id } = issued;
      const wider = { parameter_overrides: { tenant: { clear: true } } };
      for (const [resource, members] of [
        ["authorization", { action: "update", id, properties: wider }],
        ["authorization", { action: "create", properties: { type: "embed", ...wider } }],
        ["authorization", { action: "create", properties: { type: "api" } }],
        ["data", { action: "create", properties: { type: "append", data: [["acme"]] } }],
        ["embedfiltergroup", { action: "get" }],
      ] as const) {
        const { status } = await callHost(issued, resource, members);
        assert.ok(status >= 400 && status < 500, `${resource} ${members.action} ${status}`);
      }
    });

    test.deep(
      "the app issues tokens only to signed-in users, and revokes them at sign-out",
      async () => {
        assert.is((await post("/token")).status, 401);
        assert.is((await post("/token", { Cookie: "session=guessed" })).status, 401);
        const cookie = await signIn(ann);
        const issued: Issued = await (await post("/token", { Cookie: cookie })).json();
        const column = await columnsOf();
        const find = { dimensions: [column("city")] };
        assert.is((await query(issued, find)).status, 200);
        assert.is((await post("/session/end", { Cookie: cookie })).status, 303);
        assert.is((await post("/token", { Cookie: cookie })).status, 401);
        assert.is((await query(issued, find)).status, 401);
      },
    );

    test.deep("a wrong password and an unknown address get the same answer", async () => {
      const answers = [];
      for (const email of [ann.email, "nobody@acme.example"]) {
        const given = new URLSearchParams({ email, password: "wrong" });
        const answer = await post("/session", form, given.toString());
        answers.push([answer.status, answer.headers.get("location"), await answer.text()]);
        assert.is(answer.headers.get("set-cookie"), null);
      }
      assert.equal(answers[0], answers[1]);
      assert.is((await post("/session", form, "")).headers.get("set-cookie"), null);
    });

    test.deep("scripts cannot read the session cookie, and other sites cannot post", async () => {
      const given = new URLSearchParams({ email: ann.email, password: passwordOf(ann) });
      const answer = await post("/session", form, given.toString());
      const cookie = answer.headers.get("set-cookie") ?? "";
      assert.match(cookie, /; HttpOnly/i);
      assert.match(cookie, /; SameSite=Lax/i);
      const [session = ""] = cookie.split(";");
      for (const path of ["/token", "/session", "/session/end"])
        for (const origin of ["https://evil.example", "null"]) {
          const foreign = await post(path, { ...form, Cookie: session, Origin: origin }, "");
          assert.is(foreign.status, 403, `${path} ${origin}`);
        }
      assert.is((await post("/token", { Cookie: session })).status, 200);
    });

    const send = (body: string, more: Readonly<Record<string, string>> = {}, secret?: string) => {
      const [id, sentAt] = [
        randomUUID(),
        more["webhook-timestamp"] ?? `${Math.floor(Date.now() / 1000)}`,
      ];
      const used = secret ?? app.settings.get("EVENTS_SECRET") ?? "";
      const key = Buffer.from(used.replace("whsec_", ""), "base64");
      const digest = createHmac("sha256", key).update(`${id}.${sentAt}.${body}`).digest("base64");
      return fetch(`${app.url}/events`, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          "webhook-id": id,
          "webhook-timestamp": sentAt,
          "webhook-signature": `v1,${digest}`,
          ...more,
        },
        body,
      });
    };
    const eventOf = (lateCount: number, timestamp: string, kind = "firing") =>
      JSON.stringify({
        type: "alert",
        timestamp,
        data: {
          notices: [{ key: '["boreal"]', kind }],
          rows: kind === "firing" ? [[{ id: "boreal" }, lateCount]] : [],
        },
      });
    const homeOf = async (user: User) =>
      (await fetch(app.url, { headers: { Cookie: await signIn(user) } })).text();

    test.deep("the app refuses events that the host did not sign", async () => {
      const body = eventOf(777, "2020-01-01T00:00:00.000Z");
      const old = String(Math.floor(Date.now() / 1000) - 600);
      for (const refused of [
        await send(body, {}, "whsec_c29tZWJvZHkgZWxzZSdzIHNlY3JldA=="),
        await send(body, { "webhook-signature": "v1,wrong" }),
        await send(body, { "webhook-signature": "" }),
        await send(body, { "webhook-id": "another" }),
        await send(body, { "webhook-timestamp": old }),
        await post("/events", { "Content-Type": "application/json" }, body),
        await post("/events", {}, ""),
      ])
        assert.is(refused.status, 401);
      assert.not.match(await homeOf(bob), "777 colis");
    });

    test.deep("a repeated or reordered event changes nothing", async () => {
      const [early, late] = ["2020-01-01T00:00:00.000Z", "2020-01-02T00:00:00.000Z"];
      assert.is((await send(eventOf(778, late))).status, 204);
      assert.is((await send(eventOf(779, early))).status, 204);
      assert.match(await homeOf(bob), /778 (colis|pakketten)/);
      assert.not.match(await homeOf(ann), /778 (colis|pakketten)/);
      assert.is((await send(eventOf(0, "2020-01-03T00:00:00.000Z", "resolved"))).status, 204);
      assert.not.match(await homeOf(bob), /778 (colis|pakketten)/);
    });

    test.deep("an alert tells the app, which shows it only to the customer concerned", async () => {
      assert.not.match(await homeOf(ann), 'id="late"');
      await app.run(push);
      await app.makeAlertDue();
      await eventually(async () => /id="late"/.test(await homeOf(ann)), "the alert", 120_000);
      assert.match(await homeOf(ann), /8\d\d pakketten/);
      assert.not.match(await homeOf(bob), 'id="late"');
    });

    test.deep("the page renews its token before it expires, and when the host refuses it", () =>
      withPage(ann, async (page, reports) => {
        const issued: Issued[] = [];
        page.on("response", async (response) => {
          if (response.url().endsWith("/token")) issued.push(await response.json());
        });
        await page.clock.install();
        await page.reload();
        await page.locator('[data-item="parcels-per-city"] [data-mark]').first().waitFor();
        await eventually(() => issued.length === 1, "the first token");
        await page.clock.fastForward("14:30");
        await eventually(() => issued.length === 2, "a token before the first one expires");
        await app.client.delete("authorization", issued[1]!.id);
        await page.evaluate(() =>
          document.querySelector<ManifoldDashboard>("manifold-dashboard")!.refresh(),
        );
        await eventually(() => issued.length === 3, "a token after the host refused the last one");
        assert.equal(await citiesOn(page), ann.cities);
        assert.equal(
          reports.filter((text) => !text.includes("401")),
          [],
        );
      }),
    );

    test.deep("verify-isolation finds no leak between the tokens of the two users", async () => {
      const [ofAnn, ofBob] = [await issueTo(ann), await issueTo(bob)];
      const keys = `KEY_OF_ANN=${ofAnn.id} KEY_OF_BOB=${ofBob.id}`;
      const printed = await app.run(`${npx}\n${keys}\n${verify}`);
      assert.match(printed, /\nno leak\n$/);
    });

    test.deep(
      "the model is released to another host with its row filter and its alert",
      async () => {
        const production = await openTenantHost();
        try {
          const { url, key, token, client } = production;
          await app.run(
            `printf 'APP_URL=https://app.example.com\\nMANIFOLD_URL=${url}\\nMANIFOLD_KEY=${key}\\nMANIFOLD_TOKEN=${token}\\n' > production.env`,
          );
          const printed = await app.run(`${npx}\n${release}`);
          assert.match(printed, /the secret of the channel, shown only once: whsec_/);
          const [organization] = (await client.get("organization")).rows;
          const ids: Readonly<Record<string, string>> = JSON.parse(
            await app.run(`cat model/ids.${organization?.id}.json`),
          );
          const idOf = (name: string) => ids[app.settings.get(name) ?? ""] ?? "";
          await app.run(
            `printf 'DATASET=${idOf("DATASET")}\\n' >> production.env
          node --env-file=production.env src/pushRow.ts acme Gent 10 1
          node --env-file=production.env src/pushRow.ts boreal Lille 20 2`,
          );
          const dataset_id = idOf("DATASET");
          const { rows } = await client.get("column", { where: { securable_id: dataset_id } });
          const column_id = rows.find(({ source_name: name }) => name === "city")?.id ?? "";
          const find = { dimensions: [{ dataset_id, column_id }] };
          const readWith = async (more: object): Promise<string> => {
            const access = {
              dashboards: [{ id: idOf("DASHBOARD"), rights: "read" as const }],
              datasets: [{ id: dataset_id, rights: "use" as const }],
            };
            const issued = await client.create("authorization", {
              type: "embed",
              username: "reader",
              access,
              ...more,
            });
            const reader = createClient({ url, key: issued.id, token: issued.token });
            return reader.get("data", find).then(
              ({ data }) => JSON.stringify(data),
              (failure: ClientError) => String(failure.status),
            );
          };
          assert.match(
            await readWith({ parameter_overrides: { tenant: "acme" } }),
            /^\[\[.*Gent.*\]\]$/,
          );
          assert.is(await readWith({}), "403");
          const alerts = await client.get("alert", {
            include: [{ model: "Channel", as: "Channels" }],
          });
          assert.match(JSON.stringify(alerts.rows), '"type":"webhook"');
        } finally {
          await production.close();
        }
      },
    );

    test.deep("while the host is down the page says so, and it recovers by itself", () =>
      withPage(bob, async (page) => {
        const message = page.locator("#unavailable");
        assert.not(await message.isVisible());
        await app.stopHost();
        await page.reload();
        await message.waitFor();
        assert.match((await message.textContent()) ?? "", "Les chiffres");
        assert.is((await post("/token", { Cookie: await signIn(bob) })).status, 503);
        await app.startHost();
        await page.locator('[data-item="parcels-per-city"] [data-mark]').first().waitFor();
        await message.waitFor({ state: "hidden" });
        assert.equal(await citiesOn(page), bob.cities);
      }),
    );
  });
}
