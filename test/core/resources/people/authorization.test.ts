import * as assert from "uvu/assert";
import { randomUUID } from "node:crypto";
import { authenticate } from "../../../../core/identity/access/index.ts";
import { createKernel } from "../../../../core/resources/index.ts";
import { silentLog } from "../../../support/catalog.ts";
import { suite } from "../../../support/suite.ts";
import { openTokens, type Tokens } from "../../identity/access/openTokens.ts";
import type { Refusal } from "../openTenants.ts";

const hour = 3_600_000;

suite("core/resources/people/authorization", (test) => {
  let tokens: Tokens;
  test.before(async () => {
    tokens = await openTokens();
  });
  test.after(() => tokens.close());

  const refuse = (properties: object, maker = tokens.ada): Promise<Refusal> =>
    tokens.refusal(maker, "authorization", "create", {
      properties: { type: "embed", username: "u-1", ...properties },
    });
  const expiryOf = (answer: { readonly [member: string]: unknown }) =>
    Date.parse(String(answer["expiry"])) - Date.now();

  test("an API token acts as its user and does not expire by default", async () => {
    const { bob, call, whoIs } = tokens;
    const made = await call(bob, "authorization", "create", { properties: { type: "api" } });
    assert.is(made["expiry"], "9999-12-31T00:00:00.000Z");
    const who = await whoIs({ id: made.id, token: String(made["token"]) });
    assert.is(who.userId, bob.userId);
    assert.is(who.restriction, undefined);
  });

  test("a host can limit the lifetime of new API tokens, even of tokens created without an expiry", async () => {
    const { bob, catalog, records, call, whoIs } = tokens;
    const before = await call(bob, "authorization", "create", { properties: { type: "api" } });
    const { handlers } = createKernel({
      records,
      catalog,
      cipher: catalog.cipher,
      connections: tokens.connections,
      log: silentLog,
      apiTokenDays: 90,
    });
    const make = async (properties: object) =>
      (await handlers["authorization"]?.create?.({
        resource: "authorization",
        action: "create",
        body: { action: "create", properties: { type: "api", ...properties } },
        principal: bob,
        requestId: randomUUID(),
        address: undefined,
        signal: new AbortController().signal,
      })) as { readonly [member: string]: unknown };
    const days = async (properties: object) =>
      Math.round(expiryOf(await make(properties)) / (24 * hour));
    assert.is(await days({}), 90);
    assert.is(await days({ expiry: "90 days" }), 90);
    assert.is(await days({ expiry: "1 day" }), 1);
    const [kept] = await records.find("authorization", { id: before.id });
    assert.is(kept?.expiry.toISOString(), "9999-12-31T00:00:00.000Z");
    assert.is((await whoIs({ id: before.id, token: String(before["token"]) })).userId, bob.userId);
    await make({ expiry: "91 days" }).then(
      () => assert.unreachable("91 days were accepted"),
      (failure: Error) => assert.match(failure.message, /expiry.*at most 90 days ahead/),
    );
  });

  test("a token works only from its allowed origins and addresses, which `create` returns", async () => {
    const { ada, bob, call, catalog } = tokens;
    const options = { catalog, cipher: catalog.cipher };
    const listed = {
      allowed_origins: ["https://App.Example.com:443"],
      allowed_addresses: ["203.0.113.0/24"],
    };
    const ofBrowser = await tokens.mint(listed);
    const ofServer = await call(bob, "authorization", "create", {
      properties: { type: "api", allowed_addresses: ["2001:db8::/32"] },
    });
    assert.equal(ofBrowser["allowed_origins"], ["https://app.example.com"]);
    assert.equal(ofBrowser["allowed_addresses"], ["203.0.113.0/24"]);
    const codeOf = (pair: { id: string; token?: unknown }, address: string, origin?: string) =>
      authenticate(options, { key: pair.id, token: pair.token }, { address, origin }).then(
        () => "let in",
        (failure: { code?: string }) => failure.code,
      );
    const page = "https://app.example.com";
    assert.is(await codeOf(ofBrowser, "203.0.113.9", page), "let in");
    assert.is(await codeOf(ofBrowser, "203.0.113.9", "https://evil.test"), "SOURCE_REFUSED");
    assert.is(await codeOf(ofBrowser, "203.0.113.9"), "SOURCE_REFUSED");
    assert.is(await codeOf(ofBrowser, "198.51.100.1", page), "SOURCE_REFUSED");
    assert.is(await codeOf({ ...ofBrowser, token: "wrong" }, "198.51.100.1"), "UNAUTHORIZED");
    assert.is(await codeOf(ofServer, "2001:db8::1"), "let in");
    assert.is(await codeOf(ofServer, "203.0.113.9"), "SOURCE_REFUSED");
    await tokens.whoIs({ id: ofServer.id, token: String(ofServer["token"]) }).then(
      () => assert.unreachable("a call without a source was accepted"),
      (failure: { code?: string }) => assert.is(failure.code, "SOURCE_REFUSED"),
    );
    for (const [member, value] of [
      ["allowed_origins", []],
      ["allowed_origins", ["*"]],
      ["allowed_origins", ["https://a.example/x"]],
      ["allowed_addresses", []],
      ["allowed_addresses", ["10.0.0.0/40"]],
      ["allowed_addresses", Array.from({ length: 101 }, () => "10.0.0.1")],
      ["allowed_addresses", "10.0.0.1"],
    ] as const) {
      const { code, message } = await refuse({ [member]: value }, ada);
      assert.is(code, "MEMBER_INVALID");
      assert.match(message, `properties.${member}`);
    }
  });

  test("creating an API token fails if it contains any restriction", async () => {
    const narrowing = {
      username: "u",
      role: "viewer",
      access: {},
      securables: [],
      filters: [],
      parameter_overrides: {},
      account_overrides: {},
      hidden_columns: [],
      environment: "production",
      integration_id: randomUUID(),
    };
    for (const [member, value] of Object.entries(narrowing)) {
      const { code, message } = await tokens.refusal(tokens.ada, "authorization", "create", {
        properties: { type: "api", [member]: value },
      });
      assert.is(code, "MEMBER_INVALID");
      assert.match(message, `properties.${member}`);
    }
  });

  test("a new user gets a login token, which can only create the user's API tokens", async () => {
    const { bob, call, whoIs } = tokens;
    const { ada } = tokens;
    const properties = { email: "new@example.org", name: "New" };
    const user = await call(ada, "user", "create", { properties });
    const pair = { id: String(user["key"]), token: String(user["token"]) };
    const itself = await whoIs(pair);
    assert.equal(
      [itself.userId, itself.authorizationType, itself.organizationRole, itself.organizationId],
      [user.id, "login", "member", ada.organizationId],
    );
    const signedIn = { ...bob, authorizationType: "login" as const };
    const made = await call(signedIn, "authorization", "create", { properties: { type: "api" } });
    assert.is((await whoIs({ id: made.id, token: String(made["token"]) })).userId, bob.userId);
    assert.is((await refuse({}, signedIn)).code, "FORBIDDEN");
  });

  test("the error for an invalid new token never contains the refused value", async () => {
    const { dataset, columns } = tokens;
    const canary = "canary-value";
    const account = { [randomUUID()]: { password: canary, host: [canary], url: canary } };
    const filter = { securable_id: dataset, column_id: columns["km"], expression: "? = ?" };
    const parameter = { parameter: "t", type: "numeric" };
    const open = { [randomUUID()]: { password: canary, host: canary, properties: { a: canary } } };
    for (const properties of [
      { account_overrides: account },
      { account_overrides: open },
      { account_overrides: { [randomUUID()]: { base_url: canary } } },
      { filters: [{ ...filter, value: canary }] },
      {
        filters: [{ ...filter, value: parameter }],
        parameter_overrides: { t: { value: canary, sensitive: true } },
      },
      { parameter_overrides: { t: { value: [{ canary }], sensitive: true } } },
      { metadata: [canary] },
      { expiry: canary },
    ]) {
      const { message, validation } = await refuse(properties);
      assert.not.match(JSON.stringify([message, validation]), /canary/);
    }
  });

  test("callers cannot create tokens of type login or technical", async () => {
    for (const type of ["login", "technical", "Embed", "", null, 1])
      assert.is((await refuse({ type })).code, "MEMBER_INVALID", String(type));
  });

  test("an embed token is valid for 24 hours by default, and for at most a year", async () => {
    const { mint } = tokens;
    const around = (actual: number, expected: number) =>
      assert.ok(Math.abs(actual - expected) < 60_000, `${actual} instead of ${expected}`);
    around(expiryOf(await mint()), 24 * hour);
    around(expiryOf(await mint({ expiry: "5 minutes" })), hour / 12);
    around(expiryOf(await mint({ expiry: "1 year" })), 365 * 24 * hour);
    const instant = new Date(Date.now() + 2 * hour).toISOString();
    assert.is((await mint({ expiry: instant }))["expiry"], instant);
    for (const expiry of ["366 days", "2 years", "9999-12-31T00:00:00.000Z", "999999999 years"])
      assert.match((await refuse({ expiry })).message, /expiry/, expiry);
    for (const expiry of ["0 minutes", "2020-01-01", "-1 hour", "soon", "", 5, {}, [], "1e3 days"])
      assert.is((await refuse({ expiry })).code, "MEMBER_INVALID", JSON.stringify(expiry));
  });

  test("an inactivity limit, in seconds or as a duration, is 0 or at least 120 seconds", async () => {
    const { mint } = tokens;
    for (const [given, stored] of [
      [0, 0],
      [120, 120],
      ["10 minutes", 600],
      ["2 hours", 7200],
    ])
      assert.is(
        (await mint({ inactivity_interval: given }))["inactivity_interval"],
        stored as number,
      );
    for (const given of [1, 119, -120, "1 minute", "often", true, [300]])
      assert.is(
        (await refuse({ inactivity_interval: given })).code,
        "MEMBER_INVALID",
        String(given),
      );
  });

  test("the secret of a new token is returned once, and the catalog stores only its hash", async () => {
    const { mint, whoIs, call, rows, catalog } = tokens;
    const made = await mint();
    assert.is(Buffer.from(made.token, "base64url").length, 32);
    const self = await whoIs(made);
    const seen = JSON.stringify([
      await rows(self, "authorization", { where: { id: made.id } }),
      await catalog.knex("authorization").select("*"),
      await call(tokens.ada, "authorization", "delete", { id: made.id }),
    ]);
    assert.not(seen.includes(made.token));
  });

  test("only an owner's API token can create embed tokens", async () => {
    const { ada, ben, bob, mint, whoIs } = tokens;
    for (const maker of [ben, bob, { ...ada, authorizationType: "login" as const }])
      assert.equal([(await refuse({}, maker)).code], ["FORBIDDEN"]);
    const embed = await whoIs(await mint());
    for (const type of ["embed", "api", "temporary"])
      assert.is((await refuse({ type }, embed)).code, "FORBIDDEN", type);
  });

  test("tokens have neither an update nor an associate action", () => {
    const { authorization } = tokens.kernel.handlers;
    assert.equal(Object.keys(authorization ?? {}).toSorted(), [
      "create",
      "delete",
      "get",
      "validate",
    ]);
  });

  test("only the issuer of a token can delete it by its id", async () => {
    const { ada, bob, ben, eve, mint, call, refusal, whoIs } = tokens;
    const made = await mint();
    for (const other of [bob, ben, eve, await whoIs(await mint({ username: "u-2" }))])
      assert.is(
        (await refusal(other, "authorization", "delete", { id: made.id })).code,
        "RECORD_NOT_FOUND",
      );
    await call(ada, "authorization", "delete", { id: made.id });
    assert.is(await whoIs(made).catch((failure: Refusal) => failure.code), "UNAUTHORIZED");
  });

  test("an embed token can find only itself, and an API token can find only API tokens", async () => {
    const { ada, mint, rows, whoIs } = tokens;
    const [made, other] = [await mint(), await mint()];
    const self = await whoIs(made);
    const idsOf = async (principal: typeof ada, find?: object) =>
      (await rows(principal, "authorization", find)).map(({ id }) => id);
    assert.equal(await idsOf(self, { where: { id: made.id } }), [made.id]);
    assert.equal(await idsOf(self, { where: { id: other.id } }), []);
    assert.equal(await idsOf(ada, { where: { id: made.id } }), []);
    assert.ok((await idsOf(ada, { where: { type: "api" } })).length > 0);
    assert.equal(await idsOf({ ...ada, authorizationType: "login" }), []);
  });

  test("a username identifies one user of the organization, and the newest token updates the user's record", async () => {
    const { ada, eve, mint, whoIs, rows } = tokens;
    const first = await whoIs(
      await mint({
        username: "u-7",
        name: "Ida",
        email: "ida@example.org",
        locale_id: "fr",
        theme: { a: 1 },
      }),
    );
    const again = await whoIs(await mint({ username: "u-7", name: "Ida B" }));
    const other = await whoIs(await mint({ username: "u-8" }));
    const foreign = await whoIs(await mint({ username: "u-7" }, eve));
    assert.is(again.userId, first.userId);
    assert.is(new Set([first.userId, other.userId, foreign.userId]).size, 3);
    assert.equal([again.name, again.email], ["Ida B", "ida@example.org"]);
    assert.is(again.organizationRole, "member");
    const [user] = await rows(ada, "user", { where: { id: first.userId } });
    assert.equal(
      [user?.["name"], user?.["email"], user?.["locale_id"], user?.["theme"]],
      ["Ida B", "ida@example.org", "fr", { a: 1 }],
    );
  });

  test("tokens that are created concurrently with the same new name share one user", async () => {
    const { mint, whoIs } = tokens;
    const made = await Promise.all(Array.from({ length: 8 }, () => mint({ username: "u-many" })));
    const users = await Promise.all(made.map((pair) => whoIs(pair)));
    assert.is(new Set(users.map(({ userId }) => userId)).size, 1);
  });

  test("embed and sso tokens require a name, but temporary tokens require no name and accept securables", async () => {
    const { mint, dashboard, whoIs } = tokens;
    assert.match((await refuse({ username: null })).message, /properties\.username/);
    assert.match((await refuse({ username: "" })).message, /properties\.username/);
    assert.match((await refuse({ type: "sso" })).message, /properties\.integration_id/);
    assert.match((await refuse({ securables: [dashboard] })).message, /securables/);
    assert.match((await refuse({ integration_id: randomUUID() })).message, /integration_id/);
    const made = await mint({ type: "temporary", username: null, securables: [dashboard] });
    const { restriction } = await whoIs(made);
    assert.equal([...(restriction?.securables ?? [])], [[dashboard, "read"]]);
  });

  test("an issuer in a suborganization can create tokens only for that suborganization", async () => {
    const { ada, addUser, mint, whoIs } = tokens;
    const owner = { flagEditor: true, flagOwn: true };
    const north = await addUser(ada, "north", { suborganization: "north" }, owner);
    const made = await whoIs(await mint({ username: "n-1" }, north));
    assert.is(made.suborganization, "north");
    assert.is(
      (await refuse({ username: "n-2", suborganization: "south" }, north)).code,
      "FORBIDDEN",
    );
    await mint({ username: "s-1", suborganization: "south" });
    assert.is((await refuse({ username: "s-1" }, north)).code, "FORBIDDEN");
  });

  test("a token can never give rights that its issuer lacks", async () => {
    const { ada, bob, eve, call, records, dataset, otherDashboard, foreignDataset } = tokens;
    const { columns, foreignColumn, dashboard, make, catalog, addUser } = tokens;
    const owner = { flagEditor: true, flagOwn: true };
    const zoe = await addUser(ada, "zoe", {}, owner);
    const share = (id: string, flags: object) =>
      call(ada, "securable", "associate", {
        id,
        resource: { role: "Users", id: zoe.userId },
        properties: flags,
      });
    await share(dataset, { flagRead: true });
    await share(dashboard, { flagUse: true });
    const collection = await make(ada, "collection");
    const account = await records.insert("account", { provider: "p", user_id: ada.userId });
    await catalog
      .knex("account_user")
      .insert({ account_id: account.id, user_id: zoe.userId, flagModify: true, flagUse: true });
    const integration = await make(ada, "integration");
    const filter = { securable_id: dataset, column_id: columns["city"], expression: "? = ?" };
    const cases: readonly [object, string][] = [
      [{ access: { datasets: [{ id: dataset, rights: "use" }] } }, "FORBIDDEN"],
      [{ access: { datasets: [{ id: dataset, rights: "own" }] } }, "FORBIDDEN"],
      [{ access: { dashboards: [{ id: dashboard, rights: "modify" }] } }, "FORBIDDEN"],
      [{ access: { dashboards: [{ id: otherDashboard }] } }, "RECORD_NOT_FOUND"],
      [{ access: { dashboards: [{ id: dataset }] } }, "RECORD_NOT_FOUND"],
      [{ access: { datasets: [{ id: foreignDataset }] } }, "RECORD_NOT_FOUND"],
      [{ access: { datasets: [{ id: randomUUID() }] } }, "RECORD_NOT_FOUND"],
      [{ access: { collections: [{ id: collection }] } }, "RECORD_NOT_FOUND"],
      [{ type: "temporary", securables: [otherDashboard] }, "RECORD_NOT_FOUND"],
      [{ type: "sso", integration_id: integration }, "RECORD_NOT_FOUND"],
      [{ hidden_columns: [foreignColumn] }, "RECORD_NOT_FOUND"],
      [{ hidden_columns: [randomUUID()] }, "RECORD_NOT_FOUND"],
      [{ filters: [{ ...filter, securable_id: foreignDataset, value: "a" }] }, "RECORD_NOT_FOUND"],
      [{ filters: [{ ...filter, column_id: foreignColumn, value: "a" }] }, "MEMBER_INVALID"],
      [{ account_overrides: { [account.id]: { host: "h" } } }, "FORBIDDEN"],
      [{ account_overrides: { [randomUUID()]: { host: "h" } } }, "FORBIDDEN"],
    ];
    for (const [properties, expected] of cases)
      assert.is((await refuse(properties, zoe)).code, expected, JSON.stringify(properties));
    for (const maker of [bob, eve])
      assert.ok(
        ["FORBIDDEN", "RECORD_NOT_FOUND"].includes(
          (await refuse({ access: { datasets: [{ id: dataset }] } }, maker)).code,
        ),
      );
    const { mint } = tokens;
    await mint(
      {
        access: { datasets: [{ id: dataset }], dashboards: [{ id: dashboard, rights: "use" }] },
        filters: [{ ...filter, value: "a" }],
        hidden_columns: [columns["km"]],
      },
      zoe,
    );
  });

  test("overriding `base_url` also requires rights on the plugin, whose secret is sent to that address", async () => {
    const { ada, eve, call, records, mint } = tokens;
    const shared = await call(eve, "plugin", "create", {
      properties: { slug: "shared", name: {}, base_url: "https://plugin.example.org" },
    });
    const values = { provider: "shared", user_id: ada.userId };
    const account = await records.insert("account", { ...values, plugin_id: shared.id });
    const base_url = "https://elsewhere.example.org";
    const datasets = { [randomUUID()]: { base_url } };
    for (const override of [{ base_url }, { datasets }])
      assert.is(
        (await refuse({ account_overrides: { [account.id]: override } })).code,
        "FORBIDDEN",
        JSON.stringify(override),
      );
    await mint({ account_overrides: { [account.id]: { host: "h", datasets: {} } } });
    const own = await call(ada, "plugin", "create", {
      properties: { slug: "own", name: {}, base_url: "https://plugin.example.org" },
    });
    const mine = await records.insert("account", { ...values, plugin_id: own.id });
    await mint({ account_overrides: { [mine.id]: { base_url } } });
  });

  test("the error for an invalid restriction of a token names the restriction's path", async () => {
    const { dataset, columns } = tokens;
    const account = { [randomUUID()]: {} };
    const filter = {
      securable_id: dataset,
      column_id: columns["city"],
      expression: "? = ?",
      value: "a",
    };
    const parameter = { parameter: "metadata.t", type: "hierarchy" };
    const [accountId] = Object.keys(account);
    const cases: readonly [object, RegExp][] = [
      [{ access: { dataset: [] } }, /access\.dataset/],
      [{ access: [1] }, /access/],
      [{ access: { datasets: {} } }, /access\.datasets/],
      [{ access: { datasets: [{ id: "x" }] } }, /access\.datasets\[0\]\.id/],
      [{ access: { datasets: [{ id: dataset, rights: "write" }] } }, /rights/],
      [{ access: { datasets: [{ id: dataset, right: "use" }] } }, /datasets\[0\]\.right/],
      [{ access: { collections: [{ id: dataset, rights: "use" }] } }, /collections\[0\]\.rights/],
      [{ filters: {} }, /filters/],
      [{ filters: ["city = a"] }, /filters\[0\]/],
      [{ filters: [{ ...filter, clause: "having" }] }, /filters\[0\]\.column_id.*numeric/],
      [{ filters: [{ ...filter, clause: "Having" }] }, /filters\[0\]\.clause.*where or having/],
      [{ filters: [{ ...filter, origin: "Global" }] }, /filters\[0\]\.origin/],
      [{ filters: [{ ...filter, column: 1 }] }, /filters\[0\]\.column/],
      [{ filters: [{ ...filter, expression: "city = ?" }] }, /expression/],
      [{ filters: [{ ...filter, expression: "? = ? or true" }] }, /expression/],
      [{ filters: [{ ...filter, expression: "last_now" }] }, /filters\[0\].*must be an object/],
      [{ filters: [{ ...filter, value: undefined }] }, /value/],
      [{ filters: [{ ...filter, value: 5 }] }, /string/],
      [{ filters: [{ ...filter, value: null }] }, /null/],
      [{ filters: [{ ...filter, value: ["a"] }] }, /list/],
      [{ filters: [{ ...filter, value: parameter }] }, /no value and no default/],
      [{ filters: [{ ...filter, value: { ...parameter, type: "text" } }] }, /type/],
      [{ filters: [{ ...filter, value: { ...parameter, more: 1 } }] }, /more/],
      [{ filters: [{ ...filter, value: parameter }], parameter_overrides: { t: 5 } }, /hierarchy/],
      [
        { filters: [{ ...filter, value: parameter }], parameter_overrides: { t: ["a"] } },
        /hierarchy/,
      ],
      [{ parameter_overrides: { t: null } }, /parameter_overrides\.t/],
      [{ parameter_overrides: { t: true } }, /parameter_overrides\.t/],
      [{ parameter_overrides: { t: {} } }, /parameter_overrides\.t/],
      [{ parameter_overrides: { t: { value: "a", clear: true } } }, /parameter_overrides\.t/],
      [{ parameter_overrides: { t: { value: { a: 1 } } } }, /parameter_overrides\.t/],
      [{ parameter_overrides: { t: { value: "a", sticky: "yes" } } }, /sticky/],
      [{ parameter_overrides: { t: { value: "a", hidden: true } } }, /hidden/],
      [{ parameter_overrides: { t: "a", "metadata.t": "b" } }, /twice/],
      [{ account_overrides: { x: {} } }, /account_overrides/],
      [{ account_overrides: { [String(accountId)]: { url: "x" } } }, /url/],
      [{ account_overrides: { [String(accountId)]: { host: 5 } } }, /host/],
      [{ account_overrides: { [String(accountId)]: { base_url: "ftp://x" } } }, /base_url/],
      [{ account_overrides: { [String(accountId)]: { properties: { a: 1 } } } }, /a/],
      [{ hidden_columns: "x" }, /hidden_columns/],
      [{ hidden_columns: ["x"] }, /hidden_columns\[0\]/],
      [{ role: "admin" }, /role/],
      [{ username: "\u6f22".repeat(5_000) }, /username.*800 characters/],
      [{ environment: "test" }, /environment/],
      [{ metadata: ["x"] }, /metadata/],
    ];
    for (const [properties, path] of cases) {
      const { status, message } = await refuse(properties);
      assert.is(status, 400, `${JSON.stringify(properties)}: ${message}`);
      assert.match(message, path);
    }
  });

  test("a token's secrets are encrypted in the catalog, decrypted for its calls, and never returned", async () => {
    const { ada, records, mint, whoIs, rows, catalog } = tokens;
    const account = await records.insert("account", { provider: "p", user_id: ada.userId });
    const made = await mint({
      parameter_overrides: {
        open: "shown",
        hidden: { value: "canary-parameter", sensitive: true, sticky: true },
      },
      account_overrides: { [account.id]: { password: "canary-password", database: "north" } },
    });
    const self = await whoIs(made);
    const [seen] = await rows(self, "authorization", { where: { id: made.id } });
    const stored = await catalog.knex("authorization").where({ id: made.id });
    assert.not.match(JSON.stringify([made, seen, stored]), /canary/);
    assert.equal(seen?.["parameter_overrides"], {
      open: "shown",
      hidden: { value: null, sensitive: true, sticky: true },
    });
    assert.equal(seen?.["account_overrides"], { [account.id]: null });
    const { parameters, accountOverrides } = self.restriction ?? {};
    assert.equal(parameters?.get("hidden"), {
      value: "canary-parameter",
      sticky: true,
      sensitive: true,
      clear: false,
    });
    assert.equal(accountOverrides?.get(account.id), {
      password: "canary-password",
      database: "north",
      datasets: {},
    });
  });

  test("display filters of a token are stored unchanged, and filter no rows", async () => {
    const { mint, whoIs, dataset, columns } = tokens;
    const row = {
      clause: "where",
      origin: "global",
      securable_id: dataset,
      column_id: columns["city"],
      expression: "? = ?",
      value: "a",
    };
    const display = { ...row, origin: "initialization", chart_id: "c" };
    const made = await mint({ filters: [display, row] });
    assert.equal(made["filters"], [display, row]);
    assert.equal((await whoIs(made)).restriction?.filters, [row]);
  });

  test("a display filter on a dataset without a row filter causes a warning", async () => {
    const { mint, dataset, columns } = tokens;
    const access = { datasets: [{ id: dataset, rights: "use" }] };
    const row = {
      securable_id: dataset,
      column_id: columns["city"],
      expression: "? = ?",
      value: "a",
    };
    const display = { ...row, origin: "chart" };
    assert.equal((await mint({ access, filters: [display] }))["warnings"], [
      "filters[0] restricts no rows, because its origin is chart; to restrict rows, leave origin out",
    ]);
    assert.is((await mint({ access, filters: [display, row] }))["warnings"], undefined);
  });

  test("a token that reaches no records causes a warning", async () => {
    const { mint, dataset } = tokens;
    const warning = "the token reaches no records; name dashboards and datasets in access";
    assert.equal((await mint({}))["warnings"], [warning]);
    assert.equal((await mint({ access: { datasets: [] } }))["warnings"], [warning]);
    assert.is((await mint({ type: "temporary", securables: [dataset] }))["warnings"], undefined);
  });

  test("a token with a dashboard, but without its dataset, causes a warning", async () => {
    const { ada, call, mint, dataset, columns } = tokens;
    const content = { datasetId: dataset, columnId: columns["city"] };
    const slots = [{ name: "x-axis", content: [content] }];
    const item = { id: "a", type: "bar-chart", options: {}, slots };
    const contents = { views: [{ screenModus: "desktop", items: [item] }] };
    const properties = { type: "dashboard", name: { en: "Board" }, contents };
    const board = await call(ada, "securable", "create", { properties });
    const dashboards = [{ id: board.id, rights: "read" }];
    assert.equal((await mint({ access: { dashboards } }))["warnings"], [
      `the dashboard ${board.id} shows the dataset ${dataset}, which the token does not reach; give the token this dataset too`,
    ]);
    const datasets = [{ id: dataset, rights: "use" }];
    assert.is((await mint({ access: { dashboards, datasets } }))["warnings"], undefined);
    const collection = await call(ada, "collection", "create", {
      properties: { name: { en: "Boards" } },
    });
    for (const id of [board.id, dataset])
      await call(ada, "collection", "associate", {
        id: collection.id,
        resource: { role: "Securables", id },
      });
    const collections = [{ id: collection.id, inheritRights: "use" }];
    assert.is((await mint({ access: { collections } }))["warnings"], undefined);
  });

  test("a token with a look that pages would not show causes a warning", async () => {
    const { mint, dataset } = tokens;
    const access = { datasets: [{ id: dataset, rights: "use" }] };
    const look = { theme_id: "nope", theme: { maincolour: "#b5451b" } };
    assert.equal((await mint({ access, ...look }))["warnings"], [
      "theme_id has no effect, because it is not the id of a theme",
      "theme.maincolour has no effect; members with an effect: type, background, itemsBackground, mainColor, colors",
    ]);
    assert.is((await mint({ access, theme_id: "vivid" }))["warnings"], undefined);
  });
});
