import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import { openHost, type Host } from "../../../../core/host.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { clickhouseSuite } from "../../../support/clickhouseDatabase.ts";
import { openClickhouseStore, type ClickhouseStore } from "../../../support/clickhouseStore.ts";
import { testOptions } from "../../../support/openTestHost.ts";
import { createSoftPasskey } from "../../../support/softPasskey.ts";
import { rounds } from "../../../support/layer.ts";
import { codeOf, origin } from "./openFactors.ts";

type Json = Readonly<Record<string, unknown>>;
interface Answer {
  readonly status: number;
  readonly body: Json;
  readonly code: unknown;
}
/** A browser that shows a page of the console and has one cookie. */
interface Browser {
  cookie: string;
  send(path: string, body?: object, headers?: object, method?: string): Promise<Answer>;
}

const password = "several words are long";

clickhouseSuite("core/host: second factors", (test) => {
  let catalog: TestCatalog;
  // Hosts on one catalog share their store.
  let store: ClickhouseStore;
  let hosts: Host[] = [];
  let owner: Client;
  let ownerPair: { readonly key: string; readonly token: string };
  const folders: string[] = [];
  let count = 0;

  test.before(async () => {
    catalog = await openTestCatalog();
    store = await openClickhouseStore();
    const open = async () => {
      const dataDir = mkdtempSync(join(tmpdir(), "manifold-factors-"));
      folders.push(dataDir);
      const host = await openHost({
        ...testOptions,
        dataDir,
        databaseUrl: catalog.databaseUrl,
        failuresPerMinute: 0,
        publicUrl: origin,
        ...store.settings,
      });
      hosts.push(host);
      return host;
    };
    const { url, madeCredentials } = await open();
    ownerPair = madeCredentials ?? { key: "", token: "" };
    owner = createClient({ url, ...ownerPair });
    await open();
  });
  test.after(async () => {
    for (const host of hosts) await host.close();
    hosts = [];
    await store.close();
    await catalog.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  const send = async (
    path: string,
    body: object | undefined,
    headers: object,
    { method = "POST", host = 0 } = {},
  ) => {
    const answer = await fetch(`${hosts[host]?.url}${path}`, {
      method,
      headers: { "Content-Type": "application/json", ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const read = (await answer.json()) as Json;
    const { type } = read;
    const code = type === undefined ? undefined : (type as Json)["code"];
    return { status: answer.status, body: read, code, set: answer.headers.getSetCookie() };
  };
  const openPage = (host = 0): Browser => {
    const browser: Browser = {
      cookie: "",
      async send(path, body = {}, headers = {}, method = "POST") {
        const own = { "X-Manifold-Console": "1", "Sec-Fetch-Site": "same-origin", Origin: origin };
        const all = { ...own, Cookie: browser.cookie, ...headers };
        const given = method === "GET" || method === "DELETE" ? undefined : body;
        const answer = await send(path, given, all, { method, host });
        const [set] = answer.set;
        if (set) browser.cookie = set.split(";")[0] ?? "";
        return answer;
      },
    };
    return browser;
  };
  const addUser = async (name: string) => {
    const email = `${name}${++count}@example.org`;
    const { id } = await owner.create<{ id: string }>("user", { email, name, password });
    return { id, email };
  };
  const enter = (page: Browser, email: string, more: object = {}) =>
    page.send("/auth/session", { email, password, ...more });
  /** Signs in and adds an app. The app's next code is still unused. */
  const addApp = async (page: Browser, email: string, id: string) => {
    assert.is((await enter(page, email)).status, 200);
    const { body: begun } = await page.send("/auth/account/app/begin");
    const secret = String(begun["secret"]);
    const code = codeOf(secret, Date.now());
    const added = await page.send("/auth/account/app/add", { ticket: begun["ticket"], code });
    assert.is(added.status, 200, JSON.stringify(added.body));
    const freeCode = async () => {
      await catalog.knex("second_factor").where({ user_id: id }).update({ last_step: 0 });
      return codeOf(secret, Date.now());
    };
    return { freeCode, codes: added.body["recovery_codes"] as readonly string[] };
  };
  const demand = (value: boolean) =>
    owner
      .get("organization", {})
      .then(({ rows }) =>
        owner.update("organization", String(rows[0]?.["id"]), { require_second_factor: value }),
      );

  test("a person with a second factor gets a session or key pair only with both the password and a code", async () => {
    const { id, email } = await addUser("ann");
    const page = openPage();
    const { freeCode, codes } = await addApp(page, email, id);
    assert.is((await page.send("/auth/account/overview")).code, "UNAUTHORIZED");
    for (const path of ["/auth/session", "/auth/vi"]) {
      const refused = await openPage().send(path, { email, password, token: null });
      assert.equal([refused.status, refused.code], [401, "SECOND_FACTOR_REQUIRED"], path);
      assert.equal(Object.keys(refused.body["validation"] as Json), ["code"]);
    }
    const wrong = await enter(page, email, { code: "000000" });
    assert.equal([wrong.status, wrong.code], [401, "SECOND_FACTOR_WRONG"]);
    const code = await freeCode();
    assert.is((await enter(page, email, { code })).status, 200);
    assert.is((await enter(openPage(1), email, { code })).code, "SECOND_FACTOR_WRONG");
    const byProgram = await send("/auth/vi", { email, password, token: codes[0] }, {});
    assert.is(byProgram.status, 200);
    const again = await send("/auth/vi", { email, password, code: codes[0] }, {}, { host: 1 });
    assert.is(again.code, "SECOND_FACTOR_WRONG");
    const wrongPassword = await openPage().send("/auth/session", {
      email,
      password: "not the password",
      code: codes[1],
    });
    assert.is(wrongPassword.code, "UNAUTHORIZED");
    assert.is((await enter(openPage(), email, { code: codes[1] })).status, 200);
  });

  test("a person who lacks a required second factor can only add a factor, however the person signs in", async () => {
    const { id, email } = await addUser("bea");
    const before = openPage();
    assert.is((await enter(before, email)).status, 200);
    const pair = await send("/auth/vi", { email, password }, {});
    const { token } = pair.body["user"] as { token: { id: string; token: string } };
    await demand(true);
    try {
      const page = openPage();
      const begun = await enter(page, email);
      assert.equal([begun.status, begun.body["must_add_second_factor"]], [200, true]);
      const document = await (await fetch(`${hosts[0]?.url}/openapi.json`)).json();
      const { paths } = document as { paths: Json };
      const calls = Object.keys(paths).flatMap((path) => {
        const [, resource, action] = /^\/0\.1\.0\/(\w+)\/(\w+)$/.exec(path) ?? [];
        return resource ? [{ resource, action }] : [];
      });
      assert.ok(calls.length > 150, String(calls.length));
      const allowed = ["overview", "app/begin", "app/add", "passkey/begin", "passkey/add"];
      const closed = ["factors/remove", "recovery-codes", "sessions", "sessions/end", "history"];
      for (const each of [page, before]) {
        const chosen = each === page ? calls : calls.slice(0, rounds({ quick: 10, deep: 1_000 }));
        for (const { resource, action } of chosen) {
          const body = { version: "0.1.0", action };
          const { code } = await each.send(`/0.1.0/${resource}`, body);
          assert.is(code, "SECOND_FACTOR_MISSING", `${resource} ${action}`);
        }
        for (const path of closed)
          assert.is((await each.send(`/auth/account/${path}`)).code, "SECOND_FACTOR_MISSING", path);
        for (const path of allowed)
          assert.is.not(
            (await each.send(`/auth/account/${path}`)).code,
            "SECOND_FACTOR_MISSING",
            path,
          );
      }
      const held = { key: token.id, token: token.token };
      for (const { resource, action } of calls.slice(0, 20)) {
        const { code } = await send(
          `/0.1.0/${resource}`,
          { ...held, action, version: "0.1.0" },
          {},
        );
        assert.is(code, "SECOND_FACTOR_MISSING", `${resource} ${action}`);
      }
      const mcp = await fetch(`${hosts[0]?.url}/mcp`, {
        method: "POST",
        headers: { Authorization: `Bearer ${held.key}:${held.token}` },
      });
      assert.ok([401, 403].includes(mcp.status), String(mcp.status));
      const byPair = await openPage().send("/auth/session", held);
      assert.is(byPair.code, "SECOND_FACTOR_MISSING");
      const shown = await page.send("/auth/session", undefined, {}, "GET");
      assert.is(shown.body["must_add_second_factor"], true);
      const { freeCode } = await addApp(page, email, id);
      const full = openPage();
      assert.is((await enter(full, email, { code: await freeCode() })).status, 200);
      assert.is((await full.send("/0.1.0/user", { action: "get", find: {} })).status, 200);
      assert.is((await owner.get("user", { where: { id: "me" } })).rows.length, 1);
    } finally {
      await demand(false);
    }
  });

  test("an old session, an API token or an embed token cannot change second factors", async () => {
    const { id, email } = await addUser("cid");
    const page = openPage();
    await enter(page, email);
    const { body: begun } = await page.send("/auth/account/app/begin");
    const age = (minutes: number) =>
      catalog
        .knex("authorization")
        .where({ user_id: id })
        .update({ proved_at: new Date(Date.now() - minutes * 60_000) });
    await age(11);
    const code = codeOf(String(begun["secret"]), Date.now());
    const add = { ticket: begun["ticket"], code };
    for (const [path, body] of [
      ["app/begin", {}],
      ["app/add", add],
      ["passkey/begin", {}],
      ["passkey/add", {}],
      ["factors/remove", {}],
      ["recovery-codes", {}],
    ] as const) {
      assert.is((await page.send(`/auth/account/${path}`, body)).code, "SIGN_IN_STALE", path);
      const byToken = await send(`/auth/account/${path}`, { ...ownerPair, ...body }, {});
      assert.is(byToken.code, "SIGN_IN_STALE", path);
    }
    await age(9);
    const foreign = { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example.org" };
    assert.is((await page.send("/auth/account/app/add", add, foreign)).code, "SESSION_CROSS_SITE");
    const plain = await send("/auth/account/app/add", add, { Cookie: page.cookie });
    assert.is(plain.code, "UNAUTHORIZED");
    assert.is((await page.send("/auth/account/app/add", add)).status, 200);
  });

  test.deep("signing in again sets a new cookie and revokes the previous session", async () => {
    const { email } = await addUser("dot");
    const page = openPage();
    await enter(page, email);
    const former = { ...openPage(), cookie: page.cookie };
    const old = openPage();
    old.cookie = former.cookie;
    await enter(page, email);
    assert.is.not(page.cookie, former.cookie);
    assert.is((await old.send("/auth/account/overview")).code, "UNAUTHORIZED");
    assert.is((await page.send("/auth/account/overview")).status, 200);
  });

  test.deep(
    "after signing in with only a passkey, a user can no longer sign in with only the password",
    async () => {
      const { email } = await addUser("eve");
      const page = openPage();
      await enter(page, email);
      const passkey = createSoftPasskey(origin);
      const { body: begun } = await page.send("/auth/account/passkey/begin");
      const made = passkey.create(begun["options"] as Json);
      const added = await page.send("/auth/account/passkey/add", {
        ticket: begun["ticket"],
        passkey: made,
        name: "Key",
      });
      assert.is(added.status, 200, JSON.stringify(added.body));
      const refused = await enter(openPage(), email);
      assert.equal(Object.keys(refused.body["validation"] as Json), ["code", "passkey"]);
      const other = openPage(1);
      const { body: offer } = await other.send("/auth/passkey");
      const used = passkey.use(offer["options"] as Json);
      const given = { ticket: offer["ticket"], passkey: used };
      const entered = await openPage().send("/auth/session", given);
      assert.is((entered.body["user"] as Json)["email"], email);
      assert.is((await other.send("/auth/session", given)).code, "SECOND_FACTOR_WRONG");
      const { body: lied } = await other.send("/auth/passkey");
      const false_ = passkey.use(lied["options"] as Json, { origin: "https://evil.example.org" });
      const refusedToo = await other.send("/auth/session", {
        ticket: lied["ticket"],
        passkey: false_,
      });
      assert.is(refusedToo.code, "SECOND_FACTOR_WRONG");
    },
  );

  test.deep(
    "from each host, a person can list all sessions and revoke one of them or all others",
    async () => {
      const { email } = await addUser("fay");
      const [one, two, three] = [openPage(), openPage(), openPage(1)];
      for (const page of [one, two, three])
        assert.is(
          (
            await page.send(
              "/auth/session",
              { email, password },
              { "User-Agent": "Firefox/1 Linux" },
            )
          ).status,
          200,
        );
      const { body } = await one.send("/auth/account/sessions");
      const rows = body["rows"] as readonly Json[];
      // The sessions include the key pair that the owner created for the user.
      assert.is(rows.length, 4);
      assert.is(rows.filter(({ current }) => current === true).length, 1);
      const own = rows.filter(({ device }) => device === "Firefox/1 Linux");
      assert.is(own.length, 3);
      assert.equal([own[0]?.["way"], own[0]?.["address"]], ["password", "127.0.0.1"]);
      assert.not.match(JSON.stringify(body), two.cookie.split(".").at(-1) ?? "");
      const other = await addUser("gil");
      const stranger = openPage();
      await enter(stranger, other.email);
      const foreign = await stranger.send("/auth/account/sessions/end", { id: own[0]?.["id"] });
      assert.equal([foreign.status, foreign.code], [404, "RECORD_NOT_FOUND"]);
      const ended = await one.send("/auth/account/sessions/end", { others: true });
      assert.is(ended.body["count"], 3);
      for (const page of [two, three])
        assert.is((await page.send("/auth/account/overview")).code, "UNAUTHORIZED");
      assert.is((await one.send("/auth/account/overview")).status, 200);
      for (const body of [{}, { id: "x" }, { others: false }, { id: own[0]?.["id"], others: true }])
        assert.is((await one.send("/auth/account/sessions/end", body)).status, 400);
    },
  );

  test.deep(
    "the sign-in history contains successes and failures, and owners can read their members' histories",
    async () => {
      const { id, email } = await addUser("hal");
      const page = openPage();
      await page.send("/auth/session", { email, password: "not the password" });
      await enter(page, email);
      const rowsOf = async (answer: Promise<Answer>) =>
        ((await answer).body["rows"] as readonly Json[]).map(({ outcome, ways, address }) => [
          outcome,
          ways,
          address,
        ]);
      const expected = [
        ["succeeded", ["password"], "127.0.0.1"],
        ["failed", ["password"], "127.0.0.1"],
      ];
      // A failed sign-in is written after its response.
      let seen = await rowsOf(page.send("/auth/account/history"));
      for (let tries = 0; seen.length < 2 && tries < 200; tries++)
        seen = await rowsOf(page.send("/auth/account/history"));
      assert.equal(seen.toSorted(), expected.toSorted());
      const history = send("/auth/account/history", { ...ownerPair, user_id: id }, {});
      assert.equal((await rowsOf(history)).toSorted(), expected.toSorted());
      const other = await addUser("ida");
      const stranger = openPage();
      await enter(stranger, other.email);
      const refused = await stranger.send("/auth/account/history", { user_id: id });
      assert.equal([refused.status, refused.code], [404, "RECORD_NOT_FOUND"]);
    },
  );

  test.deep("owners can remove their members' second factors, but not their own", async () => {
    const { id, email } = await addUser("jon");
    await addApp(openPage(), email, id);
    await owner.update("user", id, { end_second_factors: true });
    const page = openPage();
    assert.is((await enter(page, email)).status, 200);
    const own = await page.send("/0.1.0/user", {
      action: "update",
      id,
      properties: { end_second_factors: true },
    });
    assert.equal([own.status, own.code], [403, "FORBIDDEN"]);
  });

  test("a new password is refused if it is common, repetitive or the user's name", async () => {
    const refused = async (given: string) =>
      owner
        .create("user", {
          email: "elisabeth.moss@example.org",
          name: "Elisabeth Moss",
          password: given,
        })
        .then(
          () => "taken",
          (failure: Error) => failure.message,
        );
    assert.match(await refused("1234567890"), "guessed first");
    assert.match(await refused("QwertyUiop"), "guessed first");
    assert.match(await refused("dragondragon"), "guessed first");
    assert.match(await refused("xyzzyxxyzyxz"), "different characters");
    assert.match(await refused("elisabeth.moss1"), "name or e-mail address");
    assert.match(await refused("Elisabeth2026!"), "name or e-mail address");
    assert.match(await refused("short"), "10 characters");
    assert.match(await refused("x".repeat(201)), "200");
    assert.is(await refused("elisabeth likes green tea"), "taken");
  });

  test.deep(
    "signing in updates a stored hash that has only one stage, and the password stays valid",
    async () => {
      const { id, email } = await addUser("kim");
      const { scryptSync } = await import("node:crypto");
      const own = () => catalog.knex("user_password").where({ user_id: id });
      const { salt } = await own().first("salt");
      const old = scryptSync(password, salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 });
      await own().update({ hash: old, stage_count: 1 });
      assert.is(
        (await openPage().send("/auth/session", { email, password: "wrong horse" })).status,
        401,
      );
      assert.is((await own().first("stage_count")).stage_count, 1);
      assert.is((await enter(openPage(), email)).status, 200);
      const { hash, stage_count: stages } = await own().first("hash", "stage_count");
      assert.is(stages, 2);
      assert.is.not(hash.toString("hex"), old.toString("hex"));
      assert.is((await enter(openPage(1), email)).status, 200);
    },
  );
});
