import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import {
  createPasswordCheck,
  createSessions,
  openAccess,
  type Access,
  type Sessions,
} from "../../../../core/identity/access/index.ts";
import { messageOf } from "../../../../core/base/errors.ts";
import type { ApiCall, Principal } from "../../../../core/base/contracts/index.ts";
import { createCallLimits } from "../../../../core/http/middleware/index.ts";
import { openFakeApp, send, type FakeApp, type RawAnswer } from "../../../support/fakeApp.ts";
import { suite } from "../../../support/suite.ts";
import { silentLog } from "../../../support/catalog.ts";
import { signInParts } from "../../../support/signInParts.ts";
import { openTokens, type Tokens } from "./openTokens.ts";

const password = "correct horse battery";
const week = 7 * 86_400_000;

suite("core/identity/access/createSessions", (test) => {
  let tokens: Tokens;
  let access: Access;
  let sessions: Sessions;
  let app: FakeApp;
  let nowMs = Date.now();
  /** The principal of the last call. */
  let lastPrincipal: Principal | undefined;
  const limits = createCallLimits({ callsPerSecond: 0, callBurst: 1, failuresPerMinute: 0 });

  const parts = () => ({
    authenticate: access.authenticate,
    sessions,
    handlers: new Map([
      [
        "user",
        {
          get: async ({ principal }: ApiCall) => {
            lastPrincipal = principal;
            return { count: 0, rows: [] };
          },
        },
      ],
    ]),
  });
  test.before(async () => {
    tokens = await openTokens();
    const { catalog, records } = tokens;
    const now = () => nowMs;
    access = openAccess({ catalog, cipher: catalog.cipher, log: silentLog, now });
    const more = signInParts({ catalog, records, now });
    const { waits } = more;
    const checkPassword = createPasswordCheck({ catalog, limits, waits });
    sessions = createSessions({ records, access, checkPassword, limits, now, ...more });
    app = await openFakeApp(parts());
    const properties = { password };
    await tokens.call(tokens.ada, "user", "update", { id: tokens.ben.userId, properties });
  });
  test.after(async () => {
    await app.close();
    await access.close();
    await tokens.close();
  });

  const own = (url = app.url) => ({
    "X-Manifold-Console": "1",
    "Sec-Fetch-Site": "same-origin",
    Origin: url,
  });
  const cookieOf = (answer: RawAnswer) => String(answer.headers["set-cookie"]?.[0]).split(";")[0]!;
  const enter = (given: object, headers: Readonly<Record<string, string>> = {}) =>
    send(`${app.url}/auth/session`, {
      headers: { ...own(), ...headers },
      body: JSON.stringify(given),
    });
  const signIn = async (): Promise<string> => {
    const answer = await enter(await makePair());
    assert.is(answer.status, 200, answer.text);
    return cookieOf(answer);
  };
  const sendCookie = (
    cookie: string,
    headers: Readonly<Record<string, string>> = own(),
    members: object = {},
  ) => {
    lastPrincipal = undefined;
    return send(`${app.url}/0.1.0/user`, {
      headers: { ...headers, Cookie: cookie },
      body: JSON.stringify({ action: "get", find: {}, ...members }),
    });
  };
  const isIn = async (cookie: string) => (await sendCookie(cookie)).status === 200;
  const makePair = async (properties: object = {}) => {
    const given = { type: "api", ...properties };
    const made = await tokens.call(tokens.ben, "authorization", "create", { properties: given });
    return { key: String(made.id), token: String(made["token"]) };
  };

  test("signing in with e-mail and password sets a session cookie that scripts cannot read", async () => {
    const answer = await enter({ email: tokens.ben.email, password });
    const port = new URL(app.url).port;
    assert.match(
      String(answer.headers["set-cookie"]?.[0]),
      new RegExp(
        `^manifold-session-${port}=[\\w-]+\\.[\\w-]+; Path=/; HttpOnly; SameSite=Strict; Expires=[^;]+$`,
      ),
    );
    assert.equal(answer.json(), {
      user: {
        id: tokens.ben.userId,
        name: tokens.ben.name,
        email: tokens.ben.email,
        organization_id: tokens.ben.organizationId,
        role: "editor",
        suborganization: null,
      },
      features: { assistant: false },
    });
    assert.is((await sendCookie(cookieOf(answer))).status, 200);
    assert.equal(
      [
        lastPrincipal?.userId,
        lastPrincipal?.authorizationType,
        lastPrincipal?.organizationId,
        lastPrincipal?.restriction,
      ],
      [tokens.ben.userId, "login", tokens.ben.organizationId, undefined],
    );
    const shown = await send(`${app.url}/auth/session`, {
      method: "GET",
      headers: { ...own(), Cookie: cookieOf(answer) },
    });
    assert.equal(shown.json(), answer.json());
  });

  test("the catalog stores only a hash of the session secret, which cannot be used as a key pair", async () => {
    const cookie = await signIn();
    const [id, secret] = cookie.split("=")[1]!.split(".") as [string, string];
    const row = await tokens.catalog.knex("authorization").where({ id }).first();
    assert.not.match(JSON.stringify(row), secret);
    const answer = await sendCookie("", {}, { key: id, token: secret });
    assert.is(answer.status, 401);
    const login = await makePair();
    const forged = `${cookie.split("=")[0]}=${login.key}.${login.token}`;
    assert.is(await isIn(forged), false);
  });

  test("a call without the console's header uses the key pair in its body, not the session cookie", async () => {
    const cookie = await signIn();
    assert.is((await sendCookie(cookie, {})).status, 401);
    const pair = await makePair();
    assert.is((await sendCookie(cookie, {}, pair)).status, 200);
    assert.is(lastPrincipal?.authorizationId, pair.key);
  });

  test("a session cookie fails in a call from another site, from another origin or from outside a page", async () => {
    const cookie = await signIn();
    const url = app.url;
    const wrong: Readonly<Record<string, string>>[] = [
      { ...own(), "Sec-Fetch-Site": "cross-site" },
      { ...own(), "Sec-Fetch-Site": "same-site" },
      { ...own(), "Sec-Fetch-Site": "none" },
      { ...own(), Origin: "https://evil.example" },
      { ...own(), Origin: "null" },
      { ...own(), Origin: url.replace("127.0.0.1", "localhost") },
      { ...own(), Origin: url.replace(/\d+$/, "1") },
      { "X-Manifold-Console": "1", Origin: "https://evil.example" },
      { "X-Manifold-Console": "1" },
    ];
    for (const headers of wrong) {
      const answer = await sendCookie(cookie, headers);
      assert.match(answer.text, "SESSION_CROSS_SITE", JSON.stringify(headers));
      assert.is(lastPrincipal, undefined);
      const entered = await send(`${url}/auth/session`, {
        headers,
        body: JSON.stringify({ email: tokens.ben.email, password }),
      });
      assert.match(entered.text, "SESSION_CROSS_SITE", JSON.stringify(headers));
      assert.is(entered.headers["set-cookie"], undefined);
    }
    const { "X-Manifold-Console": _, ...headers } = own();
    for (const method of ["GET", "DELETE", "POST"]) {
      const bare = await send(`${url}/auth/session`, { method, headers, body: "{}" });
      assert.match(bare.text, "SESSION_CROSS_SITE", method);
    }
    assert.ok(await isIn(cookie));
  });

  test("signing in sets a device cookie that scripts cannot read and that survives signing out", async () => {
    const { port } = new URL(app.url);
    const deviceOf = (answer: RawAnswer) =>
      [answer.headers["set-cookie"] ?? []]
        .flat()
        .find((each) => each.startsWith("manifold-device"));
    const first = await enter({ email: tokens.ben.email, password });
    const device = deviceOf(first) ?? "";
    assert.match(
      device,
      new RegExp(
        `^manifold-device-${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict; Expires=[^;]+$`,
      ),
    );
    const days = (Date.parse(/Expires=(.+)$/.exec(device)?.[1] ?? "") - nowMs) / 86_400_000;
    assert.ok(days > 89 && days <= 90, String(days));
    const Cookie = device.split(";")[0] ?? "";
    const second = await enter({ email: tokens.ben.email, password }, { Cookie });
    assert.is.not(deviceOf(second), device, "each sign-in has a new secret");
    const out = await send(`${app.url}/auth/session`, {
      method: "DELETE",
      headers: { ...own(), Cookie: cookieOf(second) },
    });
    assert.is(out.status, 200);
    assert.is(deviceOf(out), undefined);
    assert.is(
      deviceOf(await enter(await makePair())),
      undefined,
      "a key pair does not count as proof of a person's identity",
    );
    const wrong = await enter({ email: tokens.ben.email, password: "wrong" }, { Cookie });
    assert.equal([wrong.status, wrong.headers["set-cookie"]], [401, undefined]);
  });

  test("a preflight from another origin does not allow the console's header", async () => {
    const answer = await send(`${app.url}/0.1.0/user`, {
      method: "OPTIONS",
      headers: {
        Origin: "https://evil.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "x-manifold-console",
      },
    });
    assert.not.match(String(answer.headers["access-control-allow-headers"]), /manifold/i);
    assert.is(answer.headers["access-control-allow-credentials"], undefined);
  });

  test("signing out invalidates the session's cookie, but no other session of the user", async () => {
    const [first, second] = [await signIn(), await signIn()];
    const answer = await send(`${app.url}/auth/session`, {
      method: "DELETE",
      headers: { ...own(), Cookie: first },
    });
    assert.is(answer.status, 200);
    assert.match(String(answer.headers["set-cookie"]?.[0]), "Expires=Thu, 01 Jan 1970");
    assert.equal([await isIn(first), await isIn(second)], [false, true]);
  });

  test("signing in revokes the browser's previous session and never reuses its id", async () => {
    const planted = await signIn();
    const answer = await enter(await makePair(), { Cookie: planted });
    assert.is.not(cookieOf(answer), planted);
    assert.equal([await isIn(planted), await isIn(cookieOf(answer))], [false, true]);
    const chosen = `${planted.split("=")[0]}=${randomUUID()}.chosen-by-another`;
    const again = await enter(await makePair(), { Cookie: chosen });
    assert.is.not(cookieOf(again), chosen);
    assert.is(await isIn(chosen), false);
  });

  test("a session cookie fails if it was changed or belongs to another tenant's user", async () => {
    const cookie = await signIn();
    const [name, value] = cookie.split("=") as [string, string];
    const [id, secret] = value.split(".") as [string, string];
    const { eve } = tokens;
    const foreign = await tokens.call(eve, "authorization", "create", {
      properties: { type: "api" },
    });
    for (const changed of [
      `${foreign.id}.${secret}`,
      `${id}.${secret}x`,
      `${id}.`,
      `.${secret}`,
      id,
      secret,
      "",
      "a.b.c",
      `${randomUUID()}.${secret}`,
    ])
      assert.is(await isIn(`${name}=${changed}`), false, changed);
    assert.ok(await isIn(cookie));
    assert.is(lastPrincipal?.organizationId, tokens.ben.organizationId);
  });

  test("a session expires a day after its last call, or a week after its start", async () => {
    const startMs = nowMs;
    const [idle, busy] = [await signIn(), await signIn()];
    nowMs += 86_400_000 + 120_000;
    assert.is(await isIn(idle), false);
    nowMs = startMs;
    for (let day = 0; day < 8; day++) {
      nowMs = startMs + day * 86_000_000;
      assert.is(await isIn(busy), nowMs < startMs + week, String(day));
    }
    nowMs = startMs + week + 1;
    assert.is(await isIn(busy), false);
    nowMs = startMs;
  });

  test("setting a new password revokes every session that began with the old password, even one that is just starting", async () => {
    const { ada, ben, call } = tokens;
    const cookie = await signIn();
    const properties = { password: "another long password" };
    const [, racing] = await Promise.all([
      call(ada, "user", "update", { id: ben.userId, properties }),
      enter({ email: ben.email, password }),
    ]);
    access.forget();
    assert.is(await isIn(cookie), false);
    if (racing.status === 200) assert.is(await isIn(cookieOf(racing)), false);
    await call(ada, "user", "update", { id: ben.userId, properties: { password } });
  });

  test("removing a user from the organization revokes the user's sessions", async () => {
    const { ada, addUser, call, catalog } = tokens;
    const leaver = await addUser(ada, "leaver");
    await call(ada, "user", "update", { id: leaver.userId, properties: { password } });
    const answer = await enter({ email: leaver.email, password });
    const cookie = cookieOf(answer);
    assert.ok(await isIn(cookie));
    await catalog.knex("organization_user").where({ user_id: leaver.userId }).delete();
    access.forget();
    assert.is(await isIn(cookie), false);
  });

  test("a session that a key pair starts has the pair's restrictions and is revoked with the pair", async () => {
    const expiry = new Date(Date.now() + 3_600_000).toISOString();
    const pair = await makePair({ expiry, allowed_origins: [app.url] });
    const answer = await enter(pair);
    const cookie = cookieOf(answer);
    const ends = /Expires=([^;]+)/.exec(String(answer.headers["set-cookie"]?.[0]))?.[1] ?? "";
    assert.ok(Math.abs(Date.parse(ends) - Date.parse(expiry)) < 1_500, ends);
    assert.ok(await isIn(cookie));
    const { Origin: _, ...elsewhere } = own();
    assert.match((await sendCookie(cookie, elsewhere)).text, "SOURCE_REFUSED");
    await tokens.call(tokens.ben, "authorization", "delete", { id: pair.key });
    access.forget();
    assert.is(await isIn(cookie), false);
  });

  test("an embed token or a wrong key pair cannot start a session", async () => {
    const { id, token } = await tokens.mint();
    assert.match((await enter({ key: id, token })).text, "FORBIDDEN");
    assert.is((await enter({ key: id, token: "wrong" })).status, 401);
    assert.is((await enter({ email: tokens.ben.email, password: "wrong" })).status, 401);
    assert.match((await enter({})).text, "MEMBER_MISSING");
  });

  test("a sign-in link starts one session, within an hour and only from the host's own machine", async () => {
    const pair = await makePair();
    const link = await sessions.createLink(pair);
    for (const headers of [
      { "X-Forwarded-For": "203.0.113.9" },
      { Forwarded: "for=203.0.113.9" },
    ] as Readonly<Record<string, string>>[])
      assert.match((await enter({ link }, headers)).text, "SIGN_IN_LINK_INVALID");
    const answer = await enter({ link });
    assert.is(answer.status, 200, answer.text);
    assert.ok(await isIn(cookieOf(answer)));
    assert.match((await enter({ link })).text, "SIGN_IN_LINK_INVALID");
    assert.match((await enter({ link: "guessed" })).text, "SIGN_IN_LINK_INVALID");
    const late = await sessions.createLink(pair);
    nowMs += 3_600_001;
    assert.match((await enter({ link: late })).text, "SIGN_IN_LINK_INVALID");
    nowMs -= 3_600_001;
    const ended = await sessions.createLink(pair);
    await tokens.call(tokens.ben, "authorization", "delete", { id: pair.key });
    assert.is((await enter({ link: ended })).status, 401);
  });

  test("an operator's link signs an owner in once, and the audit records the link and the sign-in", async () => {
    const { knex } = tokens.catalog;
    const { secret, email } = await sessions.createOwnerLink({});
    assert.is(email, tokens.ada.email);
    const answer = await enter({ link: secret });
    assert.is(answer.status, 200, answer.text);
    assert.is((answer.json() as { user: { id: string } }).user.id, tokens.ada.userId);
    assert.match((await enter({ link: secret })).text, "SIGN_IN_LINK_INVALID");
    const [made] = await knex("auditevent").where({ action: "sign_in_link_create" });
    assert.equal(
      [made.record_id, made.organization_id, made.members],
      [tokens.ada.userId, tokens.ada.organizationId, []],
    );
    const [session] = await knex("auditevent")
      .where({ action: "create", resource: "authorization", user_id: tokens.ada.userId })
      .orderBy("created_at", "desc")
      .limit(1);
    assert.equal(session.members, ["operator_link"]);
  });

  test("an operator's link proves an owner's identity only if the owner has no password", async () => {
    const { knex } = tokens.catalog;
    const provedAt = async () => {
      const { secret } = await sessions.createOwnerLink({});
      const [id] = Buffer.from(cookieOf(await enter({ link: secret })).split("=")[1] ?? "")
        .toString()
        .split(".");
      const row = await knex("authorization").where({ id }).first();
      return row.proved_at;
    };
    assert.ok(await provedAt());
    const properties = { password };
    await tokens.call(tokens.ada, "user", "update", { id: tokens.ada.userId, properties });
    assert.is(await provedAt(), null);
  });

  test("the operator chooses an owner by e-mail address or organization", async () => {
    const { ada, ben, eve } = tokens;
    const emailOf = async (choice: object) => (await sessions.createOwnerLink(choice)).email;
    const refusalOf = (choice: object) =>
      sessions.createOwnerLink(choice).then(() => "a link", messageOf);
    assert.is(await emailOf({ email: String(eve.email).toUpperCase() }), eve.email);
    assert.is(await emailOf({ organizationId: eve.organizationId }), eve.email);
    assert.match(await refusalOf({ email: ben.email }), "no owner has the e-mail address");
    assert.match(
      await refusalOf({ email: eve.email, organizationId: ada.organizationId }),
      ada.organizationId,
    );
    assert.match(await refusalOf({ organizationId: randomUUID() }), "there is no owner");
    const twin = await tokens.addUser(eve, "twin", { email: ada.email }, { flagOwn: true });
    assert.match(
      await refusalOf({ email: ada.email }),
      `--organization: ${ada.organizationId}, ${eve.organizationId}`,
    );
    assert.is(await emailOf({ email: ada.email, organizationId: eve.organizationId }), twin.email);
  });

  test("an operator's link is refused when its user is no longer an owner", async () => {
    const { knex } = tokens.catalog;
    const former = await tokens.addUser(tokens.eve, "former", {}, { flagOwn: true });
    const { secret } = await sessions.createOwnerLink({ email: former.email });
    await knex("organization_user").where({ user_id: former.userId }).update({ flagOwn: false });
    assert.match((await enter({ link: secret })).text, "SIGN_IN_LINK_INVALID");
  });

  test("over http, a session works only on loopback, and over https, its cookie is bound to the host", async () => {
    const plain = { ...own("http://manifold.example"), Host: "manifold.example" };
    const refused = await enter({ email: tokens.ben.email, password }, plain);
    assert.match(refused.text, "SESSION_NEEDS_HTTPS");
    assert.is(refused.headers["set-cookie"], undefined);
    const publicUrl = "https://manifold.example";
    const encrypted = await openFakeApp({ ...parts(), publicUrl });
    try {
      const answer = await send(`${encrypted.url}/auth/session`, {
        headers: { ...own(publicUrl), Host: "manifold.example" },
        body: JSON.stringify({ email: tokens.ben.email, password }),
      });
      assert.is(answer.status, 200, answer.text);
      assert.match(
        String(answer.headers["set-cookie"]?.[0]),
        /^__Host-manifold-session=[^;]+; Path=\/; HttpOnly; SameSite=Strict; Expires=[^;]+; Secure$/,
      );
    } finally {
      await encrypted.close();
    }
  });

  test("failed sign-ins of every kind count towards blocking the caller's address", async () => {
    const { catalog, records } = tokens;
    const strict = createCallLimits({ callsPerSecond: 0, callBurst: 1, failuresPerMinute: 3 });
    const ways = signInParts({ catalog, records });
    const { waits } = ways;
    const checkPassword = createPasswordCheck({ catalog, limits: strict, waits });
    const limited = createSessions({ records, access, checkPassword, limits: strict, ...ways });
    const caller = {
      address: "10.9.9.9",
      origin: undefined,
      requestId: "r",
      isLocal: true,
    };
    const attempts = [{ link: "no" }, { key: randomUUID(), token: "no" }, { email: "x", password }];
    for (const attempt of attempts)
      await limited.start(attempt, caller).then(
        () => assert.unreachable(),
        (failure: { status: number }) => assert.is(failure.status, 401),
      );
    for (const attempt of attempts)
      await limited.start(attempt, caller).then(
        () => assert.unreachable(),
        (failure: { code: string }) => assert.is(failure.code, "CREDENTIALS_TOO_MANY"),
      );
    const guesser = { ...caller, address: "10.9.9.8" };
    const codes: string[] = [];
    for (let attempt = 0; attempt < 4; attempt++) {
      const session = `${randomUUID()}.${"x".repeat(43)}`;
      await limited.resolve({ ...guesser, session }).then(
        () => assert.unreachable(),
        (failure: { code: string }) => codes.push(failure.code),
      );
      await limited.end({ ...guesser, session });
    }
    assert.is(codes[0], "UNAUTHORIZED");
    assert.is(codes.at(-1), "CREDENTIALS_TOO_MANY", "guessed cookies");
    const visitor = { ...caller, address: "10.9.9.7", session: undefined };
    for (let attempt = 0; attempt < 4; attempt++)
      await limited.resolve(visitor).then(
        () => assert.unreachable(),
        (failure: { code: string }) => assert.is(failure.code, "UNAUTHORIZED", "no cookie"),
      );
  });

  test("calls with a session have the same rate limit as calls with any token", async () => {
    const few = createCallLimits({ callsPerSecond: 1, callBurst: 2, failuresPerMinute: 0 });
    const small = await openFakeApp({ ...parts(), limits: few });
    try {
      const answer = await send(`${small.url}/auth/session`, {
        headers: own(small.url),
        body: JSON.stringify({ email: tokens.ben.email, password }),
      });
      const statuses: number[] = [];
      for (let index = 0; index < 3; index++) {
        const { status } = await send(`${small.url}/0.1.0/user`, {
          headers: { ...own(small.url), Cookie: cookieOf(answer) },
          body: JSON.stringify({ action: "get", find: {} }),
        });
        statuses.push(status);
      }
      assert.equal(statuses, [200, 200, 429]);
    } finally {
      await small.close();
    }
  });
});
