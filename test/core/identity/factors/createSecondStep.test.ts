import { createHash } from "node:crypto";
import * as assert from "uvu/assert";
import { refusal } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";
import { createPasskey, openFactors, type Factors } from "./openFactors.ts";

const stepMs = 30_000;

suite("core/identity/factors/createSecondStep", (test) => {
  let factors: Factors;
  test.before(async () => {
    factors = await openFactors();
  });
  test.after(() => factors.close());
  const idOf = () => factors.tokens.ben.userId;
  const codeOfFailure = async (work: Promise<unknown>) => (await refusal(work)).code;

  test("a person without a second factor can sign in without a code, and any code is ignored", async () => {
    await factors.clear();
    assert.is(await factors.hosts[0].verifyCode(idOf(), undefined), undefined);
    assert.is(await factors.hosts[0].verifyCode(idOf(), "123456"), undefined);
  });

  test("the error for a missing code lists the second factors that the user can use", async () => {
    await factors.clear();
    await factors.addApp();
    const [host] = factors.hosts;
    for (const code of [undefined, null, "", 123456]) {
      const refused = await refusal(host.verifyCode(idOf(), code));
      assert.equal([refused.code, refused.status], ["SECOND_FACTOR_REQUIRED", 401]);
      assert.match(refused.message, "send code too");
    }
    await factors.addPasskey(createPasskey());
    const both = await refusal(host.verifyCode(idOf(), undefined));
    assert.match(both.message, "passkey");
  });

  test("a code from an app works once across all hosts, within one time step of the current time", async () => {
    await factors.clear();
    const app = await factors.addApp();
    const [one, other] = factors.hosts;
    assert.is(await codeOfFailure(one.verifyCode(idOf(), app.codeAt())), "SECOND_FACTOR_WRONG");
    const next = app.codeAt(factors.nowMs + stepMs);
    assert.is(await one.verifyCode(idOf(), `${next.slice(0, 3)} ${next.slice(3)}`), "app");
    assert.is(await codeOfFailure(other.verifyCode(idOf(), next)), "SECOND_FACTOR_WRONG");
    factors.nowMs += 10 * stepMs;
    const late = app.codeAt(factors.nowMs - 2 * stepMs);
    assert.is(await codeOfFailure(one.verifyCode(idOf(), late)), "SECOND_FACTOR_WRONG");
    const early = app.codeAt(factors.nowMs + 2 * stepMs);
    assert.is(await codeOfFailure(one.verifyCode(idOf(), early)), "SECOND_FACTOR_WRONG");
    assert.is(await one.verifyCode(idOf(), app.codeAt(factors.nowMs - stepMs)), "app");
    assert.is(await other.verifyCode(idOf(), app.codeAt()), "app");
    const before = app.codeAt(factors.nowMs - stepMs);
    assert.is(await codeOfFailure(other.verifyCode(idOf(), before)), "SECOND_FACTOR_WRONG");
  });

  test("when two hosts receive the same code concurrently, only one accepts it", async () => {
    await factors.clear();
    const app = await factors.addApp();
    factors.nowMs += 4 * stepMs;
    const code = app.codeAt();
    const calls = Array.from({ length: 4 }, (_, index) =>
      factors.hosts[index % 2]!.verifyCode(idOf(), code).catch(({ code: failed }) => failed),
    );
    const outcomes = await Promise.all(calls);
    assert.is(outcomes.filter((outcome) => outcome === "app").length, 1);
    assert.is(outcomes.filter((outcome) => outcome === "SECOND_FACTOR_WRONG").length, 3);
  });

  test("waits after wrong codes grow across all hosts, and a correct code ends the waits", async () => {
    await factors.clear();
    const app = await factors.addApp();
    factors.nowMs += 4 * stepMs;
    const waits: number[] = [];
    for (let attempt = 0; attempt < 12; attempt++) {
      const host = factors.hosts[attempt % 2]!;
      const { code } = await refusal(host.verifyCode(idOf(), "000000"));
      assert.is(code, "SECOND_FACTOR_WRONG");
      const [{ ends_at: ends }] = await factors.tokens.catalog.knex("attempt_wait");
      const waitMs = Math.round(ends.getTime() - factors.nowMs);
      waits.push(waitMs / 60_000);
      if (waitMs === 0) continue;
      const held = await refusal(
        factors.hosts[(attempt + 1) % 2]!.verifyCode(idOf(), app.codeAt()),
      );
      assert.equal([held.code, held.status], ["SECOND_FACTOR_WAIT", 429]);
      factors.nowMs += waitMs;
    }
    assert.equal(waits, [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60]);
    assert.is(await factors.hosts[0].verifyCode(idOf(), app.codeAt()), "app");
    factors.nowMs += stepMs;
    assert.is(
      await codeOfFailure(factors.hosts[0].verifyCode(idOf(), "000000")),
      "SECOND_FACTOR_WRONG",
    );
    assert.is(await factors.hosts[0].verifyCode(idOf(), app.codeAt()), "app");
  });

  test("a recovery code works exactly once, even in concurrent calls or after too many wrong codes", async () => {
    await factors.clear();
    const { codes } = await factors.addApp();
    const [one, other] = factors.hosts;
    assert.is(new Set(codes).size, 10);
    for (let attempt = 0; attempt < 5; attempt++) await refusal(one.verifyCode(idOf(), "000000"));
    const first = codes[0]!;
    assert.is(
      await one.verifyCode(idOf(), first.toUpperCase().replaceAll("-", " ")),
      "recovery_code",
    );
    assert.is(await codeOfFailure(other.verifyCode(idOf(), first)), "SECOND_FACTOR_WRONG");
    const both = await Promise.all(
      [one, other, one].map((host) => host.verifyCode(idOf(), codes[1]).catch(({ code }) => code)),
    );
    assert.is(both.filter((outcome) => outcome === "recovery_code").length, 1);
    const stored = await factors.tokens.catalog.knex("recovery_code").where({ user_id: idOf() });
    assert.is(stored.length, 8);
    assert.not(stored.some(({ hash }) => codes.includes(hash.toString())));
  });

  test("a code of one user does not work for another user", async () => {
    await factors.clear();
    const app = await factors.addApp();
    await factors.addApp(factors.tokens.ada);
    factors.nowMs += 4 * stepMs;
    const { userId } = factors.tokens.ada;
    const [host] = factors.hosts;
    for (const code of [app.codes[0], app.codeAt()])
      assert.is(await codeOfFailure(host.verifyCode(userId, code)), "SECOND_FACTOR_WRONG");
  });

  test("the catalog stores app secrets encrypted, and each can be decrypted only for its own row", async () => {
    await factors.clear();
    const app = await factors.addApp();
    const { knex } = factors.tokens.catalog;
    const [stored] = await knex("second_factor").where({ id: app.id });
    assert.not.match(JSON.stringify(stored), app.secret);
    const { id } = await factors.addApp(factors.tokens.ada);
    await knex("second_factor").where({ id }).update({ secret: stored.secret });
    factors.nowMs += 4 * stepMs;
    const moved = factors.hosts[0].verifyCode(factors.tokens.ada.userId, app.codeAt());
    assert.is(await moved.catch((failure: Error) => failure.name), "SecretLost");
  });

  test("a passkey signs in its user on any host, but only once per ticket", async () => {
    await factors.clear();
    const passkey = createPasskey();
    await factors.addPasskey(passkey);
    const [one, other] = factors.hosts;
    const { ticket, options } = one.offerPasskey();
    const answer = passkey.use(options);
    assert.is(await other.verifyPasskey(ticket, answer), idOf());
    for (const host of factors.hosts)
      assert.is(await codeOfFailure(host.verifyPasskey(ticket, answer)), "SECOND_FACTOR_WRONG");
    const again = one.offerPasskey();
    const calls = factors.hosts.map((host) =>
      host
        .verifyPasskey(again.ticket, passkey.use(again.options))
        .catch(({ code }: { code: string }) => code),
    );
    assert.equal((await Promise.all(calls)).toSorted(), [idOf(), "SECOND_FACTOR_WRONG"].toSorted());
  });

  test("a passkey response is refused if it has another origin, host, challenge or type, or lacks user verification", async () => {
    await factors.clear();
    const passkey = createPasskey();
    await factors.addPasskey(passkey);
    const [host] = factors.hosts;
    const lies = [
      { origin: "https://evil.example.org" },
      { origin: "http://analytics.example.org" },
      { rpId: "example.org" },
      { challenge: "another" },
      { type: "webauthn.create" },
      { flags: 1 },
      { flags: 4 },
      { flags: 0 },
      { counter: 0 },
      { counter: 1 },
      { userHandle: "another" },
      { userHandle: "" },
    ];
    for (const lie of lies) {
      const { ticket, options } = host.offerPasskey();
      const refused = await refusal(host.verifyPasskey(ticket, passkey.use(options, lie)));
      assert.is(refused.code, "SECOND_FACTOR_WRONG", JSON.stringify(lie));
      assert.not.match(refused.message, "evil");
    }
    const { ticket, options } = host.offerPasskey();
    assert.is(await host.verifyPasskey(ticket, passkey.use(options)), idOf());
  });

  test("signing in fails with an unknown passkey or with the wrong key for a known passkey", async () => {
    await factors.clear();
    const [passkey, other] = [createPasskey(), createPasskey()];
    await factors.addPasskey(passkey);
    await factors.addPasskey(other, factors.tokens.ada);
    const [host] = factors.hosts;
    const { ticket, options } = host.offerPasskey();
    const answer = other.use(options);
    const claimed = { ...answer, id: passkey.id, rawId: passkey.id };
    assert.is(await codeOfFailure(host.verifyPasskey(ticket, claimed)), "SECOND_FACTOR_WRONG");
    const unknown = createPasskey().use(options);
    assert.is(await codeOfFailure(host.verifyPasskey(ticket, unknown)), "SECOND_FACTOR_WRONG");
    for (const wrong of [
      undefined,
      null,
      "x",
      {},
      { ...answer, response: {} },
      { ...answer, type: 1 },
    ])
      assert.is(await codeOfFailure(host.verifyPasskey(ticket, wrong)), "SECOND_FACTOR_WRONG");
    assert.is(await host.verifyPasskey(ticket, answer), factors.tokens.ada.userId);
  });

  test("a passkey ticket is refused if it is missing, expired, altered or issued for another purpose", async () => {
    await factors.clear();
    const passkey = createPasskey();
    await factors.addPasskey(passkey);
    const [host] = factors.hosts;
    const { ticket, options } = host.offerPasskey();
    const answer = passkey.use(options);
    const enrolling = await factors.enrolment.beginPasskey(factors.caller());
    const altered = `${ticket.slice(0, -4)}AAAA`;
    for (const wrong of [enrolling.ticket, altered, "", undefined, 1, "v1.x"])
      assert.is(await codeOfFailure(host.verifyPasskey(wrong, answer)), "SECOND_FACTOR_WRONG");
    factors.nowMs += 600_000;
    assert.is(await codeOfFailure(host.verifyPasskey(ticket, answer)), "SECOND_FACTOR_WRONG");
  });

  test("used challenges are stored as hashes until their tickets expire", async () => {
    await factors.clear();
    const passkey = createPasskey();
    await factors.addPasskey(passkey);
    const [host] = factors.hosts;
    const enter = async () => {
      const { ticket, options } = host.offerPasskey();
      await host.verifyPasskey(ticket, passkey.use(options));
      return createHash("sha256").update(String(options["challenge"])).digest();
    };
    const { knex } = factors.tokens.catalog;
    const first = await enter();
    assert.is((await knex("used_challenge").where({ hash: first })).length, 1);
    factors.nowMs += 3_600_000;
    const second = await enter();
    const left = await knex("used_challenge").pluck("hash");
    assert.equal(left.map(String), [second].map(String));
  });
});
