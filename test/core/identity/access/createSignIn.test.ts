import * as assert from "uvu/assert";
import {
  createPasswordCheck,
  createSignIn,
  type SignIn,
} from "../../../../core/identity/access/index.ts";
import { createCallLimits } from "../../../../core/http/middleware/index.ts";
import { refusal } from "../../../support/refused.ts";
import { signInParts } from "../../../support/signInParts.ts";
import { suite } from "../../../support/suite.ts";
import { openTokens, type Tokens } from "./openTokens.ts";
import { hashPassword } from "../../../../core/identity/access/password.ts";

const caller = { address: "10.0.0.1", requestId: "r" };
const password = "correct horse battery";

suite("core/identity/access/createSignIn", (test) => {
  let tokens: Tokens;
  let signIn: SignIn;
  let hashCount = 0;
  const noLimits = {
    admit: () => undefined,
    failed: () => undefined,
  };
  const hash: typeof hashPassword = (given, salt) => {
    hashCount++;
    return hashPassword(given, salt);
  };
  test.before(async () => {
    tokens = await openTokens();
    const { catalog, records } = tokens;
    const parts = signInParts({ catalog, records });
    const { waits } = parts;
    signIn = createSignIn({
      records,
      limits: noLimits,
      checkPassword: createPasswordCheck({ catalog, limits: noLimits, waits, hash }),
      ...parts,
    });
  });
  test.after(() => tokens.close());

  const set = (id: string, properties: object, who = tokens.ada) =>
    tokens.call(who, "user", "update", { id, properties });
  const enter = (email: string, given = password) =>
    signIn({ email, password: given, token: null, useRecoveryCode: false }, caller);

  test("signing in returns a key pair of type login that authenticates the user for a day", async () => {
    const { ben, whoIs, catalog } = tokens;
    await set(ben.userId, { password });
    const { user } = await enter("BEN@example.org");
    assert.equal([user.id, user.email, user.token.uid], [ben.userId, ben.email, ben.userId]);
    const self = await whoIs(user.token);
    assert.equal(
      [self.userId, self.authorizationType, self.organizationRole],
      [ben.userId, "login", "editor"],
    );
    const hours = (Date.parse(user.token.tokenExpiry) - Date.now()) / 3_600_000;
    assert.ok(hours > 23.9 && hours <= 24, String(hours));
    const [event] = await catalog.knex("auditevent").where({ record_id: user.token.id });
    assert.equal([event.action, event.user_id], ["create", ben.userId]);
  });

  test("a wrong password, an unknown address and a user without a password cause the same error, after one hash in each case", async () => {
    const { bob } = tokens;
    const said = new Set<string>();
    for (const [email, given] of [
      ["ben@example.org", "wrong horse battery"],
      ["nobody@example.org", password],
      [bob.email, password],
      ["ben@example.org", `${password}${"x".repeat(300)}`],
      ["ben@example.org", password.slice(0, -1)],
    ] as const) {
      const before = hashCount;
      const { code, message } = await refusal(enter(email, given));
      said.add(`${code} ${message}`);
      assert.is(hashCount, before + 1, email);
    }
    assert.is(said.size, 1);
    assert.match([...said][0] ?? "", /^UNAUTHORIZED/);
    for (const body of [
      {},
      { email: "x" },
      { password },
      { email: 1, password },
      { email: "", password },
    ])
      assert.is((await refusal(signIn(body, caller))).code, "MEMBER_MISSING");
  });

  test("a password is stored only as a hash and never appears in a response, event or search", async () => {
    const { ada, ben, catalog, refusal: refusedTo } = tokens;
    const answer = await set(ben.userId, { password });
    assert.not("password" in answer);
    const { rows } = await catalog.knex.raw(
      `select to_jsonb(p)::text as text from user_password p union all select to_jsonb(a)::text from auditevent a`,
    );
    assert.not.match(JSON.stringify(rows), /correct horse/);
    const find = { where: { password } };
    assert.is((await refusedTo(ada, "user", "get", { find })).code, "MEMBER_UNKNOWN");
    for (const bad of ["short", "x".repeat(201), 5, ["x"]]) {
      const body = { id: ben.userId, properties: { password: bad } };
      assert.is((await refusedTo(ada, "user", "update", body)).code, "MEMBER_INVALID");
    }
  });

  test("users with the same address in two organizations sign in with their own passwords", async () => {
    const { ben, eve, call } = tokens;
    const properties = { email: ben.email, password: "another long password" };
    const other = await call(eve, "user", "create", { properties });
    assert.is((await enter(ben.email)).user.id, ben.userId);
    const { user } = await enter(ben.email, "another long password");
    assert.equal([user.id, user.organization_id], [other.id, eve.organizationId]);
    await call(eve, "user", "delete", { id: other.id });
    assert.is((await refusal(enter(ben.email, "another long password"))).code, "UNAUTHORIZED");
  });

  test("only the user and owners of the organization can set the user's password", async () => {
    const { ada, bob, ben, addUser, refusal: refusedTo } = tokens;
    const north = { suborganization: "north" };
    const head = await addUser(ada, "head", north, { flagSuborganizationOwn: true });
    const worker = await addUser(ada, "worker", north);
    await set(worker.userId, { name: "Worker" }, head);
    const properties = { password };
    const attempt = { id: worker.userId, properties };
    const refused = await refusedTo(head, "user", "update", attempt);
    assert.is(refused.code, "FORBIDDEN");
    assert.match(refused.message, /act as an owner of the organization, or as this user/);
    assert.is((await refusedTo(ben, "user", "update", attempt)).status, 404);
    await set(bob.userId, properties, bob);
    await enter(bob.email);
  });

  test("changing the e-mail address requires the password, and changing the password revokes the old sessions", async () => {
    const { bob, ada, whoIs, refusal: refusedTo } = tokens;
    const first = await enter(bob.email);
    const email = "robert@example.org";
    const alone = { id: bob.userId, properties: { email } };
    assert.match((await refusedTo(bob, "user", "update", alone)).message, /properties.password/);
    const second = await enter(bob.email);
    await set(
      bob.userId,
      { email, password: "a new long password", old_password: password },
      await whoIs(second.user.token),
    );
    assert.is((await refusal(whoIs(first.user.token))).code, "UNAUTHORIZED");
    await whoIs(second.user.token);
    assert.is((await refusal(enter(bob.email))).code, "UNAUTHORIZED");
    await enter(email, "a new long password");
    await set(bob.userId, { password: null }, ada);
    assert.is((await refusal(enter(email, "a new long password"))).code, "UNAUTHORIZED");
    await set(bob.userId, { email: bob.email }, ada);
  });

  test("too many failed sign-ins block the caller's address or the e-mail address, each with its own error", async () => {
    const { catalog, records, ben } = tokens;
    let nowMs = Date.now();
    const limits = createCallLimits({
      callsPerSecond: 10,
      callBurst: 200,
      failuresPerMinute: 3,
      now: () => nowMs,
    });
    let count = 0;
    const parts = signInParts({ catalog, records, tries: 3, now: () => nowMs });
    const limited = createSignIn({
      records,
      limits,
      ...parts,
      checkPassword: createPasswordCheck({
        catalog,
        limits,
        waits: parts.waits,
        hash: async (given, salt) =>
          given === password
            ? hashPassword(given, salt)
            : (count++, [Buffer.alloc(32), Buffer.alloc(32)]),
      }),
    });
    const attempt = (email: string, given: string, address: string) =>
      limited({ email, password: given }, { address, requestId: "r" });
    for (let index = 0; index < 3; index++)
      assert.is(
        (await refusal(attempt(`a${index}@x.org`, "wrong", "10.1.1.1"))).code,
        "UNAUTHORIZED",
      );
    const closed = await refusal(attempt(ben.email, password, "10.1.1.1"));
    assert.equal([closed.code, count], ["CREDENTIALS_TOO_MANY", 3]);
    await attempt(ben.email, password, "10.1.1.2");
    for (let index = 0; index < 3; index++)
      await refusal(attempt(ben.email, "wrong", `10.1.2.${index}`));
    const locked = await refusal(attempt(ben.email.toUpperCase(), password, "10.1.3.1"));
    assert.is(locked.code, "SIGN_INS_TOO_MANY");
    assert.match(locked.message, "this e-mail address");
    nowMs += 60_000;
    await attempt(ben.email, password, "10.1.3.1");
  });
});
