import * as assert from "uvu/assert";
import { createPasswordCheck, ensureOwner } from "../../../core/identity/access/index.ts";
import { createWaits } from "../../../core/identity/factors/index.ts";
import { createCipher } from "../../../core/catalog/index.ts";
import { createCallLimits } from "../../../core/http/middleware/index.ts";
import { openRecords } from "../../../core/resources/index.ts";
import { runOwnerCommand } from "../../../core/cli/runOwnerCommand.ts";
import { openTestCatalog, type TestCatalog } from "../../support/catalog.ts";
import { testSecret } from "../../support/openTestHost.ts";
import { suite } from "../../support/suite.ts";

const password = "a kettle on a hill";

suite("core/cli/runOwnerCommand", (test) => {
  let catalog: TestCatalog;
  test.before(async () => {
    catalog = await openTestCatalog();
  });
  test.after(() => catalog.close());

  const run = async (
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ) => {
    const lines: string[] = [];
    const settings = { databaseUrl: catalog.databaseUrl, secret: testSecret, logLevel: "silent" };
    await runOwnerCommand(args, environment, (line) => lines.push(line), settings);
    return lines;
  };
  const refused = (args: readonly string[], environment?: Readonly<Record<string, string>>) =>
    run(args, environment).then(
      () => "it was not refused",
      (failure: Error) => failure.message,
    );

  test("using a recovery key removes the owner's second factors and sessions, and writes an audit event", async () => {
    const { knex } = catalog;
    const records = openRecords({ catalog, cipher: createCipher(testSecret) });
    await ensureOwner({ records, key: undefined, token: undefined });
    const [owner] = await records.find("user", {});
    const userId = String(owner?.id);
    await knex("second_factor").insert({ id: userId, user_id: userId, type: "app", name: "Phone" });
    await knex("authorization").insert({
      id: userId,
      type: "login",
      user_id: userId,
      token_hash: Buffer.alloc(32),
      expiry: new Date(Date.now() + 60_000),
      created_at: new Date(),
      updated_at: new Date(),
    });
    await knex("organization").update({ allowed_addresses: '["203.0.113.9"]' });
    const [, key = ""] = await run(["recovery-key"]);
    const given = { MANIFOLD_RECOVERY_KEY: key.trim(), MANIFOLD_NEW_PASSWORD: password };
    const [stored] = await knex("owner_recovery");
    assert.is(stored.hash.length, 32);
    const wrong = { ...given, MANIFOLD_RECOVERY_KEY: `${key.trim()}x` };
    assert.match(await refused(["recover"], wrong), "the recovery key is wrong");
    assert.is((await knex("second_factor")).length, 1);
    const [confirmation = "", , next = ""] = await run(["recover"], given);
    assert.match(confirmation, "owner@localhost can now sign in with the new password");
    assert.equal(
      [await knex("second_factor"), await knex("authorization").where({ type: "login" })],
      [[], []],
    );
    const event = await knex("auditevent").where({ action: "owner_recover" }).first();
    assert.equal(
      [event.record_id, event.members],
      [userId, ["password", "second_factors", "sessions", "allowed_addresses"]],
    );
    assert.equal(await knex("organization").pluck("allowed_addresses"), [null]);
    assert.not.match(JSON.stringify(event), password);
    const limits = createCallLimits({ callsPerSecond: 0, callBurst: 1, failuresPerMinute: 0 });
    const waits = createWaits({ knex, tries: 0 });
    const check = createPasswordCheck({ catalog, limits, waits });
    const caller = { address: "127.0.0.1", requestId: "r" };
    const entered = await check({ email: "owner@localhost", password }, caller);
    assert.is(entered.user.id, userId);
    assert.match(await refused(["recover"], given), "the recovery key is wrong");
    assert.is.not(next.trim(), key.trim());
  });

  test("`manifold owner` names missing arguments and variables, and refuses weak passwords", async () => {
    assert.match(await refused([]), "recovery-key or recover");
    assert.match(await refused(["recovery-key", "x"]), "nothing else");
    assert.match(await refused(["recover"]), "MANIFOLD_RECOVERY_KEY and MANIFOLD_NEW_PASSWORD");
    const [, key = ""] = await run(["recovery-key"]);
    const given = { MANIFOLD_RECOVERY_KEY: key.trim() };
    const short = await refused(["recover"], { ...given, MANIFOLD_NEW_PASSWORD: "short" });
    assert.match(short, "10 to 200 characters");
    const common = await refused(["recover"], { ...given, MANIFOLD_NEW_PASSWORD: "1234567890" });
    assert.match(common, "guessed first");
  });
});
