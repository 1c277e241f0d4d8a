import * as assert from "uvu/assert";
import { randomUUID } from "node:crypto";
import {
  forgetAfterChange,
  openAccess,
  type Access,
} from "../../../../core/identity/access/index.ts";
import type { ApiCall } from "../../../../core/base/contracts/index.ts";
import {
  hashSession,
  presentSession,
} from "../../../../core/identity/access/tokens/sessionToken.ts";
import { openSweep } from "../../../../core/identity/access/sweepExpired.ts";
import { silentLog } from "../../../support/catalog.ts";
import { suite } from "../../../support/suite.ts";
import { openTokens, type Pair, type Tokens } from "./openTokens.ts";

interface Statement {
  readonly sql: string;
  readonly bindings?: unknown;
}

suite("core/identity/access/openAccess", (test) => {
  let tokens: Tokens;
  /** The access checks of two hosts over one catalog. */
  let here: Access;
  let there: Access;
  const clock = { ms: Date.now(), elapsedMs: 0 };
  /** Returns the elapsed milliseconds. The number increases between two reads, as with a real clock. */
  const elapsedMs = () => (clock.elapsedMs += 0.001);

  test.before(async () => {
    tokens = await openTokens();
    const { catalog } = tokens;
    const options = {
      catalog,
      cipher: catalog.cipher,
      log: silentLog,
      now: () => clock.ms,
      elapsedMs,
    };
    here = openAccess(options);
    there = openAccess(options);
  });
  test.after(async () => {
    await here.close();
    await there.close();
    await tokens.close();
  });

  const isLet = ({ id, token }: Pair, access = here) =>
    access.authenticate({ key: id, token }).then(
      () => true,
      (failure: { code?: unknown }) => {
        if (failure.code === "UNAUTHORIZED") return false;
        throw failure;
      },
    );
  /** Returns the statements that a function runs. Delayed writes of last uses are included only on request. */
  const statementsOf = async (
    run: () => Promise<unknown>,
    isOne = ({ sql }: Statement) => !sql.includes("last_used_at = used.at"),
  ): Promise<string[]> => {
    const statements: string[] = [];
    const listen = (each: Statement) => void (isOne(each) && statements.push(each.sql));
    tokens.catalog.knex.on("query", listen);
    await run();
    tokens.catalog.knex.off("query", listen);
    return statements;
  };
  /** Makes the host read the catalog, and with it the catalog's version, by checking another key pair. */
  const look = async (access: Access) => {
    clock.elapsedMs += 760;
    await isLet({ id: randomUUID(), token: "x" }, access);
  };

  test("the first check of a key pair takes one SQL statement, and later checks take none", async () => {
    const pair = await tokens.mint();
    here.forget();
    assert.is((await statementsOf(() => isLet(pair))).length, 1);
    const more = await statementsOf(async () => {
      for (let call = 0; call < 100; call++) assert.ok(await isLet(pair));
    });
    assert.equal(more, []);
  });

  test("only a call with a session is marked as one, also when its credentials are cached", async () => {
    const values = { type: "login" as const, user_id: tokens.ada.userId };
    const made = { ...values, token_hash: hashSession("secret") };
    const { id } = await tokens.records.insert("authorization", made);
    const session = presentSession({ id, secret: "secret" });
    const source = { address: "::1", origin: undefined };
    const { id: key, token } = await tokens.mint();
    for (let call = 0; call < 2; call++) {
      assert.is((await here.authenticate({}, { ...source, session })).isSession, true);
      assert.is((await here.authenticate({ key, token }, source)).isSession, undefined);
    }
  });

  test("a known key with a wrong token is refused without any SQL statement", async () => {
    const pair = await tokens.mint();
    await isLet(pair);
    const statements = await statementsOf(async () => {
      assert.not(await isLet({ id: pair.id, token: `${pair.token}x` }));
      assert.not(await isLet({ id: pair.id.toUpperCase(), token: "" }));
      assert.ok(await isLet({ id: pair.id.toUpperCase(), token: pair.token }));
    });
    assert.equal(statements, []);
  });

  test("one read of the catalog confirms every cached key pair", async () => {
    const pairs = [await tokens.mint(), await tokens.mint(), await tokens.mint()];
    here.forget();
    for (const pair of pairs) assert.ok(await isLet(pair));
    clock.elapsedMs += 760;
    const statements = await statementsOf(async () => {
      for (const pair of pairs) assert.ok(await isLet(pair));
    });
    assert.is(statements.length, 1);
  });

  const changes: Readonly<Record<string, (pair: Pair) => Promise<unknown>>> = {
    "a deleted token": ({ id }) => tokens.catalog.knex("authorization").where({ id }).delete(),
    "an expiry moved to an earlier time": ({ id }) =>
      tokens.catalog
        .knex("authorization")
        .where({ id })
        .update({ expiry: new Date(0) }),
    "another hash": ({ id }) =>
      tokens.catalog
        .knex("authorization")
        .where({ id })
        .update({ token_hash: Buffer.alloc(32) }),
    "a deleted user": async (pair) =>
      tokens.catalog
        .knex("user")
        .where({ id: (await tokens.whoIs(pair)).userId })
        .delete(),
    "an issuer who is no longer an owner": async (pair) =>
      tokens.catalog
        .knex("organization_user")
        .where({ user_id: (await tokens.whoIs(pair)).restriction?.issuer.userId ?? "" })
        .update({ flagOwn: false }),
    "a deleted issuer": async (pair) =>
      tokens.catalog
        .knex("user")
        .where({ id: (await tokens.whoIs(pair)).restriction?.issuer.userId ?? "" })
        .delete(),
  };
  for (const [what, change] of Object.entries(changes))
    test(`a token becomes invalid on every host within a second after this change: ${what}`, async () => {
      const { addUser, ada, mint } = tokens;
      const owner = { flagEditor: true, flagOwn: true };
      const issuer = await addUser(ada, randomUUID(), {}, owner);
      const pair = await mint({ username: randomUUID() }, issuer);
      assert.equal([await isLet(pair, here), await isLet(pair, there)], [true, true]);
      await change(pair);
      clock.elapsedMs += 800;
      assert.equal([await isLet(pair, here), await isLet(pair, there)], [false, false]);
    });

  test("changing a token invalidates the cache of all tokens once, but using a token does not", async () => {
    const [one, other] = [await tokens.mint(), await tokens.mint()];
    for (const pair of [one, other]) assert.ok(await isLet(pair));
    await tokens.catalog.knex("authorization").update({ last_used_at: new Date() });
    await tokens.mint();
    clock.elapsedMs += 760;
    assert.ok(await isLet(one));
    assert.equal(await statementsOf(() => isLet(other)), []);
    await tokens.catalog.knex("authorization").where({ id: one.id }).delete();
    clock.elapsedMs += 760;
    assert.is((await statementsOf(() => isLet(other))).length, 1);
  });

  test("a change to a token on this host takes effect at the next call", async () => {
    const { ada, kernel, mint } = tokens;
    const handlers = forgetAfterChange(
      "authorization",
      kernel.handlers["authorization"] ?? {},
      here,
    );
    const pair = await mint();
    assert.ok(await isLet(pair));
    const call: ApiCall = {
      resource: "authorization",
      action: "delete",
      body: { id: pair.id },
      principal: ada,
      requestId: randomUUID(),
      address: undefined,
      signal: new AbortController().signal,
    };
    await handlers.delete?.(call);
    assert.not(await isLet(pair));
    assert.is(forgetAfterChange("tag", kernel.handlers["tag"] ?? {}, here), kernel.handlers["tag"]);
  });

  test("a read of the catalog that began before a change on this host confirms no credentials after the change", async () => {
    const pair = await tokens.mint();
    const reading = isLet(pair);
    here.forget();
    assert.ok(await reading);
    assert.is((await statementsOf(() => isLet(pair))).length, 1);
  });

  test("cached tokens expire and become idle at the same time as in the catalog", async () => {
    const pair = await tokens.mint({ expiry: "1 hour", inactivity_interval: "10 minutes" });
    clock.ms = Date.now();
    assert.ok(await isLet(pair));
    const after = async (minutes: number) => {
      clock.ms += minutes * 60_000;
      return isLet(pair);
    };
    assert.ok(await after(9));
    assert.ok(await after(9));
    assert.not(await after(12));
    assert.not(await after(0));
    clock.ms = Date.now();
    const other = await tokens.mint({ expiry: "1 hour" });
    assert.ok(await isLet(other));
    clock.ms += 3_599_000;
    assert.ok(await isLet(other));
    clock.ms += 61_000;
    assert.not(await isLet(other));
    clock.ms = Date.now();
  });

  test("a token that is used on another host does not become idle on this host", async () => {
    const pair = await tokens.mint({ inactivity_interval: 120 });
    clock.ms = Date.now();
    assert.ok(await isLet(pair));
    clock.ms += 600_000;
    const usedAt = (secondsAgo: number) =>
      tokens.catalog
        .knex("authorization")
        .where({ id: pair.id })
        .update({ last_used_at: new Date(clock.ms - secondsAgo * 1000) });
    await usedAt(300);
    assert.not(await isLet(pair));
    await usedAt(30);
    assert.ok(await isLet(pair));
    clock.ms = Date.now();
  });

  test("the times when tokens were last used are written after the calls, at most once per minute", async () => {
    const { catalog, mint } = tokens;
    const access = openAccess({ catalog, cipher: catalog.cipher, log: silentLog });
    const [used, unused] = [await mint(), await mint()];
    const isWrite = ({ sql, bindings }: Statement) =>
      sql.includes("last_used_at = used.at") && JSON.stringify(bindings).includes(used.id);
    const writes = await statementsOf(async () => {
      for (let call = 0; call < 50; call++) await isLet(used, access);
      await access.close();
    }, isWrite);
    assert.is(writes.length, 1);
    const rows = await catalog.knex("authorization").whereIn("id", [used.id, unused.id]);
    const at = (id: string): Date | null => rows.find((row) => row.id === id)?.last_used_at;
    assert.ok(Math.abs((at(used.id)?.getTime() ?? 0) - Date.now()) < 5_000);
    assert.is(at(unused.id), null);
    const another = openAccess({ catalog, cipher: catalog.cipher, log: silentLog });
    await isLet(used, another);
    await another.close();
    const [again] = await catalog.knex("authorization").where({ id: used.id });
    assert.is(again.last_used_at.getTime(), at(used.id)?.getTime());
  });

  test("times of last use that could not be written are logged and written later", async () => {
    const { catalog, mint } = tokens;
    const warned = Promise.withResolvers<string>();
    let fails = true;
    const knex = {
      raw: (sql: string, bindings: never[]) =>
        fails && /update/.test(sql)
          ? Promise.reject(new Error("the connection broke"))
          : catalog.knex.raw(sql, bindings),
    } as unknown as typeof catalog.knex;
    const log = { ...silentLog, warn: (_: object, message: string) => warned.resolve(message) };
    const { cipher } = catalog;
    const access = openAccess({ catalog: { knex }, cipher, log, collectUsesMs: 0 });
    const pair = await mint();
    await isLet(pair, access);
    assert.is(await warned.promise, "the last use of tokens could not be written");
    fails = false;
    await isLet(pair, access);
    await access.close();
    const [row] = await catalog.knex("authorization").where({ id: pair.id });
    assert.ok(row.last_used_at);
  });

  test("no caller is authenticated while the catalog is unavailable", async () => {
    const { catalog, mint } = tokens;
    const knex = { raw: () => Promise.reject(new Error("down")) } as unknown as typeof catalog.knex;
    const access = openAccess({ catalog: { knex }, cipher: catalog.cipher, log: silentLog });
    const pair = await mint();
    const failure: unknown = await access
      .authenticate({ key: pair.id, token: pair.token })
      .catch((thrown: unknown) => thrown);
    assert.is((failure as Error).message, "down");
    await look(here);
  });

  test("only tokens that expired more than a month ago are removed, which invalidates no cache", async () => {
    const { catalog, mint, ada, records } = tokens;
    const sweep = openSweep({ catalog, log: silentLog });
    await sweep.run();
    const [old, recent, current] = [await mint(), await mint(), await mint()];
    const api = await records.insert("authorization", {
      type: "api",
      user_id: ada.userId,
      token_hash: Buffer.alloc(32),
    });
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
    const expire = (id: string, days: number) =>
      catalog
        .knex("authorization")
        .where({ id })
        .update({ expiry: daysAgo(days) });
    await expire(old.id, 31);
    await expire(recent.id, 29);
    await expire(api.id, 400);
    const version = () => catalog.knex("access_version").first("version");
    const before = await version();
    assert.is(await sweep.run(), 1);
    await sweep.close();
    assert.equal(await version(), before);
    const left = await catalog
      .knex("authorization")
      .whereIn("id", [old.id, recent.id, current.id, api.id])
      .pluck("id");
    assert.equal(left.toSorted(), [recent.id, current.id, api.id].toSorted());
  });

  test.deep("the cache of tokens has a maximum size in bytes", async () => {
    const { mint } = tokens;
    const large = { tenants: Array.from({ length: 100_000 }, () => randomUUID()) };
    const pairs = [];
    for (let made = 0; made < 9; made++) pairs.push(await mint({ parameter_overrides: large }));
    here.forget();
    for (const pair of pairs) assert.ok(await isLet(pair));
    const [first, last] = [pairs[0] as Pair, pairs.at(-1) as Pair];
    assert.equal(await statementsOf(() => isLet(last)), []);
    assert.is((await statementsOf(() => isLet(first))).length, 1);
  });

  test("unknown keys are not cached", async () => {
    const statements = await statementsOf(async () => {
      const id = randomUUID();
      for (let call = 0; call < 5; call++) assert.not(await isLet({ id, token: "x" }));
    });
    assert.is(statements.length, 5);
  });
});
