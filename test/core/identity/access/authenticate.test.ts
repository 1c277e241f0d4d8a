import type { Records } from "../../../../core/base/contracts/index.ts";
import * as assert from "uvu/assert";
import crypto, { randomUUID } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { authenticate, ensureOwner } from "../../../../core/identity/access/index.ts";
import {
  hashSession,
  presentSession,
} from "../../../../core/identity/access/tokens/sessionToken.ts";
import { openRecords } from "../../../../core/resources/index.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { suite } from "../../../support/suite.ts";

suite("core/identity/access/authenticate", (test) => {
  let catalog: TestCatalog;
  let records: Records;
  let pair: { readonly key: string; readonly token: string };

  test.before(async () => {
    catalog = await openTestCatalog();
    records = openRecords({ catalog, cipher: catalog.cipher });
    const made = await ensureOwner({ records, key: undefined, token: undefined });
    if (!made) throw new Error("the first start created no key pair");
    pair = made;
  });
  test.after(() => catalog.close());

  const refuses = async (body: Record<string, unknown>) => {
    const refusal = await authenticate({ catalog, cipher: catalog.cipher }, body).then(
      () => undefined,
      (failure: unknown) => failure,
    );
    const { code, status, message } = (refusal ?? {}) as Record<string, unknown>;
    assert.equal(
      { code, status, message },
      {
        code: "UNAUTHORIZED",
        status: 401,
        message: "Unauthorized: key and token are missing, wrong or expired",
      },
      JSON.stringify(body),
    );
  };

  test("a call with the owner's key and token has the owner as its principal", async () => {
    const principal = await authenticate({ catalog, cipher: catalog.cipher }, { ...pair });
    assert.is(principal.authorizationId, pair.key);
    assert.is(principal.authorizationType, "api");
    assert.is(principal.organizationRole, "owner");
    assert.is(principal.email, "owner@localhost");
  });

  test("a call with a session has the session's user as its principal, even if the body contains a key pair", async () => {
    const options = { catalog, cipher: catalog.cipher };
    const { userId } = await authenticate(options, { ...pair });
    const values = { type: "api" as const, user_id: userId, token_hash: hashSession("secret") };
    const { id } = await records.insert("authorization", values);
    const session = presentSession({ id, secret: "secret" });
    const principal = await authenticate(
      options,
      { ...pair },
      { address: "::1", origin: undefined, session },
    );
    assert.equal([principal.authorizationId, principal.isSession], [id, true]);
  });

  test("a key in uppercase authenticates a call", async () => {
    const { userId } = await authenticate(
      { catalog, cipher: catalog.cipher },
      { ...pair, key: pair.key.toUpperCase() },
    );
    assert.type(userId, "string");
  });

  test("every wrong key pair leads to the same error message", async () => {
    const { key, token } = pair;
    const odd = [
      undefined,
      null,
      "",
      "x",
      1,
      true,
      {},
      [],
      [token],
      "a".repeat(100_000),
      "\u0000",
      "' or 1=1 --",
    ];
    for (const wrong of odd) {
      await refuses({ key, token: wrong });
      await refuses({ key: wrong, token });
    }
    await refuses({});
    await refuses({ key: randomUUID(), token });
    await refuses({ key, token: `${token} ` });
    await refuses({ key, token: token.slice(0, -1) });
    await refuses(Object.create({ key, token }) as Record<string, unknown>);
  });

  test("expired and deleted key pairs are refused", async () => {
    const { userId } = await authenticate({ catalog, cipher: catalog.cipher }, pair);
    const [own] = await records.find("authorization", { id: pair.key });
    const values = { type: "api" as const, user_id: userId, token_hash: own?.["token_hash"] };
    const expired = await records.insert("authorization", {
      ...values,
      expiry: new Date(Date.now() - 1),
    });
    await refuses({ key: expired.id, token: pair.token });
    const current = await records.insert("authorization", {
      ...values,
      expiry: new Date(Date.now() + 60_000),
    });
    await authenticate({ catalog, cipher: catalog.cipher }, { key: current.id, token: pair.token });
    const mark = (deleted_at: Date | null) =>
      catalog.knex("authorization").where({ id: current.id }).update({ deleted_at });
    await mark(new Date());
    await refuses({ key: current.id, token: pair.token });
    await mark(null);
    await authenticate({ catalog, cipher: catalog.cipher }, { key: current.id, token: pair.token });
    await records.remove("authorization", [current.id]);
    await refuses({ key: current.id, token: pair.token });
  });

  test("the key pair of an embed token without an issuer is refused", async () => {
    const [own] = await records.find("authorization", { id: pair.key });
    const values = { user_id: own?.["user_id"], token_hash: own?.["token_hash"] };
    const embed = await records.insert("authorization", { ...values, type: "embed" });
    await refuses({ key: embed.id, token: pair.token });
  });

  test("token hashes are compared in constant time, for known and unknown keys", async () => {
    const compare = crypto.timingSafeEqual;
    const lengths: number[][] = [];
    crypto.timingSafeEqual = (one, other) => {
      lengths.push([one.byteLength, other.byteLength]);
      return compare(one, other);
    };
    syncBuiltinESMExports();
    try {
      await authenticate({ catalog, cipher: catalog.cipher }, pair);
      for (const body of [
        { key: pair.key, token: `${pair.token}x` },
        { key: pair.key, token: "" },
        { key: pair.key },
        { key: randomUUID(), token: pair.token },
        { key: "x", token: "x".repeat(100_000) },
        {},
      ])
        await refuses(body);
    } finally {
      crypto.timingSafeEqual = compare;
      syncBuiltinESMExports();
    }
    assert.is(lengths.length, 7);
    assert.ok(lengths.flat().every((length) => length === 32));
  });

  test("authenticating a call takes one SQL statement, even if the key is malformed", async () => {
    const statements: string[] = [];
    const listen = ({ sql }: { sql: string }) => statements.push(sql);
    catalog.knex.on("query", listen);
    await authenticate({ catalog, cipher: catalog.cipher }, pair);
    await refuses({ key: randomUUID(), token: pair.token });
    await refuses({ key: "not a key" });
    catalog.knex.off("query", listen);
    assert.is(statements.length, 3);
  });
});
