import type { Records } from "../../../../core/base/contracts/index.ts";
import * as assert from "uvu/assert";
import { randomUUID } from "node:crypto";
import { authenticate, ensureOwner, hashToken } from "../../../../core/identity/access/index.ts";
import { openRecords } from "../../../../core/resources/index.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { suite } from "../../../support/suite.ts";

suite("core/identity/access/ensureOwner", (test) => {
  let catalog: TestCatalog;
  let records: Records;

  test.beforeEach(async () => {
    catalog = await openTestCatalog();
    records = openRecords({ catalog, cipher: catalog.cipher });
  });
  test.afterEach(() => catalog.close());

  const start = (key?: string, token?: string) => ensureOwner({ records, key, token });
  const isValid = (key: string, token: string) =>
    authenticate({ catalog, cipher: catalog.cipher }, { key, token }).then(
      () => true,
      () => false,
    );

  test("the host returns the owner's key pair only at its first start", async () => {
    const made = await start();
    assert.ok(made && (await isValid(made.key, made.token)));
    assert.is(await start(), undefined);
    const [organization, ...others] = await records.find("organization", {});
    assert.is(others.length, 0);
    assert.is(organization?.signed_up, false);
    assert.is((await records.find("user", {})).length, 1);
  });

  test("hosts that start concurrently create only one owner", async () => {
    const made = await Promise.all([start(), start(), start()]);
    assert.is(made.filter(Boolean).length, 1);
    assert.is((await records.find("organization", {})).length, 1);
  });

  test("after each start, the key pair in the settings is valid, and a pair from earlier settings is not", async () => {
    const [key, other] = [randomUUID(), randomUUID()];
    const [token, later] = ["t".repeat(32), "u".repeat(32)];
    assert.is(await start(key, token), undefined);
    assert.ok(await isValid(key, token));
    await start(key, token);
    assert.ok(await isValid(key, token));
    await start(key, later);
    assert.not(await isValid(key, token));
    assert.ok(await isValid(key, later));
    await start(other, later);
    assert.not(await isValid(key, later));
    assert.ok(await isValid(other, later));
    assert.is((await records.find("organization", {})).length, 1);
  });

  test("the earlier key pair stays valid if storing the new key pair fails", async () => {
    const [key, token] = [randomUUID(), "t".repeat(32)];
    await start(key, token);
    const failing: Records = {
      ...records,
      insert: () => Promise.reject(new Error("the disk is full")),
    };
    const later = ensureOwner({ records: failing, key: randomUUID(), token });
    const message = await later.catch((failure: unknown) => String(failure));
    assert.is(message, "Error: the disk is full");
    assert.ok(await isValid(key, token));
  });

  test("a first start that fails leaves nothing, so that the next start is again the first", async () => {
    const failing: Records = {
      ...records,
      insert: (resource, ...rest) =>
        resource === "authorization"
          ? Promise.reject(new Error("the disk is full"))
          : records.insert(resource, ...rest),
    };
    const first = ensureOwner({ records: failing, key: undefined, token: undefined });
    const message = await first.catch((failure: unknown) => String(failure));
    assert.is(message, "Error: the disk is full");
    assert.equal(await records.find("organization", {}), []);
    assert.equal(await records.find("user", {}), []);
    assert.ok(await start());
    assert.is((await records.find("user", {})).length, 1);
  });

  test("key pairs created through the API stay valid when the pair in the settings changes", async () => {
    const made = await start();
    const { userId } = await authenticate({ catalog, cipher: catalog.cipher }, { ...made });
    const values = { type: "api" as const, user_id: userId, token_hash: hashToken("its token") };
    const { id } = await records.insert("authorization", values);
    await start(randomUUID(), "t".repeat(32));
    assert.ok(await isValid(id, "its token"));
  });

  test("the host does not start with an incomplete or invalid key pair, or with another user's key", async () => {
    const refusal = (key?: string, token?: string) =>
      start(key, token).then(
        () => "",
        (failure: Error) => failure.message,
      );
    assert.match(await refusal(randomUUID()), /must be set together/);
    assert.match(await refusal(undefined, "t".repeat(32)), /must be set together/);
    assert.match(await refusal("key", "t".repeat(32)), /must be a UUID/);
    assert.match(await refusal(randomUUID(), "short"), /at least 20/);
    await start();
    const { id } = await records.insert("user", { email: "b@example.org" });
    const foreign = await records.insert("authorization", {
      type: "api",
      user_id: id,
      token_hash: Buffer.alloc(32),
    });
    assert.match(await refusal(foreign.id, "t".repeat(32)), /another user/);
  });
});
