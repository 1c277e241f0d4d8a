import * as assert from "uvu/assert";
import { createPasskeys } from "../../../../core/identity/factors/index.ts";
import { refusal } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";
import { codeOf, createPasskey, openFactors, type Factors } from "./openFactors.ts";

suite("core/identity/factors/createEnrolment", (test) => {
  let factors: Factors;
  test.before(async () => {
    factors = await openFactors();
  });
  test.after(() => factors.close());
  const codeOfFailure = async (work: () => Promise<unknown>) =>
    (await refusal(Promise.resolve().then(work))).code;

  test("an authenticator app is stored only after its user has entered one of its codes", async () => {
    await factors.clear();
    const { enrolment, tokens } = factors;
    const caller = factors.caller();
    const begun = enrolment.beginApp(caller);
    assert.match(
      begun.uri,
      /^otpauth:\/\/totp\/Manifold:ben%40example\.org\?issuer=Manifold&secret=[A-Z2-7]{32}&/,
    );
    assert.equal(await enrolment.list(tokens.ben.userId), []);
    const given = { ticket: begun.ticket, name: "Phone" };
    for (const answer of ["000000", "", 5, codeOf(begun.secret, factors.nowMs - 90_000)])
      assert.is(
        await codeOfFailure(() => enrolment.addApp(caller, { ...given, answer })),
        "SECOND_FACTOR_WRONG",
      );
    const answer = codeOf(begun.secret, factors.nowMs);
    const added = await enrolment.addApp(caller, { ...given, answer });
    assert.is(added.recovery_codes?.length, 10);
    const [shown] = await enrolment.list(tokens.ben.userId);
    assert.equal([shown?.type, shown?.name], ["app", "Phone"]);
    const event = await tokens.catalog
      .knex("auditevent")
      .where({ action: "second_factor_add", record_id: tokens.ben.userId })
      .first();
    assert.equal(event.members, ["app"]);
  });

  test("an enrolment ticket works only once, only for its user and only for ten minutes", async () => {
    await factors.clear();
    const { enrolment, tokens } = factors;
    const { ticket, secret } = enrolment.beginApp(factors.caller());
    const given = () => ({ ticket, name: "Phone", answer: codeOf(secret, factors.nowMs) });
    assert.is(
      await codeOfFailure(() => enrolment.addApp(factors.caller(tokens.ada), given())),
      "SECOND_FACTOR_WRONG",
    );
    await enrolment.addApp(factors.caller(), given());
    assert.is(
      await codeOfFailure(() => enrolment.addApp(factors.caller(), given())),
      "SECOND_FACTOR_WRONG",
    );
    const late = enrolment.beginApp(factors.caller());
    factors.nowMs += 600_000;
    const answer = codeOf(late.secret, factors.nowMs);
    assert.is(
      await codeOfFailure(() =>
        enrolment.addApp(factors.caller(), { ticket: late.ticket, name: "Phone", answer }),
      ),
      "SECOND_FACTOR_WRONG",
    );
  });

  test("adding the first factor revokes only sessions that were started with just the password", async () => {
    await factors.clear();
    const { tokens } = factors;
    const { records, catalog, ben } = tokens;
    const made: string[] = [];
    await records.transaction(async (transaction) => {
      for (const factor of [null, "app"]) {
        const row = await records.insert(
          "authorization",
          {
            type: "login",
            user_id: ben.userId,
            token_hash: Buffer.alloc(32),
            expiry: new Date(Date.now() + 60_000),
            factor,
          },
          transaction,
        );
        made.push(row.id);
      }
    });
    await factors.addApp();
    assert.equal(await catalog.knex("authorization").whereIn("id", made).pluck("id"), [made[1]]);
  });

  test("a passkey cannot be added if its origin or challenge is wrong or the user was not verified", async () => {
    await factors.clear();
    const { enrolment, tokens } = factors;
    const caller = factors.caller();
    const lies = [
      { origin: "https://evil.example.org" },
      { rpId: "example.org" },
      { challenge: "another" },
      { type: "webauthn.get" },
      { flags: 65 },
      { flags: 68 },
    ];
    for (const lie of lies) {
      const { ticket, options } = await enrolment.beginPasskey(caller);
      const answer = createPasskey().create(options, lie);
      assert.is(
        await codeOfFailure(() => enrolment.addPasskey(caller, { ticket, name: "Key", answer })),
        "SECOND_FACTOR_WRONG",
        JSON.stringify(lie),
      );
    }
    assert.equal(await enrolment.list(tokens.ben.userId), []);
  });

  test("a passkey of one user cannot be added for a second user", async () => {
    await factors.clear();
    const { enrolment, tokens } = factors;
    const passkey = createPasskey();
    await factors.addPasskey(passkey);
    const caller = factors.caller(tokens.ada);
    const { ticket, options } = await enrolment.beginPasskey(caller);
    const given = { ticket, name: "Key", answer: passkey.create(options) };
    assert.is(await codeOfFailure(() => enrolment.addPasskey(caller, given)), "CONFLICT");
  });

  test("removing the last second factor removes the recovery codes, and fails if the organization requires a factor", async () => {
    await factors.clear();
    const { enrolment, tokens } = factors;
    const { ben, catalog } = tokens;
    const demand = (value: boolean) =>
      catalog
        .knex("organization")
        .where({ id: ben.organizationId })
        .update({ require_second_factor: value });
    const app = await factors.addApp();
    await demand(true);
    const remove = () => enrolment.remove(factors.caller(), app.id);
    assert.is(await codeOfFailure(remove), "CONFLICT");
    await demand(false);
    assert.is(
      await codeOfFailure(() => enrolment.remove(factors.caller(tokens.ada), app.id)),
      "RECORD_NOT_FOUND",
    );
    await remove();
    assert.is(await enrolment.countRecoveryCodes(ben.userId), 0);
    assert.is(await codeOfFailure(remove), "RECORD_NOT_FOUND");
    assert.is(await codeOfFailure(() => enrolment.makeRecoveryCodes(factors.caller())), "CONFLICT");
  });

  test("creating new recovery codes invalidates the old codes", async () => {
    await factors.clear();
    const { enrolment, tokens } = factors;
    const { codes } = await factors.addApp();
    const fresh = await enrolment.makeRecoveryCodes(factors.caller());
    const { userId } = tokens.ben;
    assert.is(
      await codeOfFailure(() => factors.hosts[0].verifyCode(userId, codes[0])),
      "SECOND_FACTOR_WRONG",
    );
    assert.is(await factors.hosts[0].verifyCode(userId, fresh[0]), "recovery_code");
    assert.is(await enrolment.countRecoveryCodes(userId), 9);
  });

  test("passkeys are offered only where browsers accept them: on https with a domain name, or on localhost", () => {
    const offered = (url: string) => createPasskeys(() => url).isOffered();
    assert.equal(
      [
        "https://analytics.example.org",
        "http://localhost:4000",
        "http://127.0.0.1:4000",
        "https://10.0.0.1",
        "https://[::1]:4000",
        "http://analytics.example.org",
      ].map(offered),
      [true, true, false, false, false, false],
    );
  });
});
